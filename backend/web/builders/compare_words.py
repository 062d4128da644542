"""Where two episodes part, in an operator's words. The left one is A, the right one B."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from backend.domain.comparing.facts import Acted, Asked, Brought, Did, Finished, Heard, Planned
from backend.domain.comparing.parting import Aspect, Parting
from backend.domain.comparing.sameness import other_blocks
from backend.domain.execution.outcome import Result
from backend.domain.memory.evidence import Verdict
from backend.domain.memory.record import FIELD_NAME
from backend.domain.plans.plan import describe
from backend.web.builders import words
from backend.web.pages import figures

NAMED = 4
"""Entities that are named in a row; the rest is counted."""

ASPECTS: dict[Aspect, str] = {
    "evidence": "Report",
    "record": "Record",
    "context": "Context",
    "plan": "Plan",
    "person": "Person",
    "outcome": "Outcome",
    "failure": "Failure",
    "delivery": "Delivery",
    "ending": "End",
}

_TAKES = {Verdict.ACCEPTED: "takes", Verdict.MERGED: "merges", Verdict.REFUSED: "refuses"}
_ENDINGS = {
    "completed": "completes",
    "budget": "runs out of budget",
    "aborted": "is aborted",
    "failed": "fails",
}
_ACTS = {
    "approval.rejected": "rejects a plan",
    "approval.edited": "edits a plan",
    "stop.asked": "holds",
    "stop.released": "releases",
    "guidance.given": "guides the planner",
    "instructions.changed": "changes the instructions",
    "policy.changed": "changes who is asked",
    "record.corrected": "corrects a record",
}


def told(parting: Parting) -> str:
    return _TELL[parting.aspect](parting)


def _evidence(parting: Parting) -> str:
    one, other = parting.left, parting.right
    if one is not None and other is not None:
        return (
            f"{_source(one)} reports {one.entity} at {words.place(one.evidence.pose)}, "
            f"{figures.share(one.evidence.confidence)}, to A and at {words.place(other.evidence.pose)}, "
            f"{figures.share(other.evidence.confidence)}, to B"
        )
    letter, heard = _alone(parting)
    more = f", and {figures.count(parting.more)} more from there" if parting.more else ""
    return f"Only {letter} hears of {heard.entity} from {_source(heard).lower()}{more}"


def _source(heard: Heard) -> str:
    return f"The {heard.evidence.sensed_by or words.SOURCE[heard.evidence.source]}"


def _record(parting: Parting) -> str:
    one, other = parting.left, parting.right
    about = f"a report of {one.entity}" + (f" and B of {other.entity}" if one.entity != other.entity else "")
    if one.verdict is not other.verdict:
        refuser = one if one.verdict is Verdict.REFUSED else other
        why = f": {refuser.reason}" if refuser.verdict is Verdict.REFUSED else ""
        return f"A {_TAKES[one.verdict]} {about}, B {_TAKES[other.verdict]} it{why}"
    return f"A {_TAKES[one.verdict]} {about} and changes {_fields(one)}; B changes {_fields(other)}"


def _fields(heard: Heard) -> str:
    named = dict.fromkeys(FIELD_NAME[change.field] for change in heard.changes)
    return " and ".join(named) or "nothing"


def _context(parting: Parting) -> str:
    one, other = parting.left, parting.right
    if one is None or other is None:
        letter, asked = _alone(parting)
        return f"Only {letter} asks question {asked.decision}: {_lower(asked.cause.message)}"
    head = f"Question {one.decision}: "
    shown = _shown(one, other)
    if shown:
        return head + shown
    if one.cause != other.cause:
        return f"{head}A asks because {_lower(one.cause.message)}, B because {_lower(other.cause.message)}"
    return f"{head}the same records, and other words in {', '.join(other_blocks(one, other))}"


def _shown(one: Asked, other: Asked) -> str:
    """What the two were shown, where that is not the same."""
    if (one.exposed, one.count) == (other.exposed, other.count):
        return ""
    mine = [entity for entity in one.exposed if entity not in other.exposed]
    theirs = [entity for entity in other.exposed if entity not in one.exposed]
    counts = f"A is shown {words.counted(one.count, 'record')}, B {figures.count(other.count)}"
    alone = [f"only {letter} sees {_named(names)}" for letter, names in (("A", mine), ("B", theirs)) if names]
    if alone:
        return f"{counts}; {' and '.join(alone)}"
    return f"{counts}, the same ones" + (" in another order" if one.count == other.count else "")


def _plan(parting: Parting) -> str:
    one, other = parting.left, parting.right
    if one is None or other is None:
        letter, planned = _alone(parting)
        return f"Only {letter} makes plan {planned.number}: {_first_steps(planned, 0)}"
    start = next(
        (at for at, (a, b) in enumerate(zip(one.steps, other.steps, strict=False)) if a != b),
        min(len(one.steps), len(other.steps)),
    )
    where = f" from step {start + 1} on" if start else ""
    return f"Plan {one.number}{where}: A {_first_steps(one, start)}; B {_first_steps(other, start)}"


def _first_steps(planned: Planned, start: int) -> str:
    told = [describe(step) for step in planned.steps[start : start + 2]]
    if not told:
        return "ends there"
    more = len(planned.steps) - start - len(told)
    return ", ".join(told) + (f" and {more} more" if more > 0 else "")


def _person(parting: Parting) -> str:
    one, other = parting.left, parting.right
    if one is None or other is None:
        letter, acted = _alone(parting)
        return f"Only in {letter}: {_act(acted)}"
    return f"In A {_act(one)}, in B {_act(other)}"


def _act(acted: Acted) -> str:
    said = f", “{acted.text}”" if acted.text else ""
    return f"{acted.by} {_ACTS.get(acted.kind, acted.kind)}{said}"


def _outcome(parting: Parting) -> str:
    one, other = parting.left, parting.right
    if one is None or other is None:
        letter, did = _alone(parting)
        more = f" and {figures.count(parting.more)} more" if parting.more else ""
        return f"Only {letter} goes on: {_command(did)}{more}"
    if one.step != other.step:
        return f"A does {_command(one)}, B {_command(other)}"
    if one.outcome.result is not other.outcome.result or one.outcome.reason != other.outcome.reason:
        return f"{_command(one)}: A {_came(one)}, B {_came(other)}"
    return f"{_command(one)}: A ends at {_where(one)}, B at {_where(other)}"


def _failure(parting: Parting) -> str:
    letter, did = _alone(parting)
    return f"Only in {letter}: {_command(did)} {_came(did)}"


def _command(did: Did) -> str:
    return describe(did.step) if did.step is not None else did.outcome.skill


def _came(did: Did) -> str:
    result = did.outcome.result.value.replace("_", " ")
    return result if did.outcome.result is Result.SUCCEEDED else f"{result}, {_plain(did.outcome.reason)}"


def _where(did: Did) -> str:
    pose = did.outcome.measured.pose
    return words.place(pose) if pose is not None else "an unmeasured place"


def _delivery(parting: Parting) -> str:
    one, other = parting.left, parting.right
    if one is None or other is None:
        letter, brought = _alone(parting)
        more = f" and {figures.count(parting.more)} more" if parting.more else ""
        return f"Only {letter} delivers one more: {_brought(brought)}{more}"
    return f"A delivers {_brought(one)}, B {_brought(other)}"


def _brought(brought: Brought) -> str:
    return f"{brought.entity} to {brought.station}" if brought.station else brought.entity


def _ending(parting: Parting) -> str:
    return f"A {_end(parting.left)}; B {_end(parting.right)}"


def _end(finished: Finished) -> str:
    return (
        f"{_ENDINGS.get(finished.outcome, 'ends')} at {figures.met(finished.met_s)}, "
        f"{figures.count(finished.delivered)} delivered"
    )


def _alone(parting: Parting) -> tuple[str, Any]:
    return ("A", parting.left) if parting.left is not None else ("B", parting.right)


def _named(entities: Sequence[str]) -> str:
    more = len(entities) - NAMED
    return ", ".join(entities[:NAMED]) + (f" and {more} more" if more > 0 else "")


def _plain(code: str) -> str:
    return code.replace("_", " ")


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


_TELL: dict[Aspect, Callable[[Parting], str]] = {
    "evidence": _evidence,
    "record": _record,
    "context": _context,
    "plan": _plan,
    "person": _person,
    "outcome": _outcome,
    "failure": _failure,
    "delivery": _delivery,
    "ending": _ending,
}
