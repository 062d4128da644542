"""Events of a demonstration that is watched before the first plan: LogLook, section 3.5."""

from __future__ import annotations

from msgspec import Struct

from backend.domain.demonstration.film import Film
from backend.domain.demonstration.looks import Answer
from backend.domain.demonstration.viewing import View, Viewing
from backend.domain.plans.findings import Finding
from backend.domain.query.query import Block


class DemonstrationRecorded(Struct, frozen=True, kw_only=True, tag="demonstration.recorded"):
    """What was shown before the robot acts, stored whole before anything of it is shown to the planner."""

    film: Film
    viewing: Viewing


class DemonstrationShown(Struct, frozen=True, kw_only=True, tag="demonstration.shown"):
    """A call to the planner. `asked` counts the calls of this demonstration from 1, repairs too.

    Its exchanges are on record under decision 0 and attempt `asked`.
    """

    asked: int
    view: View
    blocks: tuple[Block, ...] = ()
    findings: tuple[Finding, ...] = ()


class DemonstrationAnswered(Struct, frozen=True, kw_only=True, tag="demonstration.answered"):
    """`viewing` is what the answer made of it: which frames are shown next, and what was not given."""

    asked: int
    answer: Answer
    viewing: Viewing


class DemonstrationRefused(Struct, frozen=True, kw_only=True, tag="demonstration.refused"):
    """An answer that could not be read, or none. A second one asks a person."""

    asked: int
    failure: str
    will_repair: bool = False
