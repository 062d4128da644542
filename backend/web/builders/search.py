"""What was found, episode by episode, each moment with the tab of the console that shows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from backend.domain.refusal import Refusal
from backend.domain.search.excerpt import excerpt
from backend.domain.search.query import EPISODE, MOMENT, Query
from backend.web.pages import figures
from backend.web.pages.chrome import Chrome
from backend.web.pages.environment import url
from backend.web.pages.evidence import TabName
from backend.web.pages.parts import Empty, FieldError, Icon, Link, plain, strong
from backend.web.pages.search import FoundEpisode, FoundMoment, SearchField, SearchPage
from backend.web.searching import PAGE, Answer, Found

_SHOWN: Mapping[str, tuple[str, Icon, TabName]] = {
    "episode": ("Episode", "run", "audit"),
    "ending": ("Ending", "done", "audit"),
    "record": ("Record", "observed", "memory"),
    "correction": ("Correction", "person", "audit"),
    "context": ("Context", "eye", "context"),
    "exchange": ("Answer", "ask", "exchange"),
    "note": ("Note", "copy", "log"),
    "plan": ("Plan", "plan", "exchange"),
    "replan": ("Replan", "replan", "context"),
    "step": ("Step", "grasped", "log"),
    "approval": ("Approval", "approve", "audit"),
    "stop": ("Stop", "held", "audit"),
    "guidance": ("Guidance", "person", "audit"),
    "annotation": ("Annotation", "note", "annotations"),
}
"""By kind of moment: its word, its shape, the tab that it stands in."""
EXAMPLES = ("outcome:aborted", "skill:grasp failed", "in:annotation", "tag:stale-target", '"not executed"')


def search_page(chrome: Chrome, q: str, answer: Answer | Refusal, start: int) -> SearchPage:
    examples = tuple(Link(label=each, href=url("search", q=each)) for each in EXAMPLES)
    fields = tuple(SearchField(name=name, meaning=told) for name, told in {**MOMENT, **EPISODE}.items())
    if isinstance(answer, Refusal):
        error = FieldError(field="q", message=answer.message, remedy=answer.remedy)
        return SearchPage(chrome=chrome, q=q, note="", errors=(error,), examples=examples, fields=fields)
    return SearchPage(
        chrome=chrome,
        q=q,
        note=_note(answer, start),
        groups=_groups(answer.found, answer.query),
        earlier=_page("Moments before", q, max(0, start - PAGE)) if start else None,
        later=_page("More moments", q, start + PAGE) if answer.is_more else None,
        examples=examples,
        fields=fields,
        empty=_empty(answer, start),
    )


def place_of(found: Found) -> str:
    """Where the console shows the moment."""
    tab = _SHOWN[found.kind][2]
    return url("episodes", found.episode, tab=tab if tab != "memory" else None, at=found.seq)


def _groups(found: Sequence[Found], query: Query) -> tuple[FoundEpisode, ...]:
    return tuple(_group(list(moments), query) for _, moments in groupby(found, lambda each: each.episode))


def _group(moments: Sequence[Found], query: Query) -> FoundEpisode:
    first = moments[0]
    outcome = first.outcome or "running"
    when = f"{first.ordered_utc[:10]} {first.ordered_utc[11:16]} UTC"
    return FoundEpisode(
        episode=Link(label=first.episode, href=url("episodes", first.episode)),
        title=first.title,
        facts=f"{first.mission}, planner {first.planner}, {outcome}, ordered by {first.ordered_by} {when}",
        moments=tuple(_moment(each, query) for each in moments),
    )


def _moment(found: Found, query: Query) -> FoundMoment:
    kind, icon, _ = _SHOWN[found.kind]
    return FoundMoment(
        moment=Link(label=figures.met(found.met_s), href=place_of(found)),
        icon=icon,
        kind=kind,
        author=found.author,
        text=tuple(
            strong(piece.text) if piece.is_found else plain(piece.text)
            for piece in excerpt(found.text, query)
        ),
    )


def _note(answer: Answer, start: int) -> str:
    count = len(answer.found)
    told = []
    if count:
        more = ", and there are more" if answer.is_more else ""
        is_all = not start and not answer.is_more
        whole = "1 moment." if count == 1 else f"{count:,} moments."
        told.append(whole if is_all else f"Moments {start + 1:,} to {start + count:,}{more}.")
    if answer.behind:
        episodes = "1 episode is" if answer.behind == 1 else f"{answer.behind:,} episodes are"
        told.append(f"{episodes} not wholly indexed yet; search again in a moment.")
    return " ".join(told)


def _empty(answer: Answer, start: int) -> Empty | None:
    if answer.found:
        return None
    if answer.query.is_empty:
        return Empty(
            title="Ask for words, phrases or fields",
            text="Notes, plans, answers, steps, people’s words and annotations are searched.",
        )
    return Empty(
        title="Nothing more" if start else "Nothing found",
        text="All of it must hold of one moment: ask for fewer words, or for a beginning such as gras*.",
    )


def _page(label: str, q: str, start: int) -> Link:
    return Link(label=label, href=url("search", q=q, start=start or None))
