"""The plan editor as it is shown: rows as typed, each with its flaws beside the field, checked by the
validator that will judge the plan, and told step by step against the plan that waits.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from backend.domain.command.approval import ApprovalStatus
from backend.domain.episode.grounding import ground_of
from backend.domain.episode.state import State
from backend.domain.plans.dependencies import dependencies
from backend.domain.plans.difference import difference
from backend.domain.plans.findings import Finding
from backend.domain.plans.plan import Plan, Step, digest_of_steps
from backend.domain.plans.validator import validate
from backend.domain.plans.validity import broken
from backend.web.builders import words
from backend.web.builders.differences import difference_marks
from backend.web.builders.editor_row import editor_row
from backend.web.builders.moment import Moment, waits_for_approval
from backend.web.composing import Flaw, Row, rows_from, steps_of
from backend.web.pages.editor import Base, Editor, EditorRow
from backend.web.pages.parts import Mark, Notice, plain

MOST_FINDINGS = 6


class Draft(Struct, frozen=True, kw_only=True):
    """What was posted. `plan_digest`: of the plan that is edited, empty where none is.
    `seen_seq`: what its author was shown first."""

    rows: tuple[Row, ...]
    plan_digest: str = ""
    seen_seq: int = 0
    rationale: str = ""


def editor_of(moment: Moment, draft: Draft | None = None, notice: Notice | None = None) -> Editor:
    """Of what was posted; without that, of the plan that waits, or of one empty step."""
    state = moment.state
    edited = _edited(moment, draft)
    base = _base(state) if edited is not None and waits_for_approval(state) else None
    left = edited.steps[state.cursor :] if edited is not None else ()
    rows = draft.rows if draft is not None else rows_from(left) or (_empty(state),)
    steps, flaws = steps_of(rows, state.catalogue, state.site.frame_id)
    findings = validate(steps, ground_of(state, None)) if steps else ()
    why_not = _why_not(moment, base, draft)
    told = _marks(findings, flaws, rows)
    unchanged = base is not None and steps == left
    return Editor(
        episode=moment.episode,
        viewer=moment.viewer.name,
        title=f"Edit plan {edited.number}"
        if base is not None and edited is not None
        else "A plan of your own",
        rows=_rows(state, rows, steps, left, findings, flaws),
        seen_seq=state.seq,
        save="Save as my plan" if base is not None else "Propose this plan",
        base=base,
        edited=base.plan_digest if base is not None else draft.plan_digest if draft is not None else "",
        rationale=draft.rationale if draft is not None else "",
        findings=told,
        changes=difference_marks(left, steps, state.cursor) if base is not None else (),
        verdict=_verdict(steps, told, unchanged),
        meanwhile=_meanwhile(state, steps, draft),
        notice=notice,
        may_save=moment.may_command and not why_not and not told and bool(steps) and not unchanged,
        why_not=why_not,
        answers=draft is not None,
        unchanged=unchanged,
        may_discard=base is not None or state.planner != "operator",
    )


def _edited(moment: Moment, draft: Draft | None) -> Plan | None:
    """The plan that waits, if it is the one that was opened for editing."""
    plan = moment.state.plan
    if plan is None or not waits_for_approval(moment.state):
        return None
    return plan if draft is None or draft.plan_digest == plan.digest else None


def _base(state: State) -> Base | None:
    approval = state.approval
    if approval is None:
        return None
    return Base(approval=approval.id, plan_digest=approval.pins.plan_digest, pins_digest=approval.pins_digest)


def _empty(state: State) -> Row:
    return Row(id="r1", skill=state.catalogue.skills[0].name if state.catalogue.skills else "")


def _why_not(moment: Moment, base: Base | None, draft: Draft | None) -> str:
    """What keeps it from being saved, whatever it says."""
    state = moment.state
    if moment.why_no_command or base is not None:
        return moment.why_no_command
    if state.ending is not None:
        return "The episode has ended."
    if state.stops:
        return "Held. Release the hold first; your steps are kept."
    if state.dispatch is not None:
        return f"Step {state.dispatch.index + 1} has not ended yet. Your steps are kept."
    expired = state.approval is not None and state.approval.status is ApprovalStatus.EXPIRED
    if state.plan is not None and not expired:
        lapsed = "The plan that you edited is gone, and another stands. " if draft is not None else ""
        return f"{lapsed}Discard this to see plan {state.plan.number}."
    if state.request is None and not state.asks_person and not expired:
        return "No plan is asked for now. Your steps are kept."
    return ""


def _rows(
    state: State,
    rows: Sequence[Row],
    steps: tuple[Step, ...],
    left: tuple[Step, ...],
    findings: Sequence[Finding],
    flaws: Sequence[Flaw],
) -> tuple[EditorRow, ...]:
    kinds = {change.after: change.kind for change in difference(left, steps)} if left else {}
    return tuple(
        editor_row(
            state,
            row,
            index,
            len(rows),
            [each for each in findings if each.step == index],
            [each for each in flaws if each.row == row.id],
            "" if kinds.get(index, "kept") == "kept" else kinds[index].capitalize(),
        )
        for index, row in enumerate(rows)
    )


def _marks(findings: Sequence[Finding], flaws: Sequence[Flaw], rows: Sequence[Row]) -> tuple[Mark, ...]:
    """Everything that is wrong, in one list above the button; what cannot be read comes first."""
    numbers = {row.id: index + 1 for index, row in enumerate(rows)}
    texts = [f"Step {numbers[flaw.row]} {flaw.field}: {flaw.message} {flaw.remedy}" for flaw in flaws]
    unread = {(numbers[flaw.row] - 1, flaw.field) for flaw in flaws}
    texts += [str(finding) for finding in findings if (finding.step, finding.argument) not in unread]
    if not rows:
        texts.append("Plan: It has no step. Add one.")
    more = len(texts) - MOST_FINDINGS
    shown = [*texts[:MOST_FINDINGS], *([f"And {more} more."] if more > 0 else [])]
    return tuple(Mark(icon="bad", text=(plain(text),), tone="alarm") for text in shown)


def _verdict(steps: tuple[Step, ...], told: Sequence[Mark], unchanged: bool) -> Mark | None:
    if told:
        return None
    if unchanged:
        return Mark(icon="idle", text=(plain("Nothing is changed yet."),))
    digest = digest_of_steps(steps)[:4]
    return Mark(icon="ok", text=(plain(f"Valid: {words.counted(len(steps), 'step')}, plan {digest}."),))


def _meanwhile(state: State, steps: tuple[Step, ...], draft: Draft | None) -> Mark | None:
    """What these steps rest on and has changed since the form was opened."""
    if draft is None or not 0 < draft.seen_seq < state.seq:
        return None
    plan = Plan(
        number=0,
        author="",
        steps=steps,
        rationale="",
        digest="",
        based_on_seq=draft.seen_seq,
        dependencies=dependencies(steps, state.memory, draft.seen_seq),
        target=None,
    )
    cause = broken(plan, 0, state.memory, (), state.site.metric)
    if cause is None:
        return None
    told = words.sentence(cause.message.replace("while the plan was being made", "while you were editing"))
    return Mark(icon="stale", text=(plain(f"{told} The fields show it as it is now."),), tone="caution")
