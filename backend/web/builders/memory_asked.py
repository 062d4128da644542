"""How the memory tab is looked at, as it stands in the address: find, filter, sort, page; settings tried,
scores drawn, a correction being written. Anything unknown reads as nothing asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

from msgspec import Struct

from backend.domain.memory.corrections import Correction

LOOKING = ("find", "show", "sort", "start", "view", "chart")
TRYING = ("k", "decay_s", "threshold", "w_initial", "w_onboard", "w_operator", "w_aerial")
WRITING = (
    "do", "of", "x_m", "y_m", "confidence", "cls", "status", "station", "other", "name", "field", "lock",
    "reason",
)  # fmt: skip
FIELDS = (*LOOKING, *TRYING, *WRITING)
LONGEST = 2000

SHOWS = {
    "": "All records",
    "sent": "Sent to the planner",
    "left": "Left out",
    "disputed": "Disputed",
    "said": "Said by a person",
    "gone": "Terminal or lost",
}
SORTS = {
    "": "Score",
    "entity": "Name",
    "status": "Status",
    "source": "Source",
    "confidence": "Confidence",
    "age": "Newest",
    "distance": "Nearest",
}
VIEWS = {"try": "What if", "chart": "Scores", "corrections": "Corrections", "known": "Known now"}
REPLAYED = ("known",)
"""Views of an earlier moment alone, opened from its banner: a replay shows the tools that were live."""
DEEDS = tuple(str(kind.__struct_config__.tag) for kind in get_args(Correction))
CHARTED = 6


class Asked(Struct, frozen=True, kw_only=True):
    """`query`: all of it as asked, without what is empty. `record`: the one that is open."""

    query: Mapping[str, str] = {}
    record: str = ""
    find: str = ""
    show: str = ""
    sort: str = ""
    start: int = 0
    view: str = ""
    chart: tuple[str, ...] = ()
    do: str = ""

    def looking(self, **changed: str) -> dict[str, str]:
        """The query of the same view with something else in it; nothing of a correction goes along."""
        kept = {name: value for name, value in self.query.items() if name not in WRITING}
        return {name: value for name, value in {**kept, **changed}.items() if value}

    def writing(self, **changed: str) -> dict[str, str]:
        """The query that begins, or goes on with, a correction."""
        return {**self.looking(), **{name: value for name, value in changed.items() if value}}

    @property
    def is_flat(self) -> bool:
        """Whether the rows stand otherwise than above and below the line."""
        return bool(self.find or self.show or self.sort)


NOTHING = Asked()


def asked_of(query: Mapping[str, str], record: str = "") -> Asked:
    given = {name: value[:LONGEST] for name in FIELDS if (value := query.get(name, "").strip())}
    for name, known in (("show", SHOWS), ("sort", SORTS), ("view", VIEWS), ("do", DEEDS)):
        if given.get(name, "") not in known:
            given.pop(name, None)
    start = given.get("start", "0")
    return Asked(
        query=given,
        record=record,
        find=given.get("find", ""),
        show=given.get("show", ""),
        sort=given.get("sort", ""),
        start=int(start) if start.isdecimal() and len(start) < 7 else 0,
        view=given.get("view", ""),
        chart=tuple(dict.fromkeys(part for part in given.get("chart", "").split(",") if part))[:CHARTED],
        do=given.get("do", ""),
    )
