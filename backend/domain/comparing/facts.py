"""What of an episode can be held against another's: each fact with its place in the journal."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from backend.domain.episode.events import EpisodeOpened
from backend.domain.execution.outcome import Outcome
from backend.domain.memory.evidence import Evidence, Verdict
from backend.domain.memory.record import FieldChange
from backend.domain.plans.plan import Step
from backend.domain.plans.validity import Cause


class Fact(Struct, frozen=True, kw_only=True):
    """`seq` and `met_s`: the event that says so."""

    seq: int
    met_s: float


class Heard(Fact, frozen=True, kw_only=True):
    """A piece of evidence and what the memory made of it. `entity`: the record it was about."""

    entity: str
    evidence: Evidence
    verdict: Verdict
    reason: str
    changes: tuple[FieldChange, ...]


class Asked(Fact, frozen=True, kw_only=True):
    """A question to the planner, its first attempt. `exposed`: the records shown, in order; `count`: how many
    lines they are. `units`: the paper's proxy 48 + 18 n (section V-A). `blocks`: name -> digest of the text.
    """

    decision: int
    cause: Cause
    exposed: tuple[str, ...]
    count: int
    units: int
    blocks: Mapping[str, str]


class Planned(Fact, frozen=True, kw_only=True):
    number: int
    author: str
    steps: tuple[Step, ...]


class Did(Fact, frozen=True, kw_only=True):
    """An executed skill and what was measured. `step` None: the journal does not say which was in flight."""

    step: Step | None
    outcome: Outcome


class Brought(Fact, frozen=True, kw_only=True):
    """Something delivered."""

    entity: str
    station: str


class Acted(Fact, frozen=True, kw_only=True):
    """What a person did. `kind`: the event's; `by`: their name; `text`: their words, or empty."""

    kind: str
    by: str
    text: str = ""


class Finished(Fact, frozen=True, kw_only=True):
    outcome: str
    message: str
    delivered: int


class Course(Struct, frozen=True, kw_only=True):
    """An episode up to event `head`, in facts. `mets_s`: the mission time of each event, by seq - 1.

    `stops_by_step`, `stops_by_delivery`: where it stands after so many of them, as the last seq before the
    next step is sent; element 0 is before the first. The last step's is the head.
    """

    opened: EpisodeOpened
    mets_s: tuple[float, ...]
    stops_by_step: tuple[int, ...]
    stops_by_delivery: tuple[int, ...]
    heard: tuple[Heard, ...]
    asked: tuple[Asked, ...]
    planned: tuple[Planned, ...]
    did: tuple[Did, ...]
    brought: tuple[Brought, ...]
    acted: tuple[Acted, ...]
    finished: Finished | None

    @property
    def head(self) -> int:
        return len(self.mets_s)

    @property
    def end_s(self) -> float:
        return self.mets_s[-1]
