"""The rules by which ended episodes go, and what keeps one whatever the rules say."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from backend.domain.digests import digest_of_text
from backend.domain.refusal import Refusal

LONGEST_DAYS = 36_500


class Rules(Struct, frozen=True, kw_only=True):
    """`keep_days`: what was written to since stays. `keep_failed`: what did not complete stays.
    `keep_annotated`: what people wrote beside stays. `keep_tags`: any of these tags keeps."""

    keep_days: float
    keep_failed: bool = True
    keep_annotated: bool = True
    keep_tags: tuple[str, ...] = ()


class Candidate(Struct, frozen=True, kw_only=True):
    """An episode as the rules look at it. `outcome` empty: it has not ended. `is_held`: a runner's lease has
    not run out. `is_measured`: an evaluation rests on it. `age_days`: since it was last written to.

    `bytes`: of its journal and telemetry in the database, pictures apart; `pictures`: by their hash.
    """

    episode: str
    title: str
    mission: str
    seq: int
    outcome: str
    is_held: bool
    is_measured: bool
    age_days: float
    annotations: int = 0
    tags: tuple[str, ...] = ()
    bytes: int = 0
    pictures: frozenset[str] = frozenset()


class Ruling(Struct, frozen=True, kw_only=True):
    candidate: Candidate
    goes: bool
    reason: str


def refuse_rules(rules: Rules) -> Refusal | None:
    if not 1 <= rules.keep_days <= LONGEST_DAYS:
        return Refusal(
            "keep_days", "Episodes are kept for a day at least.", f"Write 1 to {LONGEST_DAYS:,} days."
        )
    return None


def ruling_of(rules: Rules, candidate: Candidate) -> Ruling:
    kept = why_kept(candidate) or _kept_by(rules, candidate)
    days = f"last written to {candidate.age_days:.0f} days ago"
    return Ruling(candidate=candidate, goes=not kept, reason=kept or days)


def why_kept(candidate: Candidate) -> str:
    """What no rule overrides, empty where nothing does."""
    if candidate.is_held:
        return "is running"
    if not candidate.outcome:
        return "has not ended"
    if candidate.is_measured:
        return "an evaluation rests on it"
    return ""


def _kept_by(rules: Rules, candidate: Candidate) -> str:
    if candidate.age_days < rules.keep_days:
        return f"younger than {rules.keep_days:g} days"
    if rules.keep_failed and candidate.outcome != "completed":
        return f"did not complete: {candidate.outcome}"
    if rules.keep_annotated and candidate.annotations:
        return f"annotated, {candidate.annotations} times" if candidate.annotations > 1 else "annotated"
    tags = [tag for tag in rules.keep_tags if tag in candidate.tags]
    return f"tagged {tags[0]}" if tags else ""


def digest_of(rulings: Sequence[Ruling]) -> str:
    """Of exactly what would go: each episode and how far its journal goes."""
    going = sorted((each.candidate.episode, each.candidate.seq) for each in rulings if each.goes)
    return digest_of_text("\n".join(f"{episode} {seq}" for episode, seq in going))
