"""What about an episode needs a person, each with a key that names this occurrence of it.

A concern is active for as long as its condition holds; that a person has seen it changes nothing about that
(ISA-18.2: acknowledged is not gone). So whoever acknowledges does so by key, and a new occurrence, which has
another key, asks anew. Those that end without anybody's act are alarms, and outlast their end until somebody
has seen them; what somebody is asked, a prompt, is over with the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import takewhile
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from backend.domain.command.approval import ApprovalStatus
from backend.domain.execution.outcome import Result
from backend.domain.plans.plan import describe
from backend.web.builders import words
from backend.web.builders.causes import in_short
from backend.web.builders.listed import Listed, budget_shares
from backend.web.builders.moment import waits_for_approval
from backend.web.builders.phase import utc_ms
from backend.web.pages import figures
from backend.web.pages.parts import Icon

UNSTARTED_S = 60.0
EXPIRING_S = 30.0
STALE_S = 3.0
LOST_S = 10.0
LOW = 0.9
"""From this share of a budget on."""
SPENT = 0.98
FAILURES = 2
"""So many steps in a row that ended in failure."""
INFINITE = float("inf")
RESTARTS, RESTARTS_WITHIN_S = 3, 600.0
LINK = "link"
"""The condition of a robot that is late or silent."""

ConcernTone = Literal["alarm", "ask", "caution"]
RANK: dict[ConcernTone, int] = {"alarm": 0, "ask": 1, "caution": 2}


class Concern(Struct, frozen=True, kw_only=True):
    """`since_ms`: epoch milliseconds, None where nobody noted it. `ends_ms`: until when one may answer.

    `condition`: what this is an occurrence of, where a graver one may follow under another key; else the key.
    `is_prompt`: it asks somebody to act, and that alone ends it.
    """

    episode: str
    key: str
    tone: ConcernTone
    icon: Icon
    title: str
    text: str
    since_ms: int | None = None
    ends_ms: int | None = None
    condition: str = ""
    is_prompt: bool = False


def concerns_of(listed: Listed, now_s: float) -> tuple[Concern, ...]:
    """The most urgent first; none of an episode that has ended."""
    if listed.summary.outcome is not None:
        return ()
    found = [concern for rule in _RULES for concern in rule(listed, now_s)]
    return tuple(sorted(found, key=lambda concern: urgency(concern, now_s)))


def urgency(concern: Concern, now_s: float) -> tuple[int, int, float, float, str]:
    """What lapses within half a minute, then alarms, what is asked, what is to be judged; of each what ends
    first, then what has waited longest."""
    left_s = INFINITE if concern.ends_ms is None else concern.ends_ms / 1000 - now_s
    hurries = 0 if left_s <= EXPIRING_S else 1
    return (hurries, RANK[concern.tone], left_s, concern.since_ms or 0, concern.episode)


def _unstarted(listed: Listed, now_s: float) -> Iterator[Concern]:
    if listed.state is not None:
        return
    since_ms = utc_ms(listed.summary.ordered_utc)
    if now_s - since_ms / 1000 < UNSTARTED_S:
        return
    yield _concern(listed, "unstarted", "alarm", "bad", "Not started", "No runner has taken it", since_ms)


def _no_runner(listed: Listed, now_s: float) -> Iterator[Concern]:
    state = listed.state
    if state is not None and not listed.summary.held_by:
        text = "No runner holds it. The robot is stopped; a runner is started again"
        yield _concern(listed, f"runner:{state.epoch}", "alarm", "bad", "No runner", text)


def _restarts(listed: Listed, now_s: float) -> Iterator[Concern]:
    starts = listed.when.get("runner.started", ())
    recent = [utc for utc in starts if now_s - utc_ms(utc) / 1000 <= RESTARTS_WITHIN_S]
    if listed.state is None or len(recent) < RESTARTS:
        return
    text = f"Its runner started {len(recent)} times within {int(RESTARTS_WITHIN_S // 60)} minutes"
    key = f"restarts:{listed.state.epoch}"
    yield _concern(listed, key, "alarm", "bad", "Runner keeps restarting", text, utc_ms(recent[-1]))


def _stops(listed: Listed, now_s: float) -> Iterator[Concern]:
    if listed.state is None or not listed.state.stops:
        return
    stop, since = listed.state.stops[0], listed.since("stop.asked")
    by = f"{stop.asked_by}{f': {stop.reason}' if stop.reason and stop.reason != stop.asked_by else ''}"
    if any(each.unconfirmed_alarm for each in listed.state.stops):
        text = "See to the robot: no standstill was measured"
        yield _concern(listed, f"unconfirmed:{stop.id}", "alarm", "bad", "Stop not confirmed", text, since)
        return
    text = f"Release or abort. Held by {by}"
    yield _prompt(_concern(listed, f"held:{stop.id}", "alarm", "held", "Held", text, since))


def _doubt(listed: Listed, now_s: float) -> Iterator[Concern]:
    if listed.state is not None and listed.state.dispatch is not None and listed.state.dispatch.in_doubt:
        text = f"Say what became of step {listed.state.dispatch.index + 1}"
        key = f"doubt:{listed.state.dispatch.id}"
        since = listed.since("dispatch.in_doubt")
        yield _prompt(_concern(listed, key, "alarm", "ask", "Step in doubt", text, since))


def _link(listed: Listed, now_s: float) -> Iterator[Concern]:
    """Until it is heard, or takes its next step, it is the same silence."""
    age_s, state = listed.robot_age_s, listed.state
    if state is None or age_s is None or age_s < STALE_S or not listed.summary.held_by:
        return
    key = f"link:{state.epoch}:{state.dispatches}"
    since_ms = int(1000 * (now_s - age_s))
    doing = "no step under way" if state.dispatch is None else f"last at {describe(state.dispatch.step)}"
    if age_s >= LOST_S:
        silent = f"The robot is silent, {doing}"
        lost = _concern(listed, f"{key}:lost", "alarm", "bad", "Link lost", silent, since_ms)
        yield replace(lost, condition=LINK)
    else:
        behind = f"The robot is late, {doing}"
        late = _concern(listed, key, "caution", "stale", "Link stale", behind, since_ms)
        yield replace(late, condition=LINK)


def _approval(listed: Listed, now_s: float) -> Iterator[Concern]:
    state = listed.state
    if state is None or state.plan is None or state.approval is None or state.ending is not None:
        return
    if state.approval.status is ApprovalStatus.EXPIRED:
        text = f"Nobody decided on plan {state.plan.number} in time. Ask for a plan again"
        key, since = f"expired:{state.approval.id}", listed.since("approval.expired")
        yield _prompt(_concern(listed, key, "ask", "warn", "Approval expired", text, since))
    if not waits_for_approval(state):
        return
    steps = words.counted(len(state.plan.steps) - state.cursor, "step")
    asked, ends_s = f"approval:{state.approval.id}", state.approval.expires_s
    since = listed.since("approval.requested")
    ends_ms = None if ends_s is None else int(1000 * ends_s)
    hurries = ends_s is not None and ends_s - now_s <= EXPIRING_S
    key, title = (f"{asked}:expiring", "Approval lapses soon") if hurries else (asked, "Awaiting approval")
    why = in_short(listed.cause, state) if listed.cause is not None else ""
    what = f"Approve plan {state.plan.number}{f' for {state.plan.target}' if state.plan.target else ''}"
    text = f"{what}, {steps}{f'. {why}' if why else ''}"
    yield _prompt(_concern(listed, key, "ask", "ask", title, text, since, ends_ms))


def _help(listed: Listed, now_s: float) -> Iterator[Concern]:
    """A validator that rejected twice ends here, and so does a planner that failed."""
    state = listed.state
    if state is None or state.stops or (state.dispatch is not None and state.dispatch.in_doubt):
        return
    if state.asks_person:
        key, since = f"help:{state.spent.decisions}:{state.tally.refusals}", listed.since("plan.refused")
        yield _prompt(_concern(listed, key, "ask", "ask", "Needs help", state.asks_person, since))
    elif state.request is not None and state.planner == "operator":
        since = listed.since("plan.requested")
        text = f"Write plan {state.plans + 1}"
        yield _prompt(
            _concern(listed, f"plan:{state.request.seq}", "ask", "ask", "Needs a plan", text, since)
        )


def _failures(listed: Listed, now_s: float) -> Iterator[Concern]:
    state = listed.state
    if state is None:
        return
    failed = list(takewhile(lambda line: line.result is Result.FAILED, reversed(state.log)))
    if len(failed) >= FAILURES:
        text = f"{len(failed)} steps in a row: {failed[0].command}, {failed[0].reason.replace('_', ' ')}"
        first, since = f"failures:{failed[-1].index}", listed.since("step.ended")
        again = _concern(
            listed, f"{first}:{len(failed)}", "caution", "fail", "Fails again and again", text, since
        )
        yield replace(again, condition=first)


def _budget(listed: Listed, now_s: float) -> Iterator[Concern]:
    shares = budget_shares(listed)
    if not shares:
        return
    name, share = max(shares.items(), key=lambda pair: pair[1])
    if share >= LOW:
        key = f"budget:{name}{':spent' if share >= SPENT else ''}"
        text = f"{figures.percent(share)} of the {name} used"
        near = _concern(listed, key, "caution", "warn", "Budget near its end", text)
        yield replace(near, condition=f"budget:{name}")


_RULES: tuple[Callable[[Listed, float], Iterator[Concern]], ...] = (
    _unstarted, _no_runner, _restarts, _stops, _doubt, _link, _approval, _help, _failures, _budget,
)  # fmt: skip


def _concern(
    listed: Listed,
    key: str,
    tone: ConcernTone,
    icon: Icon,
    title: str,
    text: str,
    since_ms: int | None = None,
    ends_ms: int | None = None,
) -> Concern:
    return Concern(
        episode=listed.summary.episode,
        key=key,
        tone=tone,
        icon=icon,
        title=title,
        text=text,
        since_ms=since_ms,
        ends_ms=ends_ms,
        condition=key,
    )


def _prompt(concern: Concern) -> Concern:
    return replace(concern, is_prompt=True)
