"""What a planner is told of a task beforehand: its meaning, when a step counts, how an executor is spoken to.

LogLook, section 4.1 (task notes) and Table 6: the whole note, the note without its completion criteria, none.
A note holds nothing of an episode, and is the same for every memory that is compared.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

Level = Literal["full", "no_criteria", "none"]
Executor = Literal["direct", "delegate"]

MEANING, CRITERIA, DELEGATE = "Meaning", "Criteria", "Delegate"
_HEADING = re.compile(r"^## (?P<name>.+)$", re.MULTILINE)


def sections(text: str) -> Mapping[str, str]:
    """A note's parts by their headings, as the file has them; what stands before the first is passed over."""
    found = [*_HEADING.finditer(text)]
    ends = [*(each.start() for each in found[1:]), len(text)]
    return {
        each["name"].strip(): text[each.end() : end].strip() for each, end in zip(found, ends, strict=False)
    }


def told(text: str, level: Level, executor: Executor) -> str:
    """The note as a planner reads it; empty where it is told nothing."""
    if level == "none":
        return ""
    wanted = [MEANING]
    if level == "full":
        wanted.append(CRITERIA)
    if executor == "delegate":
        wanted.append(DELEGATE)
    parts = sections(text)
    return "\n".join(parts[name] for name in wanted if parts.get(name))
