"""Choosing two episodes: those that can be found, the like of the one chosen first before the others."""

from __future__ import annotations

from collections.abc import Sequence

from backend.usecases.reading import EpisodeSummary
from backend.web.builders import words
from backend.web.pages import figures
from backend.web.pages.chrome import Chrome
from backend.web.pages.compare import CandidateRow, ChoosePage
from backend.web.pages.environment import url
from backend.web.pages.parts import Empty, Link

_OUTCOMES = {"completed": "Complete", "budget": "Out of budget", "aborted": "Aborted", "failed": "Failed"}


def choose_page(
    chrome: Chrome,
    found: Sequence[EpisodeSummary],
    named: Sequence[EpisodeSummary],
    *,
    left: str,
    right: str,
    query: str,
) -> ChoosePage:
    """`named`: the episodes that are chosen by now, which may be in no list."""
    first = next((each for each in named if each.episode == left), None)
    begun = [each for each in found if each.seq > 0]
    rest = [each for each in begun if each.episode not in (left, right)]
    if first is not None:
        rest.sort(key=lambda each: -_likeness(each, first))
    rows = tuple([_row(each, first, left, right) for each in (*named, *rest)])
    return ChoosePage(
        chrome=chrome,
        left=left,
        right=right,
        query=query,
        rows=rows,
        shown=words.counted(len(rows), "episode"),
        empty=None if rows else _empty(query),
    )


def _likeness(each: EpisodeSummary, first: EpisodeSummary) -> int:
    """The same mission counts most, then the same seed of it."""
    return 2 * (each.mission == first.mission) + (each.mission == first.mission and each.seed == first.seed)


def _row(each: EpisodeSummary, first: EpisodeSummary | None, left: str, right: str) -> CandidateRow:
    facts = (each.memory.replace("_", " "), f"seed {each.seed}", f"planner {each.planner}")
    return CandidateRow(
        episode=each.episode,
        mission=each.title or each.mission,
        facts=", ".join(facts),
        outcome=_OUTCOMES.get(each.outcome or "", "Goes on" if each.outcome is None else "Ended"),
        note=_note(each, first),
        is_left=each.episode == left,
        is_right=each.episode == right,
    )


def _note(each: EpisodeSummary, first: EpisodeSummary | None) -> str:
    if first is None or each.episode == first.episode:
        return f"{figures.met(each.met_s)}, {words.counted(each.decisions, 'call')}"
    if each.mission != first.mission:
        return "another mission than A"
    return "mission and seed of A" if each.seed == first.seed else "mission of A, another seed"


def _empty(query: str) -> Empty:
    if query:
        way = Link(label="All episodes", href=url("compare", "choice"))
        return Empty(title=f"No episode is like “{query}”", text="Look for less.", way=way)
    return Empty(
        title="There is no episode to compare yet",
        text="Run a mission twice, or open two seeds of an evaluation.",
        way=Link(label="Evaluation", href=url("evaluation")),
    )
