"""One memory configuration: every component a switch,
both papers' methods and ablations points in one space."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from backend.domain.memory.record import Source


class Weights(Struct, frozen=True):
    """Source weights w[o] of the attention score (section IV-C)."""

    initial: float = 1.0
    onboard: float = 1.0
    operator: float = 1.0
    aerial: float = 0.8
    truth: float = 1.0

    def of(self, source: Source) -> float:
        return float(getattr(self, source))


Factor = Literal["weight", "confidence", "decay", "distance"]


class AttentionSettings(Struct, frozen=True):
    """Free parameters of retrieval and arbitration; defaults are those of section V-A.

    `off`: factors that count as 1 in the score, for ablations. Arbitration keeps its own.
    """

    k: int = 8
    decay_s: float = 18.0
    threshold: float = 0.55
    weights: Weights = Weights()
    off: tuple[Factor, ...] = ()


class MemoryConfiguration(Struct, frozen=True, kw_only=True):
    """What the planner may know: entities (ADM-Planner); log, notes, frames, demonstration (LogLook)."""

    name: str = "custom"
    entities: Literal["attention", "unfiltered", "static", "none", "oracle"] = "attention"
    log: Literal["full", "last_8", "off"] = "full"
    notes: Literal["history", "latest", "off"] = "history"
    frames: Literal["gated", "all", "off"] = "off"
    demonstration: Literal["skim_inspect", "stride", "off"] = "off"
    attention: AttentionSettings = AttentionSettings()


def _named() -> dict[str, MemoryConfiguration]:
    adm = {
        name: MemoryConfiguration(name=name, entities=name)
        for name in ("attention", "unfiltered", "static", "none", "oracle")
    }
    full = MemoryConfiguration(
        name="execution_grounded", entities="none", frames="gated", demonstration="skim_inspect"
    )
    note_only = MemoryConfiguration(
        name="note_only", entities="none", log="last_8", notes="latest", frames="all", demonstration="stride"
    )
    switched = {
        "no_log": replace(full, name="no_log", log=note_only.log),
        "no_notes": replace(full, name="no_notes", notes=note_only.notes),
        "no_gating": replace(full, name="no_gating", frames=note_only.frames),
        "no_inspect": replace(full, name="no_inspect", demonstration=note_only.demonstration),
    }
    return adm | {full.name: full, note_only.name: note_only} | switched


NAMED = _named()
"""The named points: the methods of ADM-Planner's Table I,
LogLook's memory, its baseline and its ablations."""
