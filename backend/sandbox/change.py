"""What is otherwise in a what-if. What is left out is as it was."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from backend.domain.memory.configuration import NAMED, AttentionSettings, MemoryConfiguration
from backend.domain.memory.corrections import Correction
from backend.domain.refusal import Refusal

MOST_CALLS = 50
"""Calls of one batch: what a page can show, and a person can read."""

NEWEST = 2**31 - 1
"""Asked at: the newest call there is, whichever event that is."""

LONGEST = 8000
"""Characters of a prompt or of instructions."""


class Change(Struct, frozen=True, kw_only=True):
    """`weights`: of those sources alone. `memory`: a named configuration; its attention is the episode's
    unless that is changed too.

    `correction`: a record as it should have been. `planner`, `model`: who is asked; `prompt`: what a model is
    told before everything, `instructions`: the standing ones, None where they stay.
    """

    k: int | None = None
    decay_s: float | None = None
    threshold: float | None = None
    weights: Mapping[str, float] = {}
    memory: str = ""
    correction: Correction | None = None
    planner: str = ""
    model: str = ""
    prompt: str = ""
    instructions: str | None = None


class Asked(Struct, frozen=True, kw_only=True):
    """A what-if: from the call that `at` (a seq) is in or after, `calls` calls in a row. `here`: the first of
    them not as it was asked, but at `at`, as things stood then. `run_on`: and the first of them played on in
    its simulated world, to the end.
    """

    at: int
    calls: int = 1
    change: Change = Change()
    run_on: bool = False
    here: bool = False


def configured(usual: MemoryConfiguration, change: Change) -> MemoryConfiguration | Refusal:
    """The memory configuration under the change."""
    if change.memory and change.memory not in NAMED:
        known = ", ".join(NAMED)
        return Refusal("memory", f"There is no memory {change.memory[:40]!r}.", f"Choose one of {known}.")
    named = NAMED[change.memory] if change.memory else usual
    if named.entities == "oracle" and usual.entities != "oracle":
        return Refusal(
            "memory",
            "Oracle memory reads the truth of the world, and this episode was told none.",
            "Choose another memory.",
        )
    attention = _attention(usual.attention, change)
    if named is usual and attention == usual.attention:
        return usual
    name = f"{named.name}, changed" if attention != usual.attention else named.name
    return replace(named, name=name, attention=attention)


def _attention(usual: AttentionSettings, change: Change) -> AttentionSettings:
    return replace(
        usual,
        k=usual.k if change.k is None else change.k,
        decay_s=usual.decay_s if change.decay_s is None else change.decay_s,
        threshold=usual.threshold if change.threshold is None else change.threshold,
        weights=replace(usual.weights, **change.weights) if change.weights else usual.weights,
    )


def in_words(change: Change) -> str:
    """What is otherwise, in one line."""
    return ", ".join(_told(change)) or "nothing changed"


def _told(change: Change) -> Iterator[str]:
    if change.k is not None:
        yield f"K {change.k}"
    if change.decay_s is not None:
        yield f"decay {change.decay_s:g} s"
    if change.threshold is not None:
        yield f"threshold {change.threshold:g}"
    for source, weight in change.weights.items():
        yield f"weight of {_SOURCES[source]} {weight:g}"
    if change.memory:
        yield f"memory {change.memory}"
    if change.correction is not None:
        entity = getattr(change.correction, "entity", "") or "a record"
        yield f"{entity}: {_DONE.get(type(change.correction).__name__, 'edited')}"
    if change.planner:
        yield f"planner {change.planner}"
    if change.model:
        yield f"model {change.model}"
    if change.prompt:
        yield "another prompt"
    if change.instructions is not None:
        yield "other instructions"


_SOURCES = {"initial": "the map", "onboard": "onboard", "operator": "operators", "aerial": "the drone"}
_DONE = {
    "Move": "moved",
    "Reclass": "of another class",
    "SetStatus": "of another status",
    "Remove": "removed",
    "Add": "added",
}
