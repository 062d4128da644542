"""What two episodes have in common, and so what of them can be compared."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import msgspec
from msgspec import Struct

from backend.domain.comparing.facts import Course

Limit = Literal["same_episode", "other_world", "other_site", "other_seed", "real_world", "clocks", "goes_on"]
"""Why not all can be compared: `same_episode`: both are one. `other_world`, `other_site`: what is where means
nothing in the other. `other_seed`, `real_world`: other things happened, so reports are not the same ones.
`clocks`: a world that runs is never exactly on time. `goes_on`: one has not ended."""

LONGEST = 60
"""Characters of a value that are told."""


class Setting(Struct, frozen=True):
    """What was set differently, by its dotted name."""

    name: str
    left: str
    right: str


class Ground(Struct, frozen=True, kw_only=True):
    """`aligns`: where they part can be looked for. `same_reports`: the same happened in both, so that one
    report can be held against another. `exact`: the same moment has the same text in both. `same_things`: a
    name is one thing in both, so that beliefs about it can be held against each other."""

    settings: tuple[Setting, ...]
    limits: tuple[Limit, ...]
    aligns: bool
    same_reports: bool
    exact: bool
    same_things: bool


def ground_of(left: Course, right: Course, *, is_one: bool = False) -> Ground:
    """`is_one`: both are the same episode."""
    one, two = left.opened, right.opened
    world, other = one.mission.world, two.mission.world
    limits: list[Limit] = []
    if is_one:
        limits.append("same_episode")
    elif (world.name, world.scenario) != (other.name, other.scenario):
        limits.append("other_world")
    elif (one.site.map, one.site.stations) != (two.site.map, two.site.stations):
        limits.append("other_site")
    elif world.name == "ros":
        limits.append("real_world")
    elif one.seed != two.seed:
        limits.append("other_seed")
    elif "runs" in (world.clock, other.clock):
        limits.append("clocks")
    if left.finished is None or right.finished is None:
        limits.append("goes_on")
    aligns = not {"other_world", "other_site"} & {*limits}
    same_reports = aligns and not {"real_world", "other_seed"} & {*limits}
    return Ground(
        settings=tuple(_settings(left, right)),
        limits=tuple(limits),
        aligns=aligns,
        same_reports=same_reports,
        exact=same_reports and "clocks" not in limits,
        same_things=aligns and "other_seed" not in limits,
    )


def _settings(left: Course, right: Course) -> Iterator[Setting]:
    """Everything that the episodes rest on and that differs; maps and catalogues as one."""
    ours, theirs = _rests_on(left), _rests_on(right)
    for name in dict.fromkeys([*ours, *theirs]):
        if ours.get(name) != theirs.get(name):
            yield Setting(name, _told(ours.get(name)), _told(theirs.get(name)))


def _rests_on(course: Course) -> dict[str, Any]:
    opened = course.opened
    mission = msgspec.to_builtins(opened.mission)
    for known in ("title", "site"):
        mission.pop(known)
    flat = {
        "seed": opened.seed,
        "planner": opened.planner,
        "robot": opened.robot,
        "code version": opened.code_version,
        "site": f"{opened.site.name} version {opened.site.version}",
        **dict(_flat(mission, "")),
    }
    maps = {"map": opened.site.map, "stations": opened.site.stations, "rules": opened.site.rules}
    return {
        **flat,
        **{name: msgspec.json.encode(value).decode() for name, value in maps.items()},
        "skills": msgspec.json.encode(opened.catalogue).decode(),
    }


def _flat(value: Any, name: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _flat(inner, f"{name}.{key}" if name else str(key))
    else:
        yield name, value


def _told(value: Any) -> str:
    if value is None or value == "" or value in ([], ()):
        return "none"
    text = f"{value:g}" if isinstance(value, float) else str(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
