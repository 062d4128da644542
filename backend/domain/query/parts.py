"""What blocks are made of: text that keeps its lines, pictures with it, sizes and digests.

Ids, reasons and messages are a robot's own texts: none of them can begin a line, and so pose as another fact
or another block.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

from backend.domain.digests import digest_of_text
from backend.domain.episode.state import State
from backend.domain.execution.frames import Frame
from backend.domain.plans.catalogue import Skill
from backend.domain.query.query import Block

CHARACTERS_PER_TOKEN = 4
IMAGE_TOKENS = {512: 255, 256: 85}
"""Size of one picture by its edge in pixels, where no provider has counted."""

_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
"""Whatever some reader takes for the end of a line, and other characters that nobody sees."""


def block_of(name: str, text: str, images: tuple[Frame, ...] = ()) -> Block:
    size = math.ceil(len(text) / CHARACTERS_PER_TOKEN)
    size += sum(IMAGE_TOKENS.get(max(image.width_px, image.height_px), IMAGE_TOKENS[512]) for image in images)
    content = digest_of_text("\n".join([text, *(image.sha256 for image in images)]))
    return Block(name=name, text=text, size=size, digest=content, images=images)


def signature(skill: Skill) -> str:
    arguments = ", ".join(f"{a.name}: {'|'.join(t.value for t in a.types)}" for a in skill.arguments)
    return f"{skill.name}({arguments})"


def frames_told(state: State) -> str:
    """Of each action since the last decision: how many frames follow, and how many were withheld."""
    if state.mission.memory.frames == "off":
        return ""
    return joined(
        f"Frames of action {each.action}, camera {each.watched.camera}: "
        f"{len(each.watched.frames) - each.watched.withheld} returned, {each.watched.withheld} withheld"
        f"{'' if each.watched.watch is not None else '; nothing was watched'}."
        for each in state.frames
    )


def returned(state: State) -> tuple[Frame, ...]:
    if state.mission.memory.frames == "off":
        return ()
    return tuple(frame for each in state.frames for frame in each.watched.frames if frame.returned)


def joined(lines: Iterable[str]) -> str:
    """One line each, whatever it is made of."""
    return "\n".join(_CONTROL.sub(" ", line) for line in lines)


def paragraphs(texts: Iterable[str]) -> str:
    """What people and planners write keeps its lines, all but the first indented."""
    return "\n".join(joined(text.splitlines()).replace("\n", "\n  ") for text in texts)
