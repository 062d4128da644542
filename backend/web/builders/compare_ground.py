"""What two episodes have in common, and what of them can and cannot be compared, in words."""

from __future__ import annotations

from backend.domain.comparing.facts import Course
from backend.domain.comparing.ground import Ground, Limit
from backend.web.builders import words
from backend.web.pages.parts import Empty, Notice

_LIMITS: dict[Limit, tuple[str, str]] = {
    "same_episode": ("A and B are the same episode.", "Choose another for one of them."),
    "other_world": (
        "They ran in different worlds.",
        "What is where in one means nothing in the other, so where they part is not looked for. Figures are.",
    ),
    "other_site": (
        "They ran on different maps.",
        "What is where in one means nothing in the other, so where they part is not looked for. Figures are.",
    ),
    "real_world": (
        "The world was a real one.",
        "The same never happens twice in it: questions, plans and steps are compared, reports are not.",
    ),
    "other_seed": (
        "Their seeds differ.",
        "Other things happened in them: questions, plans and steps are compared, reports are not.",
    ),
    "clocks": (
        "The world ran on while somebody decided.",
        "Times shift by fractions of a second, so the texts of questions are not compared word by word.",
    ),
    "goes_on": (
        "",
        "Figures are those so far, what is not there yet counts as a difference. Load anew for the newest.",
    ),
}


def lead(courses: tuple[Course, Course], ground: Ground) -> str:
    """What the two share, and how many settings do not."""
    one, other = (course.opened for course in courses)
    world, there = one.mission.world, other.mission.world
    if (world.name, world.scenario) != (there.name, there.scenario):
        return f"{one.mission.title} beside {other.mission.title}."
    seeds = f"seed {one.seed}" if one.seed == other.seed else f"seeds {one.seed} and {other.seed}"
    named = " ".join(part for part in (world.name, world.scenario.upper()) if part)
    apart = words.counted(len(ground.settings), "setting") if ground.settings else "No setting"
    verb = "differs" if len(ground.settings) <= 1 else "differ"
    return f"{named[:1].upper()}{named[1:]}, {seeds}. {apart} {verb}."


def notices(courses: tuple[Course, Course], ground: Ground) -> tuple[Notice, ...]:
    made = []
    for limit in ground.limits:
        title, text = _LIMITS[limit]
        if limit == "goes_on":
            title = _going(courses)
        is_grave = limit in ("other_world", "other_site", "same_episode")
        made.append(
            Notice(
                icon="warn" if is_grave else "eye",
                title=title,
                text=text,
                tone="caution" if is_grave else "quiet",
            )
        )
    return tuple(made)


def _going(courses: tuple[Course, Course]) -> str:
    letters = [letter for letter, course in zip("AB", courses, strict=True) if course.finished is None]
    return f"{' and '.join(letters)} {'has' if len(letters) == 1 else 'have'} not ended."


def unparted(ground: Ground) -> Empty:
    if not ground.aligns:
        return Empty(
            title="Not looked for",
            text="Two episodes can be held against each other event by event in one world on one map only.",
        )
    return Empty(
        title="They never part",
        text="Every question, plan, step and delivery is the same, and nobody did anything else.",
    )
