"""Labels of outcome and failure cause, that people give and evaluation counts: tags of annotations.

The causes are those that the two papers tell their failures by (ADM-Planner, section V; LogLook, section 4).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from backend.domain.annotations.annotation import Annotation
from backend.domain.episode import events as e
from backend.domain.execution.outcome import Result
from backend.domain.hindsight.reliance import WrongSpan

CAUSES: Mapping[str, str] = {
    "stale-target": "Stale target",
    "false-report": "False report",
    "count-drift": "Count drift",
    "fact-dropped": "Fact dropped",
    "demonstration-misread": "Demonstration misread",
    "motion-planning": "Motion planning",
    "empty-grasp": "Empty grasp",
    "stall": "Stall",
    "press-latency": "Press latency",
    "press-not-registered": "Press not registered",
    "other-execution": "Other execution",
}
OUTCOMES: Mapping[str, str] = {
    "outcome-success": "Success",
    "outcome-partial": "Partly a success",
    "outcome-failure": "Failure",
}
LABELS: Mapping[str, str] = {**CAUSES, **OUTCOMES}

_BY_REASON: Mapping[str, str] = {
    "grasp_slipped": "empty-grasp",
    "empty_grasp": "empty-grasp",
    "unreachable": "motion-planning",
    "blocked": "stall",
}
"""By a measured outcome's reason. Whatever else fails a skill is told as another failure of execution."""


def labels_of(annotations: Iterable[Annotation]) -> Mapping[str, int]:
    """How often each label is given, in the order of `LABELS`; what was taken away does not count."""
    given = Counter(tag for each in annotations if not each.is_removed for tag in set(each.tags))
    return {label: given[label] for label in LABELS if given[label]}


def suggested(ended: e.Event | None, spans: Iterable[WrongSpan]) -> str:
    """The cause that the journal and what is known now speak for; empty where nothing failed.

    It is only ever suggested: a person labels.
    """
    if not isinstance(ended, e.StepEnded) or ended.outcome.result is Result.SUCCEEDED:
        return ""
    if ended.outcome.result in (Result.CANCELLED, Result.STOPPED):
        return ""
    if ended.outcome.reason == "absent":
        return "false-report" if any(span.why == "false_report" for span in spans) else "stale-target"
    return _BY_REASON.get(ended.outcome.reason, "other-execution")
