"""The parts of a sequence: moves and waits that run one after the other, each with an optional check.

LogLook, section 3.3. Text and meaning of a check lie in `execution.checks`; here it is a text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from msgspec import Struct

MOST_MOTIONS = 6
INNER = ("move", "wait")
"""Skills that a part of a sequence may be."""

Scalar = str | int | float


class Motion(Struct, frozen=True):
    """One part: a skill, its arguments, and what must hold right after it; `check` empty for no check."""

    skill: str
    arguments: Mapping[str, Scalar] = {}
    check: str = ""


def described(motion: Motion) -> str:
    check = f" [{motion.check}]" if motion.check else ""
    return f"{words(motion.skill, motion.arguments)}{check}"


def words(skill: str, arguments: Mapping[str, Scalar]) -> str:
    """What a move or wait was asked to do, nothing of it left open."""
    if skill == "wait" and "steps" in arguments:
        return f"wait {arguments['steps']} steps"
    place = [arguments.get(name) for name in ("x_m", "y_m", "z_m")]
    if skill != "move" or None in place:
        return " ".join([skill, *(f"{name}={_figure(value)}" for name, value in arguments.items())])
    parts = [f"move to ({', '.join(_figure(each) for each in place if each is not None)}) m"]
    for name, said in _SAID.items():
        if name in arguments:
            parts.append(said.format(_figure(arguments[name])))
    return ", ".join(parts)


_SAID = {
    "roll_rad": "roll {} rad",
    "pitch_rad": "pitch {} rad",
    "yaw_rad": "yaw {} rad",
    "gripper": "gripper {}",
    "start_step": "from step {}",
    "arrive_step": "arriving at step {}",
}


def _figure(value: Scalar) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


_PART = re.compile(r"(?P<skill>\w+)(?P<arguments>(\s+\w+\s*=\s*[^\s\[\]=;]+)*)\s*(\[(?P<check>[^\[\]]*)\])?")
_ARGUMENT = re.compile(r"(\w+)\s*=\s*([^\s\[\]=;]+)")


def written(motions: Sequence[Motion]) -> str:
    """As a person edits it, every digit kept: `move x_m=0.1 y_m=0 z_m=0 [height_m <= 0.05]; wait steps=5`."""
    return "; ".join(_written(motion) for motion in motions)


def _written(motion: Motion) -> str:
    arguments = [f"{name}={value}" for name, value in motion.arguments.items()]
    return " ".join([motion.skill, *arguments, *([f"[{motion.check}]"] if motion.check else [])])


def read(text: str) -> tuple[Motion, ...]:
    """The motions in a text such as `written` gives. Raises ValueError naming the part that is none."""
    motions = []
    for number, part in enumerate(filter(None, map(str.strip, text.split(";"))), start=1):
        found = _PART.fullmatch(part)
        if found is None:
            raise ValueError(
                f"Part {number}, {part[:60]!r}, cannot be read. Write it as"
                " move x_m=0.1 y_m=0 z_m=0.05 gripper=close [gripper_opening_m >= 0.02], or wait steps=10."
            )
        arguments = {name: _scalar(value) for name, value in _ARGUMENT.findall(found["arguments"])}
        motions.append(Motion(found["skill"], arguments, (found["check"] or "").strip()))
    return tuple(motions)


def _scalar(text: str) -> Scalar:
    """A whole number, a number, else the text itself."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
