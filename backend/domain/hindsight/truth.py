"""Ground truth: where everything really was, as a simulator tells it afterwards. No planner ever reads it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from backend.domain.geometry import Pose

Condition = Literal["floor", "held", "delivered", "gone"]
"""Where a thing is: `gone` is said of what people found not to exist."""


class Fact(Struct, frozen=True, kw_only=True):
    """From mission time `from_s` on, until the next fact of the same entity."""

    from_s: float
    cls: str
    condition: Condition
    pose: Pose


class Handled(Struct, frozen=True, kw_only=True):
    """What was measured when a skill ended at `ended_s`: what the robot then held, and where it stood.

    `missed`: what it closed on, `started_s`, and did not find. `station`: where it was to set down.
    """

    started_s: float
    ended_s: float
    held: str | None
    pose: Pose | None
    missed: str = ""
    station: str = ""


class Truth(Struct, frozen=True, kw_only=True):
    """`facts`: by entity, in order of time; the entities named are all there are.

    `why_not`: why there is none, in words; then `facts` is empty.
    """

    facts: Mapping[str, tuple[Fact, ...]] = {}
    why_not: str = ""

    @property
    def is_known(self) -> bool:
        return not self.why_not
