"""From any step back to what it came from, and from any evidence forward to what it changed."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.domain.episode import events as e
from backend.domain.lineage.back import Lineage, lineage
from backend.domain.lineage.forward import Effects, effects
from backend.domain.lineage.missed import missed
from backend.domain.lineage.pages import Listed
from backend.domain.memory.record import Field
from backend.domain.plans.plan import Plan
from tests.domain.hindsight.tracing import traced
from tests.support.drill import MOVES, Drill, whole
from tests.support.episodes import play

SEEN = [("evidence", 1), ("evidence", 2)]
APPROVED = [*SEEN, ("reply", 0), ("approve", 1)]
GRASPED = [*APPROVED, ("outcome", 1), ("outcome", 1)]


def seq_of(drill: Drill, kind: type, last: bool = False) -> int:
    found = [each.seq for each in drill.events if isinstance(each.event, kind)]
    return found[-1 if last else 0]


def back(drill: Drill, kind: type, last: bool = False) -> Lineage:
    return lineage(Listed(drill.events), seq_of(drill, kind, last))


def forward(drill: Drill, seq: int) -> Effects:
    return effects(Listed(drill.events), seq, traced(drill.events).replaced)


def plan_of(recorded: e.Recorded | None) -> Plan:
    assert recorded is not None
    assert isinstance(recorded.event, e.PlanProposed)
    return recorded.event.plan


def test_a_failed_step_leads_back_to_the_evidence() -> None:
    """The whole chain: step, approval, plan, answer, question, context line, record, evidence."""
    drill = Drill().run([*APPROVED, ("outcome", 1), ("outcome", 3)])
    found = back(drill, e.StepEnded, last=True)

    assert found.step == 1
    assert found.dispatch is not None
    assert found.dispatch.event.step.skill == "grasp"  # type: ignore[union-attr]
    assert [type(each.event) for each in found.approvals] == [e.ApprovalRequested, e.ApprovalGranted]
    assert plan_of(found.plan).number == 1
    assert found.request is not None
    assert found.plan is not None
    assert found.request.seq < found.plan.seq < found.dispatch.seq
    assert [type(each.event) for each in found.exchanges] == [e.ExchangeRecorded]
    [pose, status] = found.grounds
    assert (pose.dependency.field, status.dependency.field) == (Field.POSE, Field.STATUS)
    assert pose.event is not None
    assert isinstance(pose.event.event, e.EvidenceJudged)
    assert pose.event.event.evidence.pose == pose.dependency.expected
    assert pose.scored is not None
    assert pose.scored.entity == pose.dependency.entity
    assert pose.line.startswith(f"{pose.dependency.entity}: class ")
    assert any(isinstance(each.event, e.PlanInvalidated) for each in found.after)


@pytest.mark.parametrize(
    "kind",
    [
        e.StepDispatched, e.StepEnded, e.PlanProposed, e.ApprovalRequested, e.ApprovalGranted,
        e.ExchangeRecorded, e.PlanRequested, e.FramesRecorded,
    ],
)  # fmt: skip
def test_whatever_is_asked_about_it_is_the_same_plan(kind: type) -> None:
    found = back(Drill().run(GRASPED), kind)

    assert plan_of(found.plan).number == 1
    assert found.request is not None
    assert {each.dependency.entity for each in found.grounds} <= {"can_1", "bottle_2"}
    assert found.grounds


def test_a_refused_answer_leads_to_its_question_and_to_no_plan() -> None:
    drill = Drill().run([*SEEN, ("reply", 4)])
    found = back(drill, e.PlanRefused)

    assert found.plan is None
    assert found.dispatch is None
    assert found.request is not None
    assert len(found.exchanges) == 1


def test_a_plan_made_by_a_person_came_from_no_call() -> None:
    drill = Drill().run([*SEEN, ("reply", 0), ("edit", 1)])
    found = back(drill, e.PlanProposed, last=True)

    assert plan_of(found.plan).edits == 1
    assert found.request is None
    assert found.exchanges == ()


def test_a_stop_leads_to_what_was_under_way() -> None:
    drill = Drill().run([*APPROVED, ("hold", 0)])
    found = back(drill, e.StopAsked)

    assert found.dispatch is not None
    assert found.ended is None


def test_evidence_leads_on_to_the_plan_it_ended_and_the_one_that_followed() -> None:
    drill = Drill().run(APPROVED)
    target = plan_of(drill.events[seq_of(drill, e.PlanProposed) - 1]).target
    moved = next(
        n
        for n in range(30)
        if f"{('bottle_1', 'can_1', 'bottle_2')[n % 3]}" == target and n % 4 == 1 and n > 3
    )
    drill.run([("evidence", moved), ("outcome", 1), ("reply", 0)])
    seq = next(
        each.seq
        for each in reversed(drill.events)
        if isinstance(each.event, e.EvidenceJudged) and each.event.changes
    )
    found = forward(drill, seq)

    assert [change.change.entity for change in found.changes] == [target]
    assert {type(each.event) for each in found.dropped} >= {e.PlanInvalidated}
    assert all(each.seq > seq for each in found.dropped)


def test_first_evidence_leads_on_to_the_plan_and_steps_that_rested_on_it() -> None:
    drill = Drill().run(GRASPED)
    plan = plan_of(drill.events[seq_of(drill, e.PlanProposed) - 1])
    [version] = {each.version for each in plan.dependencies if each.field is Field.POSE}
    found = forward(drill, version)
    [pose] = [each for each in found.changes if each.change.field is Field.POSE]

    assert [plan_of(each.plan).number for each in pose.relied] == [1]
    assert [
        (sent.event.step.skill, ended is not None)  # type: ignore[union-attr]
        for sent, ended in pose.relied[0].steps
    ] == [("navigate", True), ("grasp", True)]
    assert pose.until is None
    [status] = [each for each in found.changes if each.change.field is Field.STATUS]
    assert status.until == seq_of(drill, e.StepEnded, last=True)


def test_refused_evidence_changed_nothing() -> None:
    drill = Drill().run([("evidence", 3)])

    assert forward(drill, seq_of(drill, e.EvidenceJudged)) == Effects(
        subject=drill.events[seq_of(drill, e.EvidenceJudged) - 1]
    )


def test_a_record_below_the_line_is_told_with_the_plan_that_came_to_use_it() -> None:
    """Of 14 containers, 8 are shown; each of the other is delivered later."""
    done = play("dn-14", seed=1).run()
    events = done.episode.events
    request = next(each for each in events if isinstance(each.event, e.PlanRequested))
    found = missed(Listed(events), request)

    assert [each.scored.rank for each in found] == list(range(9, 9 + len(found)))
    assert len(found) >= 3
    assert all(each.short_by >= 0.0 for each in found)
    for each in found:
        if each.used is not None:
            assert plan_of(each.used).target == each.scored.entity
            assert each.used.seq > request.seq
    assert any(each.used is not None for each in found)


def test_nothing_is_missed_where_nothing_was_asked() -> None:
    drill = Drill().run(SEEN)

    assert missed(Listed(drill.events), drill.events[0]) == ()


MOVE = st.tuples(st.sampled_from(sorted(MOVES)), st.integers(0, 99))


@settings(max_examples=20, deadline=None)
@given(st.lists(MOVE, max_size=40))
def test_every_event_of_any_journal_has_an_answer(moves: list[tuple[str, int]]) -> None:
    drill = Drill().run(moves)
    pages, trace = Listed(drill.events), traced(drill.events)
    for each in drill.events:
        found = lineage(pages, each.seq)
        led = [found.request, found.plan, found.dispatch]
        seqs = [one.seq for one in led if one is not None]
        assert seqs == sorted(seqs)
        assert all(one.event is None or one.event.seq <= each.seq for one in found.grounds) or found.plan
        effects(pages, each.seq, trace.replaced)


def test_causes_precede_and_consequences_follow() -> None:
    drill = whole()
    pages = Listed(drill.events)
    for each in drill.events:
        found = lineage(pages, each.seq)
        assert all(one.seq > each.seq for one in found.after)
        if found.dispatch is not None and found.plan is not None:
            assert all(one.event is None or one.event.seq < found.plan.seq for one in found.grounds)
