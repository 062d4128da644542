"""What a person may say of memory, what becomes of it, and every way it is refused in words."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from backend.domain.command.approval import ApprovalStatus
from backend.domain.command.intents import Correct
from backend.domain.decide.blast import told
from backend.domain.episode.events import (
    ApprovalSuperseded,
    EpisodeEnded,
    IntentRefused,
    PlanInvalidated,
    RecordCorrected,
    StationAssigned,
    StepCancelAsked,
)
from backend.domain.execution.outcome import Result
from backend.domain.geometry import Pose
from backend.domain.memory.corrections import (
    Add,
    Correction,
    Lock,
    Merge,
    Move,
    Reclass,
    Remove,
    SetStatus,
    Split,
    Undo,
    Unlock,
    kind_of,
)
from backend.domain.memory.record import Field, Source, Status
from tests.domain.correcting import confirmed, fix, moved, shown
from tests.domain.scripted import BOTTLES, CANS, OTHER, SITE, VIEWER, Scripted, collect, kinds, opened


def seen(memory: str = "attention", policy: str = "every_plan", total: int = 2) -> Scripted:
    script = Scripted(opened(memory=memory, policy=policy, total=total))
    script.see("can_1", 3, 0)
    script.see("can_2", 6, 2)
    return script


def asked(policy: str = "every_plan") -> Scripted:
    """A plan to collect can_1 waits, or runs."""
    script = seen(policy=policy)
    script.answer(*collect("can_1"))
    return script


def holding() -> Scripted:
    script = asked("auto")
    for _ in range(3):
        script.end()
    assert script.record("can_1").status is Status.GRASPED
    return script


def delivered() -> Scripted:
    script = holding()
    script.end()
    script.end()
    assert script.record("can_1").status is Status.DELIVERED
    return script


def test_a_move_is_evidence_of_the_operator_and_audited() -> None:
    script = seen()
    assert fix(script, moved()) == "applied"
    record = script.record("can_1")
    assert (record.pose, record.source, record.confidence) == (Pose(4.0, 4.0), Source.OPERATOR, 1.0)
    event = script.last(RecordCorrected)
    assert (event.by, event.reason) == ("operator-1", "Seen.")
    assert (event.evidence.source, event.evidence.sensed_by) == (Source.OPERATOR, "operator-1")
    assert {change.field for change in event.changes} >= {Field.POSE, Field.SOURCE, Field.CONFIDENCE}
    assert script.events[-1].actor in ("operator:operator-1", "system")


def test_what_was_lost_is_found_by_saying_where_it_is() -> None:
    script = seen()
    fix(script, SetStatus(entity="can_1", status=Status.LOST))
    fix(script, moved())
    assert script.record("can_1").status is Status.OBSERVED
    assert script.record("can_1").failed_pose is None


def test_saying_where_it_is_believed_confirms_it_and_moves_nothing() -> None:
    script = asked()
    version = script.record("can_1").pose_seq
    assert shown(script, moved("can_1", 3.0, 0.0)).plan is None
    fix(script, moved("can_1", 3.0, 0.0))
    assert script.record("can_1").pose_seq == version
    assert script.state.plan is not None


def test_on_a_grid_it_stands_in_a_cell() -> None:
    site = replace(SITE, metric=replace(SITE.metric, kind="manhattan", tolerance_m=0.0))
    script = Scripted(opened(site=site))
    script.see("can_1", 3, 0)
    fix(script, moved(x_m=3.6, y_m=4.4))
    assert script.record("can_1").pose == Pose(4.0, 4.0)


def test_a_class_may_change_while_it_is_held_and_its_plan_goes() -> None:
    script = holding()
    blast = shown(script, Reclass(entity="can_1", cls="bottle"))
    assert blast.plan == 1
    assert blast.dispatch == script.state.dispatch.id
    assert fix(script, Reclass(entity="can_1", cls="bottle")) == "applied"
    assert script.record("can_1").cls == "bottle"
    assert script.last(PlanInvalidated).cause.field is Field.CLASS
    assert "goes to station_bottles" in script.last(PlanInvalidated).cause.message


def test_removed_is_removed_for_planner_and_reports() -> None:
    script = asked()
    assert fix(script, Remove(entity="can_1")) == "applied"
    assert script.state.request.retrieval.exposed == ("can_2",)
    script.see("can_1", 3, 0)
    assert script.record("can_1").status is Status.REMOVED
    assert fix(script, SetStatus(entity="can_1", status=Status.OBSERVED)) == "applied"
    assert script.record("can_1").status is Status.OBSERVED


def test_something_nobody_reported_is_added() -> None:
    script = seen()
    assert fix(script, Add(cls="bottle", x_m=7.0, y_m=7.0)) == "applied"
    record = script.record("bottle_03")
    assert (record.cls, record.pose, record.source) == ("bottle", Pose(7.0, 7.0), Source.OPERATOR)
    assert fix(script, Add(cls="can", x_m=8.0, y_m=7.0, entity="can_9")) == "applied"
    assert script.record("can_9").order == 3


def test_what_was_added_under_a_name_that_the_robot_has_none_of_is_lost() -> None:
    script = Scripted(opened(policy="auto"))
    fix(script, Add(cls="can", x_m=8.0, y_m=7.0))
    script.answer(*collect("can_01"))
    script.end()
    script.end(Result.NOT_EXECUTED, "unknown_name")
    assert script.record("can_01").status is Status.LOST
    assert script.state.request.retrieval.exposed == ()


def test_a_class_first_named_by_a_person_is_revealed() -> None:
    stations = tuple(replace(station, accepts=()) for station in SITE.stations)
    script = Scripted(opened(site=replace(SITE, assignment="at_reveal", stations=stations)))
    assert shown(script, Add(cls="jar", x_m=1.0, y_m=0.0)).station == f"jar goes to {CANS}"
    fix(script, Add(cls="jar", x_m=1.0, y_m=0.0))
    assert script.last(StationAssigned).station == CANS


def test_carried_by_hand_counts_and_may_end_the_episode() -> None:
    script = seen(total=1)
    delivery = SetStatus(entity="can_1", status=Status.DELIVERED)
    assert shown(script, delivery).ends == "All 1 delivered to their stations"
    assert fix(script, delivery) == "applied"
    assert script.state.delivered == {"can_1": CANS}
    assert script.last(EpisodeEnded).outcome == "completed"


def test_two_records_of_one_thing_become_one() -> None:
    script = seen()
    script.see("can_7", 3.2, 0.1, q=0.95)
    assert fix(script, Merge(entity="can_1", absorbed="can_7")) == "applied"
    kept, gone = script.record("can_1"), script.record("can_7")
    assert (kept.pose, kept.confidence) == (Pose(3.2, 0.1), 0.95)
    assert (gone.status, gone.merged_into) == (Status.REMOVED, "can_1")
    script.see("can_7", 4.0, 0.5, q=1.0)
    assert script.record("can_1").pose == Pose(4.0, 0.5)
    fix(script, Merge(entity="can_2", absorbed="can_1"))
    script.see("can_7", 6.0, 3.0, q=1.0)
    assert script.record("can_2").pose == Pose(6.0, 3.0)


def test_the_weightier_belief_of_the_two_is_kept() -> None:
    script = seen()
    script.see("can_7", 3.2, 0.1, q=0.6)
    fix(script, Merge(entity="can_1", absorbed="can_7"))
    assert script.record("can_1").pose == Pose(3.0, 0.0)


def test_one_record_of_two_things_becomes_two() -> None:
    script = seen()
    assert fix(script, Split(entity="can_1", cls="bottle", x_m=3.0, y_m=2.0)) == "applied"
    assert script.record("bottle_03").pose == Pose(3.0, 2.0)
    script.see("can_7", 3.2, 0.1)
    fix(script, Merge(entity="can_1", absorbed="can_7"))
    assert fix(script, Split(entity="can_1", cls="can", x_m=8.0, y_m=0.0, name="can_7")) == "applied"
    script.see("can_7", 8.0, 1.0, q=1.0, source=Source.ONBOARD)
    assert script.record("can_7").pose == Pose(8.0, 1.0)
    assert script.record("can_1").pose == Pose(3.0, 0.0)


REFUSED: dict[str, tuple[Correction, str]] = {
    "an unknown record": (moved("can_99"), "unknown_record"),
    "out of the map": (moved(x_m=40.0), "place"),
    "no number": (moved(x_m=float("nan")), "place"),
    "inside a wall": (moved(x_m=5.0, y_m=5.0), "place"),
    "no confidence": (Move(entity="can_1", x_m=4.0, y_m=4.0, confidence=0.0), "confidence"),
    "an impossible class": (Reclass(entity="can_1", cls="dragon"), "class"),
    "the class it has": (Reclass(entity="can_1", cls="can"), "no_change"),
    "the status it has": (SetStatus(entity="can_1", status=Status.OBSERVED), "no_change"),
    "a grasp by word": (SetStatus(entity="can_1", status=Status.GRASPED), "measured_only"),
    "another station": (SetStatus(entity="can_1", status=Status.DELIVERED, station=BOTTLES), "station"),
    "something added outside": (Add(cls="can", x_m=-3.0, y_m=0.0), "place"),
    "something added of no class": (Add(cls="dragon", x_m=3.0, y_m=0.0), "class"),
    "an id that is taken": (Add(cls="can", x_m=8.0, y_m=0.0, entity="can_2"), "known"),
    "an id of a station": (Add(cls="can", x_m=8.0, y_m=0.0, entity=CANS), "known"),
    "an id too long": (Add(cls="can", x_m=8.0, y_m=0.0, entity="x" * 65), "entity"),
    "unlocking what is not locked": (Unlock(entity="can_1", field="pose"), "no_change"),
    "a merger with itself": (Merge(entity="can_1", absorbed="can_1"), "same"),
    "a merger with nothing": (Merge(entity="can_1", absorbed="can_99"), "unknown_record"),
    "a split into one place": (Split(entity="can_1", cls="can", x_m=3.0, y_m=0.0), "place"),
    "a split of no merger": (Split(entity="can_1", cls="can", x_m=4, y_m=0, name="can_2"), "not_merged"),
    "undoing nothing": (Undo(seq=1), "no_correction"),
}  # fmt: skip


@pytest.mark.parametrize(("x_m", "outcome"), [(-3.0, "applied"), (-6.0, "place"), (6.0, "place")])
def test_a_place_below_the_origin_is_on_a_map_that_reaches_there(x_m: float, outcome: str) -> None:
    script = asked()
    site = replace(script.state.site, map=replace(script.state.site.map, first=(-5, -5), occupied=()))
    script.state = replace(script.state, site=site)

    assert fix(script, moved(x_m=x_m)) == outcome
    if outcome == "place":
        assert "Choose x from -5 to 4" in script.last(IntentRefused).remedy


@pytest.mark.parametrize(("correction", "code"), REFUSED.values(), ids=REFUSED)
def test_a_wrong_correction_is_refused_with_a_reason_and_kept(correction: Correction, code: str) -> None:
    script = asked()
    before = script.state
    assert fix(script, correction) == code
    assert script.state.memory == before.memory
    assert script.state.plan == before.plan
    refused = script.last(IntentRefused)
    assert (refused.action, refused.code) == ("correct", code)
    assert refused.message.endswith(".")


@pytest.mark.parametrize(
    "correction",
    [
        moved(),
        Reclass(entity="can_1", cls="bottle"),
        SetStatus(entity="can_1", status=Status.LOST),
        Remove(entity="can_1"),
        Lock(entity="can_1", field="pose"),
        Merge(entity="can_2", absorbed="can_1"),
        Split(entity="can_1", cls="can", x_m=8.0, y_m=0.0),
    ],
    ids=kind_of,
)
def test_a_delivered_record_is_not_corrected(correction: Correction) -> None:
    script = delivered()
    assert fix(script, correction) == "delivered"
    assert script.record("can_1").status is Status.DELIVERED


@pytest.mark.parametrize("correction", [moved(), Remove(entity="can_1")], ids=kind_of)
def test_what_is_held_is_where_the_robot_is(correction: Correction) -> None:
    script = holding()
    assert fix(script, correction) == "held"


def test_removed_and_merged_records_say_what_to_correct_instead() -> None:
    script = seen()
    script.see("can_7", 3.2, 0.1)
    fix(script, Merge(entity="can_1", absorbed="can_7"))
    assert fix(script, moved("can_7")) == "removed"
    assert "Correct can_1" in script.last(IntentRefused).remedy
    fix(script, Remove(entity="can_2"))
    assert fix(script, moved("can_2")) == "removed"


def test_what_no_report_was_accepted_of_is_not_made_real_by_its_class() -> None:
    script = seen()
    script.see("can_5", 8, 8, q=0.2)
    assert not script.record("can_5").supported
    assert fix(script, Reclass(entity="can_5", cls="bottle")) == "unsupported"
    assert fix(script, moved("can_5", 8.0, 8.0)) == "applied"
    assert script.record("can_5").supported


WORKS = {"attention": "all", "unfiltered": "all", "static": "status", "none": "status", "oracle": "nothing"}


@pytest.mark.parametrize(("memory", "works"), WORKS.items(), ids=WORKS)
def test_each_memory_says_what_it_takes(memory: str, works: str) -> None:
    script = Scripted(opened(memory=memory))
    source = {"static": Source.INITIAL, "none": Source.ONBOARD, "oracle": Source.TRUTH}.get(
        memory, Source.AERIAL
    )
    script.see("can_1", 3, 0, source=source)
    script.see("can_2", 6, 2, source=source)
    beliefs = [moved(), Reclass(entity="can_1", cls="bottle"), Add(cls="can", x_m=8.0, y_m=8.0)]
    beliefs.append(Lock(entity="can_1", field="pose"))
    said = [fix(script, correction) for correction in beliefs]
    assert said == (["applied"] * 4 if works == "all" else ["memory"] * 4)
    states = [SetStatus(entity="can_1", status=Status.LOST), Remove(entity="can_2")]
    said = [fix(script, correction) for correction in states]
    assert said == (["memory"] * 2 if works == "nothing" else ["applied"] * 2)
    if works != "nothing":
        exposed = script.state.request.retrieval.exposed if script.state.request else ()
        assert "can_2" not in exposed


def test_evidence_that_touches_the_plan_that_waits_supersedes_it() -> None:
    script = asked()
    blast = shown(script, moved())
    assert (blast.plan, blast.steps, blast.approval) == (1, (0, 1, 2, 4), script.approval.id)
    assert blast.approval_status is ApprovalStatus.PENDING
    assert "The pending approval e1-a1 lapses." in told(blast)
    result = script.tick(intents=(script.intent(confirmed(script, moved())),))
    assert kinds(result)[:3] == ["RecordCorrected", "ApprovalSuperseded", "PlanInvalidated"] or (
        kinds(result)[0] == "ConnTaken"
    )
    cause = script.last(ApprovalSuperseded).cause
    assert (cause.entity, cause.field, cause.source) == ("can_1", Field.POSE, Source.OPERATOR)


def test_a_step_that_runs_on_it_is_asked_to_cancel() -> None:
    script = asked("auto")
    dispatch = script.state.dispatch.id
    blast = shown(script, moved())
    assert (blast.dispatch, blast.step) == (dispatch, "navigate can_1")
    fix(script, moved())
    assert script.last(StepCancelAsked).dispatch_id == dispatch


def test_what_no_plan_rests_on_interrupts_nothing() -> None:
    script = asked("auto")
    blast = shown(script, moved("can_2"))
    assert (blast.plan, blast.approval, blast.dispatch) == (None, None, None)
    fix(script, moved("can_2"))
    assert script.state.plan is not None
    assert script.all(PlanInvalidated) == []


def test_a_planner_that_was_asked_before_answers_in_vain() -> None:
    script = seen()
    assert shown(script, moved()).asked
    fix(script, moved())
    script.answer(*collect("can_1"))
    assert script.last(PlanInvalidated).cause.entity == "can_1"


def test_undo_is_a_further_correction() -> None:
    script = seen()
    before = script.record("can_1")
    fix(script, moved(lock=True))
    seq = script.state.corrections[-1].seq
    assert fix(script, Undo(seq=seq)) == "applied"
    after = script.record("can_1")
    assert (after.pose, after.confidence, after.source, after.stamp_s) == (
        before.pose, before.confidence, before.source, before.stamp_s,
    )  # fmt: skip
    assert after.pose_seq > before.pose_seq
    assert after.words == ()
    assert len(script.all(RecordCorrected)) == 2
    assert fix(script, Undo(seq=seq)) == "undone"
    again = script.state.corrections[-1].seq
    assert fix(script, Undo(seq=again)) == "applied"
    assert script.record("can_1").pose == Pose(4.0, 4.0)
    assert script.record("can_1").word(Field.POSE).locked


def test_what_was_reported_since_is_not_undone() -> None:
    script = seen()
    fix(script, moved())
    seq = script.state.corrections[-1].seq
    script.see("can_1", 4, 4)
    assert fix(script, Undo(seq=seq)) == "changed_since"


def test_what_was_corrected_again_is_undone_from_the_last() -> None:
    script = seen()
    fix(script, moved())
    first = script.state.corrections[-1].seq
    fix(script, Lock(entity="can_1", field="pose"))
    second = script.state.corrections[-1].seq
    assert fix(script, Undo(seq=first)) == "changed_since"
    assert fix(script, Undo(seq=second)) == "applied"


def test_an_undone_delivery_by_hand_counts_no_more() -> None:
    script = seen()
    fix(script, SetStatus(entity="can_1", status=Status.DELIVERED))
    assert fix(script, Undo(seq=script.state.corrections[-1].seq)) == "applied"
    assert script.state.delivered == {}
    assert script.record("can_1").status is Status.OBSERVED
    assert script.record("can_1").pose == Pose(3.0, 0.0)


def test_an_undone_split_goes_back_to_what_it_was_split_from() -> None:
    script = seen()
    fix(script, Split(entity="can_1", cls="can", x_m=8.0, y_m=0.0))
    made = script.state.corrections[-1].after[0].id
    fix(script, Undo(seq=script.state.corrections[-1].seq))
    assert script.record(made).status is Status.REMOVED
    script.see(made, 4.0, 1.0, q=1.0, source=Source.ONBOARD)
    assert script.record("can_1").pose == Pose(4.0, 1.0)


def test_an_episode_that_has_ended_is_not_corrected() -> None:
    script = seen(total=1)
    fix(script, SetStatus(entity="can_1", status=Status.DELIVERED))
    assert script.click(confirmed(script, moved("can_2"))).code == "ended"


def test_only_whoever_has_the_conn_corrects() -> None:
    script = seen()
    assert script.click(confirmed(script, moved()), VIEWER, "viewer").code == "role"
    assert script.click(confirmed(script, moved())).code == "applied"
    assert script.click(confirmed(script, moved("can_2"), OTHER), OTHER).code == "conn"


def test_without_a_blast_the_refusal_says_it_and_what_confirms_it() -> None:
    """So that a script can do in two calls what the page does."""
    script = asked()
    whole = confirmed(script, moved())
    refused = script.click(Correct(correction=whole.correction, seen=whole.seen))
    assert refused.code == "unseen_blast"
    assert "pose of can_1 (3, 0) m → (4, 4) m." in refused.message
    assert whole.blast in refused.remedy
    assert script.click(whole).applied
