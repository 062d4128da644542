"""What-ifs as pages and the command line ask for them: looked at, started, kept.

Whatever is asked runs in a thread of this process, with its own row to tell how far it is. A process that
ends meanwhile leaves the row, which says so after a while.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Executor

from msgspec.structs import replace
from sqlalchemy import Engine

from backend.config import Settings
from backend.domain.refusal import Refusal
from backend.experiments.planning import Chosen, chosen_planner
from backend.experiments.reading import Recorded
from backend.experiments.working import Job, summary_of, work
from backend.persistence.experiments import SqlExperiments
from backend.sandbox.asking import Composed
from backend.sandbox.calls import Call, call_at
from backend.sandbox.change import MOST_CALLS, NEWEST, Asked
from backend.sandbox.estimate import NOTHING, Estimate, estimate, refuse_estimate
from backend.sandbox.looking import Look
from backend.sandbox.purse import Allowance, Purse, Spending, left_of
from backend.sandbox.results import Experiment
from backend.usecases.reading import Reader

log = logging.getLogger(__name__)


class ExperimentDesk:
    """For any number of threads. `executor` does what is started; one that runs at once suits a command."""

    def __init__(self, settings: Settings, engine: Engine, reader: Reader, executor: Executor) -> None:
        self._settings = settings
        self._engine = engine
        self._reader = reader
        self._executor = executor
        self._store = SqlExperiments(engine)

    def look(self, episode: str, asked: Asked) -> Look | Refusal:
        """What would be asked and what it would cost; asks nobody. Refused where there is no call to ask
        again. Raises the store's error for an unknown episode."""
        recorded = Recorded(self._reader, self._engine, episode)
        head = recorded.head()
        if head < asked.at < NEWEST:
            return Refusal("at", f"There is no event {asked.at}.", f"The events are 1 to {head}.")
        every = recorded.calls()
        first = call_at(every, asked.at)
        if first is None:
            return Refusal(
                "at",
                f"The planner had not been asked by event {asked.at}.",
                f"Choose event {every[0].seq} or a later one." if every else "Wait for its first call.",
            )
        later = every[every.index(first) :]
        if asked.here:
            at = min(asked.at, head)
            made = recorded.here(at, first.decision)
            if isinstance(made, Refusal):
                return made
            first, later = made, (made, *(call for call in every if call.seq > at))
        asked = replace(asked, at=first.seq - 1 if asked.here else first.seq)
        calls = later[: max(1, min(asked.calls, MOST_CALLS))]
        usual = recorded.composed(first)
        if isinstance(usual, Refusal):
            return usual
        composed = recorded.composed(first, asked.change)
        state = recorded.before(first)
        planner = asked.change.planner or state.planner
        chosen = chosen_planner(planner, asked.change, self._settings)
        not_on = NOT_FROM_HERE if asked.here else recorded.refuse_running_on()
        cost = NOTHING
        if isinstance(chosen, Chosen) and chosen.asks_model:
            cost = self._cost(recorded, asked, calls, later, chosen)
        left = left_of(self._day(), self._store.spent())
        return Look(
            asked=asked,
            state=state,
            planner=planner,
            calls=calls,
            beyond=len(later) - len(calls),
            head=head,
            usual=usual,
            composed=None if isinstance(composed, Refusal) else composed,
            estimate=cost,
            left=left,
            refusal=_first(
                chosen,
                composed,
                not_on if asked.run_on else None,
                None if recorded.is_kept() else NOT_KEPT,
                refuse_estimate(cost, left),
            ),
            not_on=not_on,
        )

    def start(self, episode: str, look: Look, by: str) -> int | Refusal:
        """The number of the what-if; it is under way when this returns, or done, as the executor has it."""
        if look.refusal is not None:
            return look.refusal
        chosen = chosen_planner(look.planner, look.asked.change, self._settings)
        if isinstance(chosen, Refusal):
            return chosen
        allowed = left_of(self._day(), self._store.spent())
        number = self._store.begin(episode, look.asked, look.estimate, by, self._day())
        if isinstance(number, int):
            self._executor.submit(self._work, number, episode, look, chosen, allowed)
        return number

    def one(self, episode: str, number: int) -> Experiment | None:
        return self._store.one(episode, number)

    def all(self, episode: str) -> Sequence[Experiment]:
        return self._store.all(episode)

    def calls(self, episode: str, experiment: Experiment) -> Sequence[tuple[Call, Composed | None]]:
        """The recorded calls of its answers, each with what it was shown where the journal holds no text."""
        recorded = Recorded(self._reader, self._engine, episode)
        every = recorded.calls()
        by_seq = {call.seq: call for call in every}
        at, before = experiment.asked.at, call_at(every, experiment.asked.at)
        if experiment.asked.here and before is not None:
            here = recorded.here(at, before.decision)
            by_seq = by_seq if isinstance(here, Refusal) else {**by_seq, here.seq: here}
        answers = experiment.found.answers if experiment.found is not None else ()
        return [
            (by_seq[each.seq], None if by_seq[each.seq].blocks else _made(recorded, by_seq[each.seq]))
            for each in answers
            if each.seq in by_seq
        ]

    def _work(self, number: int, episode: str, look: Look, chosen: Chosen, allowed: Allowance) -> None:
        recorded = Recorded(self._reader, self._engine, episode)
        purse = Purse(allowed, counts=chosen.asks_model)
        job = Job(
            recorded=recorded,
            asked=look.asked,
            calls=look.calls,
            chosen=chosen,
            purse=purse,
            settings=self._settings,
            tell=_telling(self._store, number, lambda: purse.spent),
        )
        try:
            found = work(job)
            told = summary_of(found, look.calls)
            self._store.end(number, "done", told, purse.spent, found)
        except Exception as error:
            log.exception("What-if %s of %s came to nothing", number, episode)
            self._store.end(number, "failed", f"{type(error).__name__}: {error}", purse.spent, None)

    def _cost(
        self, recorded: Recorded, asked: Asked, calls: Sequence[Call], later: Sequence[Call], chosen: Chosen
    ) -> Estimate:
        made = [recorded.composed(call, asked.change) for call in calls]
        sizes = [sum(block.size for block in each.blocks) for each in made if isinstance(each, Composed)]
        rest = later if asked.run_on else ()
        return estimate(calls, sizes, rest, chosen.price, chosen.prices_as_of) if sizes else NOTHING

    def _day(self) -> Allowance:
        return Allowance(
            calls=self._settings.whatif_calls,
            tokens=self._settings.whatif_tokens,
            money_usd=self._settings.whatif_money_usd,
        )


NOT_FROM_HERE = Refusal(
    "run_on", "A world is run on from where a call was asked.", "Ask as it was asked, or do not run on."
)
NOT_KEPT = Refusal(
    "kept",
    "This episode is played again from an evaluation's row and kept nowhere, so nothing can be kept with it.",
    "Look, but ask in one of the console's own episodes.",
)


def _first(*found: object) -> Refusal | None:
    return next((each for each in found if isinstance(each, Refusal)), None)


def _made(recorded: Recorded, call: Call) -> Composed | None:
    made = recorded.composed(call)
    return None if isinstance(made, Refusal) else made


def _telling(store: SqlExperiments, number: int, spent: Callable[[], Spending]) -> Callable[[str], None]:
    return lambda told: store.hear(number, told, spent())
