"""Why there is this plan, to the field: what changed, by how much, who saw it when, and what that did to the
last one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from backend.domain.episode import events as e
from backend.domain.episode.state import State
from backend.domain.geometry import Pose
from backend.domain.memory.record import FIELD_NAME, Source
from backend.domain.plans import validity
from backend.domain.plans.plan import Plan
from backend.web.builders import words
from backend.web.builders.differences import difference_marks
from backend.web.builders.story import Story, Told
from backend.web.pages import figures
from backend.web.pages.parts import Phrase, entity, plain, strong, strong_figure
from backend.web.pages.plan import Cause


def cause_of(story: Story, state: State) -> Cause | None:
    """The cause of the plan that the card shows."""
    told = story.told
    if told is not None and told.plan.edits is not None:
        return _edited(told.plan, story.before)
    if told is None or told.asked is None or not isinstance(told.asked.recorded.event, e.PlanRequested):
        return None
    cause = told.asked.recorded.event.cause
    parts = [sentence for sentence in (_uses(cause, told.plan), _before(story.before)) if sentence]
    return Cause(why=why(cause, state), more=(plain(" ".join(parts)),) if parts else ())


def _edited(plan: Plan, before: Told | None) -> Cause:
    """Whose plan it is, and step by step what they made of the one before."""
    why = (strong(f"{plan.author}’s version"), plain(f" of plan {plan.edits}"))
    more = (plain(plan.rationale),) if plan.rationale else ()
    if before is None or before.plan.number != plan.edits:
        return Cause(why=why, more=more)
    done = len(before.outcomes)
    return Cause(why=why, more=more, changes=difference_marks(before.plan.steps[done:], plan.steps, done))


def lapse_of(told: Told, state: State) -> Cause | None:
    """Why a plan went before it was decided or run to its end."""
    event = told.end.recorded.event if told.end is not None else None
    if not isinstance(event, e.PlanInvalidated):
        return None
    lead = "Lapsed:" if told.lapse is not None and not told.ran else "Stopped:"
    return Cause(why=(strong(lead), plain(" "), *_what(event.cause, state)), more=(plain(_ran(told)),))


def why(cause: validity.Cause, state: State) -> Phrase:
    if cause.kind == "first":
        return (strong("First plan"), plain(" of the mission"))
    if cause.kind == "completed":
        return (strong("Next plan:"), plain(f" {cause.message[:1].lower()}{cause.message[1:]}"))
    return (strong("Replan:"), plain(" "), *_what(cause, state))


def in_short(cause: validity.Cause, state: State) -> str:
    """The same for a line of a list, without an age: it stays as it is until something happens."""
    if cause.kind in ("first", "completed"):
        return "First plan" if cause.kind == "first" else ""
    if cause.kind != "changed" or cause.entity is None or cause.field is None:
        return f"Replan: {_lowered(cause.message)}"
    if cause.old is None:
        return f"Replan: {cause.entity} became known or moved"
    change = "".join(part.text for part in _change(cause, state))
    return f"Replan: {FIELD_NAME[cause.field]} of {cause.entity}{change}"


def _what(cause: validity.Cause, state: State) -> Phrase:
    if cause.kind != "changed" or cause.entity is None or cause.field is None:
        return (plain(_lowered(cause.message)),)
    if cause.old is None:
        return (entity(cause.entity), plain(" became known or moved"), *_seen(cause, state))
    return (
        plain(f"{FIELD_NAME[cause.field]} of "),
        entity(cause.entity),
        *_change(cause, state),
        *_seen(cause, state),
    )


def moved_m(cause: validity.Cause, state: State) -> float | None:
    if isinstance(cause.old, Pose) and isinstance(cause.new, Pose):
        return state.site.metric.distance_m(cause.new, cause.old)
    return None


def _change(cause: validity.Cause, state: State) -> Phrase:
    distance_m = moved_m(cause, state)
    if distance_m is not None:
        return (plain(" changed "), strong_figure(f"{distance_m:.2f} m"))
    return (plain(f" changed from {cause.old} to "), strong(str(cause.new)))


def _seen(cause: validity.Cause, state: State) -> Phrase:
    """Who saw it and how long ago, while the record still rests on that source."""
    record = state.memory.records.get(cause.entity or "")
    if cause.source is None:
        return ()
    how = "said" if cause.source is Source.OPERATOR else "seen"
    by = plain(f", {how} by {words.SOURCE[cause.source]}")
    if record is None or record.source is not cause.source:
        return (by,)
    age = figures.age(state.met_s - record.stamp_s)
    return (by, plain(" "), strong_figure(age, met_s=record.stamp_s), plain(" ago"))


def _uses(cause: validity.Cause, plan: Plan) -> str:
    """Which steps of the new plan rest on what changed."""
    if cause.kind != "changed" or cause.field is None:
        return ""
    steps = sorted(
        {
            index + 1
            for need in plan.dependencies
            if need.entity == cause.entity and need.field is cause.field
            for index in range(need.first_step, need.last_step + 1)
        }
    )
    if not steps:
        return f"This plan does without {cause.entity}." if cause.entity is not None else ""
    noun, verb = ("Step", "uses") if len(steps) == 1 else ("Steps", "use")
    return f"{noun} {words.span(steps)} {verb} that {FIELD_NAME[cause.field]}."


def _before(told: Told | None) -> str:
    """What became of the plan before, as far as the cause does not say it."""
    if told is None or told.end is None:
        return ""
    event = told.end.recorded.event
    if isinstance(event, e.PlanCompleted):
        return ""
    if isinstance(told.decided.recorded.event if told.decided else None, e.ApprovalRejected):
        return _ran(told)
    if told.lapse is not None and told.decided is None:
        return f"Plan {told.plan.number} lapsed before anybody decided. {_ran(told)}"
    return f"Plan {told.plan.number}: {_lowered(_ran(told))}"


def _ran(told: Told) -> str:
    done = _sorted(told.outcomes)
    if not told.ran:
        return "Nothing of it ran."
    if len(done) < len(told.dispatched):
        return f"It was stopped during step {max(told.dispatched.values()) + 1}."
    return f"{words.counted(len(done), 'step')} of {len(told.plan.steps)} ran."


def _sorted(outcomes: Mapping[int, object]) -> Sequence[int]:
    return sorted(outcomes)


def _lowered(text: str) -> str:
    return text[:1].lower() + text[1:] if text[:2].istitle() and not text.startswith("Plan ") else text
