"""The groups of the list of episodes under their headings: what needs a person, what somebody has seen, what
runs, what ended."""

from __future__ import annotations

from backend.web.pages.episodes import EpisodeGroup, EpisodeRow
from backend.web.pages.parts import Empty, Link


def groups_of(
    need: list[EpisodeRow],
    seen: list[EpisodeRow],
    run: list[EpisodeRow],
    ended: list[EpisodeRow],
    show: str,
    ended_total: int,
    may_start: bool,
) -> list[EpisodeGroup]:
    groups = []
    if show != "ended":
        groups.append(
            EpisodeGroup(
                name="need",
                title="Needs a person",
                note="What lapses within half a minute, then alarms, then what is asked longest"
                if need
                else "",
                what="What is asked",
                time="Waiting",
                rows=tuple(need),
                empty=None if need else Empty(title="Nobody is asked", text="No episode waits for a person."),
            )
        )
        if seen:
            groups.append(
                EpisodeGroup(
                    name="seen",
                    title="Acknowledged",
                    note="Seen by somebody, and not over",
                    what="What is asked",
                    time="Waiting",
                    rows=tuple(seen),
                )
            )
        groups.append(
            EpisodeGroup(
                name="run",
                title="Running",
                note="Nothing asked" if run else "",
                what="Doing now",
                time="MET",
                rows=tuple(run),
                empty=None
                if run
                else Empty(
                    title="Nothing runs by itself",
                    text="Start a mission to see it here." if may_start else "An operator can start one.",
                    way=Link(label="New episode", href="/episodes/new") if may_start else None,
                ),
            )
        )
    if ended or show == "ended":
        groups.append(
            EpisodeGroup(
                name="ended",
                title="Ended",
                note=f"Last {len(ended)} of {ended_total}" if ended else "",
                what="Outcome",
                time="Ended, UTC",
                rows=tuple(ended),
                empty=None
                if ended
                else Empty(title="None has ended", text="Nothing matches what you look for."),
            )
        )
    return groups
