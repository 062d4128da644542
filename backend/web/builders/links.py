"""How old each link is, in the status bar: fresh, stale from 3 s, lost when nothing is left that could
answer."""

from __future__ import annotations

from typing import Literal

from backend.web.builders.moment import Moment
from backend.web.pages import figures
from backend.web.pages.bar import LinkAge

SOURCES = {"source:aerial": "Drone"}
"""Sources that stand for a link of their own. What the map said at the start never comes again, what the
robot senses comes with the robot, and nobody waits for a person's word."""
NO_LINK = frozenset({"source:initial", "source:onboard", "source:operator", "source:truth"})
STALE_S = 3.0
LOST_S = 10.0


def link_ages(moment: Moment) -> tuple[LinkAge, ...]:
    """Server first, then robots, sources and the planner. A replay shows the server alone: the others were
    not recorded, and those of the present would lie about the past."""
    server = LinkAge(key="server", label="Server", text=figures.link_age(0), state="fresh", age_s=0.0)
    if not moment.is_live or moment.is_over:
        return (server,)
    ages = moment.now.ages_s
    robot = f"robot:{moment.state.robot.name}"
    others = sorted(key for key in {*ages, *_heard(moment)} if is_link(key) and key != robot)
    return (server, *(_link(key, ages.get(key), moment) for key in (robot, *others)), _planner(moment))


def _heard(moment: Moment) -> set[str]:
    """Sources that memory owes something to: they have a link, whether or not its age is known here yet."""
    return {f"source:{record.source.value}" for record in moment.state.memory.records.values()}


def is_link(key: str) -> bool:
    """Whether the age of `key` is worth showing beside the robot's."""
    return key.startswith(("robot:", "source:")) and key not in NO_LINK


def _planner(moment: Moment) -> LinkAge:
    """Whoever thinks is not silent: how long a call has been out is said by the phase."""
    text = "asked" if moment.state.request is not None else "idle"
    return LinkAge(key="planner", label="Planner", text=text, state="idle")


def _link(key: str, age_s: float | None, moment: Moment) -> LinkAge:
    label = SOURCES.get(key) or key.partition(":")[2].capitalize()
    if age_s is None and key.startswith("robot:") and not moment.now.runner_is_up:
        return LinkAge(key=key, label=label, text="no runner", state="down")
    if age_s is None:
        return LinkAge(key=key, label=label, text="idle" if key == "planner" else figures.NONE, state="idle")
    return LinkAge(key=key, label=label, text=figures.link_age(age_s), state=_state(key, age_s), age_s=age_s)


def _state(key: str, age_s: float) -> Literal["fresh", "stale", "down"]:
    if age_s < STALE_S:
        return "fresh"
    # A drone that is late is stale; a robot that is silent is lost, for somebody must go and look.
    return "down" if key.startswith("robot:") and age_s >= LOST_S else "stale"
