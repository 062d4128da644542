"""Which of its states the plan card is in, and what it says there. The legal actions are in `decide`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from backend.domain.command.approval import Approval, ApprovalStatus
from backend.domain.episode import events as e
from backend.domain.episode.state import State
from backend.domain.mission.completion import correctly_delivered
from backend.usecases.reading import Entry
from backend.web.builders import decide, words
from backend.web.builders.asked_risks import asked_risks
from backend.web.builders.causes import cause_of, lapse_of, why
from backend.web.builders.editor import Draft, editor_of
from backend.web.builders.holding import holding
from backend.web.builders.moment import Moment, waits_for_approval
from backend.web.builders.phase import ending_of, held_title, utc_ms
from backend.web.builders.steps import step_rows, window_of
from backend.web.builders.story import Story, story_of
from backend.web.pages import figures
from backend.web.pages.parts import FieldError, Link, Mark, Notice, Phrase, Tone, figure, plain, strong
from backend.web.pages.plan import CardState, Cause, Countdown, PlanCard


class Typed(Struct, frozen=True, kw_only=True):
    """What a refused form said, to be kept, with what is wrong with it; and whether the area was said to be
    clear. `editing`: the plan is open for editing, as `draft` says once something was posted."""

    text: str = ""
    errors: tuple[FieldError, ...] = ()
    cleared: str = ""
    editing: bool = False
    draft: Draft | None = None


NOTHING = Typed()


def plan_card(
    moment: Moment, entries: Sequence[Entry], *, notice: Notice | None = None, typed: Typed = NOTHING
) -> PlanCard:
    """`entries`: of `story.KINDS`, from the request for the plan before the last one up to the cursor."""
    state, story = moment.state, story_of(entries)
    kind = card_state(state, story)
    shows_plan = kind not in ("none", "invalid", "compose", "ended") and story.told is not None
    if kind == "planning":
        shows_plan = False
    edits = is_edited(kind, moment, typed)
    shows_plan = shows_plan and not edits
    approval = state.approval if shows_plan and _is_of(state.approval, story) else None
    steps = step_rows(state, story, approval) if shows_plan else ()
    number = story.told.plan.number if story.told is not None else 0
    return PlanCard(
        episode=moment.episode,
        at=moment.at,
        state=kind,
        tone=_tone(kind, state) if moment.is_live else "quiet",
        title=_title(kind, moment, story) if not edits or kind != "awaiting" else f"You edit plan {number}",
        digest=figures.digest(story.told.plan.digest) if shows_plan and story.told is not None else "",
        note=_note(kind, moment, story),
        countdown=_countdown(moment) if kind == "awaiting" else None,
        notice=notice or _ended_notice(kind, moment),
        cause=_cause(kind, moment, story) if shows_plan else _asked(kind, moment),
        steps=steps,
        steps_caption=f"Steps of plan {number} with the evidence and the check for each" if steps else "",
        risks_title=("Why policy asks" if moment.is_live else "Why policy asked")
        if kind == "awaiting"
        else "",
        risks=asked_risks(state, story.told) if kind == "awaiting" and not edits else (),
        findings=_findings(story) if kind == "invalid" else (),
        verdict=_verdict(kind, moment, story),
        policy=_POLICIES[state.policy.mode] if state.ending is None else "",
        by_hand=not edits and may_plan_by_hand(moment),
        **_offered(kind, moment, story, notice, typed, edits),
    )


def is_edited(kind: CardState, moment: Moment, typed: Typed) -> bool:
    """Whether the card is an editor now. While a person edits, nothing else is decided on their card."""
    if not moment.is_live or moment.is_over or kind == "doubt":
        return False
    return typed.editing or typed.draft is not None or (kind == "compose" and moment.may_command)


def may_plan_by_hand(moment: Moment) -> bool:
    """A plan is asked for, or nobody decided in time; and whoever looks may command."""
    state = moment.state
    expired = state.approval is not None and state.approval.status is ApprovalStatus.EXPIRED
    wanted = state.request is not None or bool(state.asks_person) or (expired and state.plan is not None)
    free = state.dispatch is None and not state.stops
    return wanted and free and moment.may_command and moment.is_live and not moment.is_over


def _offered(
    kind: CardState, moment: Moment, story: Story, notice: Notice | None, typed: Typed, edits: bool
) -> dict[str, Any]:
    if edits:
        return {"editor": editor_of(moment, typed.draft)}
    return decide.actions(kind, moment, story, typed.text, typed.errors, typed.cleared)


_POLICIES = {
    "every_plan": "Asks before every plan",
    "every_skill": "Asks before every step",
    "on_risk": "Asks on risk",
    "auto": "Asks nobody",
}


def card_state(state: State, story: Story) -> CardState:
    if state.ending is not None:
        return "ended"
    if state.dispatch is not None and state.dispatch.in_doubt:
        return "doubt"
    if state.stops:
        return "held"
    if state.plan is not None:
        return _standing(state)
    if state.asks_person:
        return "invalid"
    if state.request is not None and state.planner == "operator":
        return "compose"
    return _gone(state, story)


def _standing(state: State) -> CardState:
    if state.dispatch is not None:
        return "executing"
    if waits_for_approval(state):
        return "awaiting"
    status = state.approval.status if state.approval is not None else None
    if status is ApprovalStatus.EXPIRED:
        return "expired"
    if status is ApprovalStatus.APPROVED:
        return "executing" if state.cursor else "approved"
    return "approved" if status is not None else "planning"


def _gone(state: State, story: Story) -> CardState:
    told = story.told
    if told is None or told.end is None:
        return "none" if state.request is None else "planning"
    if isinstance(told.end.recorded.event, e.PlanCompleted):
        return "done"
    if told.decided is not None and isinstance(told.decided.recorded.event, e.ApprovalRejected):
        return "rejected"
    return "superseded"


def _tone(kind: CardState, state: State) -> Tone:
    if kind in ("awaiting", "compose", "invalid"):
        return "ask"
    if kind in ("held", "doubt"):
        return "pending" if kind == "held" and any(not stop.confirmed for stop in state.stops) else "alarm"
    if kind == "expired":
        return "caution"
    return "pending" if kind == "superseded" else "quiet"


def _title(kind: CardState, moment: Moment, story: Story) -> str:
    state = moment.state
    number = story.told.plan.number if story.told is not None else state.plans
    if kind == "superseded":
        undecided = story.told is not None and story.told.decided is None
        return (
            f"Plan {number} lapsed before you decided" if undecided else f"Plan {number} is no longer valid"
        )
    if kind == "awaiting":
        if not moment.is_live:
            return f"Plan {number} awaited approval"
        if state.policy.mode == "every_skill":
            return f"Step {state.cursor + 1} of plan {number} needs your approval"
    if kind == "doubt" and state.dispatch is not None:
        return f"Step {state.dispatch.index + 1} is in doubt"
    if kind == "held":
        return held_title(state) if all(stop.confirmed for stop in state.stops) else "Stopping the robot"
    return {
        "none": "No plan yet",
        "planning": f"Plan {state.plans + 1} is being made",
        "awaiting": f"Plan {number} needs your approval",
        "approved": f"Plan {number}, approved",
        "executing": f"Plan {number}, executing",
        "done": f"Plan {number}, done",
        "rejected": f"Plan {number}, rejected",
        "expired": f"Plan {number} expired",
        "invalid": "The planner has no valid plan",
        "compose": f"Plan {state.plans + 1} is yours to write",
        "ended": ending_of(state)[1],
    }.get(kind, "Plan")


def _note(kind: CardState, moment: Moment, story: Story) -> Phrase:
    state = moment.state
    if kind == "held":
        return _stop_note(moment, story)
    if kind == "doubt":
        return (plain(state.asks_person),)
    if kind == "invalid":
        return (plain("Nothing runs until you decide"),) if story.refused else (plain(state.asks_person),)
    if kind == "expired":
        wait_s = state.mission.approval_expires_s
        return (plain(f"Nobody decided within {wait_s:g} s. Nothing ran." if wait_s else "Nothing ran."),)
    if kind == "none":
        return (plain("The runner is starting" if state.seq < 3 else "One is asked for next"),)
    if kind == "ended":
        return (plain(_delivered(state)),)
    if kind in ("planning", "superseded", "done", "rejected"):
        return _call(moment, story)
    return _position(state, story)


def _position(state: State, story: Story) -> Phrase:
    if story.told is None:
        return ()
    count, window = len(story.told.plan.steps), window_of(state, story.told.plan)
    shown = f"steps {window.first + 1} to {window.end} shown" if window.end - window.first < count else ""
    now = (
        f"Step {min(state.cursor + 1, count)} of {count}"
        if state.cursor or state.dispatch is not None
        else ""
    )
    text = ", ".join(part for part in (now, shown) if part)
    return (plain(text[0].upper() + text[1:]),) if text else ()


def _stop_note(moment: Moment, story: Story) -> Phrase:
    stop = moment.state.stops[0]
    reason = f"“{stop.reason}” " if stop.reason and stop.reason != stop.asked_by else ""
    if story.stopped is None or not stop.confirmed:
        return (plain(f"{reason}Asked by {stop.asked_by}, not confirmed yet"),)
    return (plain(f"{reason}Bridge confirmed "), figure(words.time_of_day(story.stopped.utc)))


def _call(moment: Moment, story: Story) -> Phrase:
    """The call that is out: its number, and for how long."""
    request = moment.state.request
    if request is None or story.asked is None or request.seq != story.asked.recorded.seq:
        return ()
    since_ms = utc_ms(story.asked.utc)
    age = figures.link_age(moment.now.now_s - since_ms / 1000)
    lead = f"Plan {moment.state.plans + 1} is being made, call {request.decision}"
    if not moment.is_live:
        return (plain(lead),)
    return (plain(f"{lead}, "), figure(age, utc_ms=since_ms))


def _countdown(moment: Moment) -> Countdown | None:
    approval = moment.state.approval
    total_s = moment.state.mission.approval_expires_s
    if not moment.is_live or approval is None or approval.expires_s is None or not total_s:
        return None
    left_s = max(0.0, approval.expires_s - moment.now.now_s)
    return Countdown(
        text=figures.countdown(left_s),
        spoken=words.counted(int(left_s), "second"),
        share=min(1.0, left_s / total_s),
        ends_ms=int(approval.expires_s * 1000),
        total_s=total_s,
    )


def _cause(kind: CardState, moment: Moment, story: Story) -> Cause | None:
    if kind in ("superseded", "rejected") and story.told is not None:
        return lapse_of(story.told, moment.state)
    return cause_of(story, moment.state)


def _asked(kind: CardState, moment: Moment) -> Cause | None:
    """Why a plan is asked for, while there is none to show."""
    request = moment.state.request
    if kind not in ("planning", "compose") or request is None:
        return None
    return Cause(why=why(request.cause, moment.state))


def _findings(story: Story) -> tuple[Mark, ...]:
    """What is held against the newest reply, to the argument, or why there was none."""
    if not story.refused:
        return ()
    event = story.refused[-1].recorded.event
    if not isinstance(event, e.PlanRefused):
        return ()
    texts = [str(finding) for finding in event.findings] or [event.failure or "It gave no plan."]
    return tuple(Mark(icon="bad", text=(plain(text),), tone="alarm") for text in texts)


def _verdict(kind: CardState, moment: Moment, story: Story) -> Mark | None:
    if kind not in ("approved", "rejected") or story.told is None or story.told.decided is None:
        return None
    entry = story.told.decided
    event, when = entry.recorded.event, figure(figures.met(entry.recorded.met_s))
    if isinstance(event, e.ApprovalGranted):
        by = "Nobody asked, policy approved" if event.by == "policy" else f"Approved by {event.by}"
        then = ". Nothing is sent in shadow." if moment.state.mission.shadow else ". Starting."
        return Mark(icon="approve", text=(strong(by), plain(" at "), when, plain(then)))
    if isinstance(event, e.ApprovalRejected):
        text = (strong(f"Rejected by {event.by}"), plain(" at "), when)
        seq = (plain(", seq "), figure(figures.count(entry.recorded.seq)))
        said = (plain(f": “{event.reason}”"),) if event.reason else (plain("."),)
        return Mark(icon="reject", text=(*text, *seq, *said))
    return None


def _ended_notice(kind: CardState, moment: Moment) -> Notice | None:
    state = moment.state
    if kind != "ended" or state.ending is None:
        return None
    icon, _, tone = ending_of(state)
    tally = ", ".join(
        (
            words.counted(state.spent.decisions, "call"),
            words.counted(state.tally.replans, "replan"),
            *([] if state.at_table else [words.counted(state.tally.stale_visits, "stale visit")]),
        )
    )
    return Notice(
        icon=icon,
        title=f"{words.sentence(state.ending.message)[:-1]} in {figures.met(state.met_s)}.",
        text=f"{_delivered(state)}. {tally}.",
        tone=tone,
        way=Link(label="Replay from the start", href=f"/episodes/{moment.episode}?at=1")
        if moment.is_live
        else None,
    )


def _delivered(state: State) -> str:
    if state.at_table is not None:
        return holding(state).removesuffix(".")
    done = correctly_delivered(state.delivered, state.memory.records, state.assignments)
    return f"{done} of {state.mission.total} delivered, {state.robot.held or 'nothing'} held"


def _is_of(approval: Approval | None, story: Story) -> bool:
    return approval is not None and story.told is not None and approval.plan_number == story.told.plan.number
