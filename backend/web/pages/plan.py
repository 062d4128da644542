"""The plan and approval card. It shows one state of one plan and offers the legal actions, no others."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from backend.web.pages.editor import Editor
from backend.web.pages.parts import FieldError, Mark, Notice, Phrase, Tone
from backend.web.pages.view import View

CardState = Literal[
    "none",  # nothing planned yet
    "planning",
    "awaiting",
    "approved",  # decided, its step not yet dispatched
    "executing",
    "done",
    "rejected",
    "superseded",
    "expired",
    "invalid",  # the planner failed twice or its plans were refused: asks a person
    "compose",  # the planner is a person
    "held",
    "doubt",  # a dispatch that no ledger remembers: asks a person
    "ended",
]


class Argument(Struct, frozen=True, kw_only=True):
    """`type` is the catalogue's (entity, station, cell, pose, …), shown on the name."""

    name: str
    value: str
    type: str


class Belief(Struct, frozen=True, kw_only=True):
    """The evidence a step rests on: `field` of `entity`, or a station (no field)."""

    entity: str
    field: str = ""
    is_record: bool = True


class StepRow(Struct, frozen=True, kw_only=True):
    """`progress`: what became of it so far.

    `covered`: within what is approved now (every skill: one step at a time). `plan`: its number, by which the
    step is explained.

    `age_met_s`: the belief's stamp, so that its age ticks; None where it does not age.
    """

    number: str
    skill: str
    arguments: tuple[Argument, ...]
    evidence: Belief | None
    source: str
    age: str
    age_met_s: float | None
    confidence: str
    confidence_share: float | None
    is_low: bool
    check: Mark
    changed: bool = False
    covered: bool = True
    progress: Literal["", "next", "running", "done", "failed", "not_executed"] = ""
    watch: str = ""
    plan: int | None = None


class Countdown(Struct, frozen=True, kw_only=True):
    """`ends_ms`: UTC epoch milliseconds; `total_s` is what the full bar stands for."""

    text: str
    spoken: str
    share: float
    ends_ms: int
    total_s: float


class Cause(Struct, frozen=True, kw_only=True):
    """Why there is this plan, to the field, and what that does to the one before.
    `changes`: what a person made of that one, a line a step."""

    why: Phrase
    more: Phrase = ()
    changes: tuple[Mark, ...] = ()


class Decision(Struct, frozen=True, kw_only=True):
    """The approval asked for, and the two digests the forms post: they name exactly what was shown.

    `may_decide` False: `pins` says why, and the controls are drawn disabled (replay) or left out (no conn).
    """

    approval: str
    plan_digest: str
    pins_digest: str
    pins: Phrase
    may_decide: bool
    drawn: bool = True
    hint: str = "Guidance for the planner, sent if you reject"
    reason: str = ""
    errors: tuple[FieldError, ...] = ()
    may_edit: bool = False


class Releasing(Struct, frozen=True, kw_only=True):
    """Two steps: say that the area is clear, then release. `may_release` needs the conn, else `why_not`.
    `shown`: the digest of the stops that are to be released, all of those in force.

    `checks`: plan and memory looked at again, as they are now.
    """

    shown: str
    cleared: bool
    may_release: bool
    remaining: Phrase
    checks: tuple[Mark, ...] = ()
    why_not: str = ""


class Asking(Struct, frozen=True, kw_only=True):
    """Ask the planner for a plan again, with guidance if there is any. `label` names what the button does."""

    label: str
    may_ask: bool
    why_not: str = ""
    hint: str = "Guidance for the planner, if you have any"
    text: str = ""
    errors: tuple[FieldError, ...] = ()


class Doubt(Struct, frozen=True, kw_only=True):
    """The bridge cannot say whether `step` ran. A person looks and says."""

    dispatch: str
    step: str
    may_say: bool
    account: str = ""
    errors: tuple[FieldError, ...] = ()


class PlanCard(View, frozen=True, kw_only=True):
    """`notice`: the answer to an action that came too late or was refused.

    `findings`: what the validator holds against the proposal. `verdict`: how it was decided. Of `decision`,
    `releasing`, `asking` and `doubt` at most one, and none beside `editor`: while a person edits, nothing is
    approved. `policy`: who is asked, as the link to it says. `by_hand`: a person may plan now, if they like.
    """

    template = "episode/_plan.html"
    variable = "plan"

    episode: str
    at: int | None
    state: CardState
    tone: Tone
    title: str
    digest: str = ""
    note: Phrase = ()
    countdown: Countdown | None = None
    notice: Notice | None = None
    cause: Cause | None = None
    steps: tuple[StepRow, ...] = ()
    steps_caption: str = ""
    risks_title: str = ""
    risks: tuple[Mark, ...] = ()
    findings: tuple[Mark, ...] = ()
    verdict: Mark | None = None
    decision: Decision | None = None
    releasing: Releasing | None = None
    asking: Asking | None = None
    editor: Editor | None = None
    policy: str = ""
    by_hand: bool = False
    doubt: Doubt | None = None
