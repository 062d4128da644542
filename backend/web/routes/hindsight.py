"""Two times and their why: what is known now of a moment, and one page that explains a failure in order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from backend.domain.episode import events as e
from backend.domain.execution.outcome import Result
from backend.domain.lineage.back import Lineage, lineage, plan_numbered
from backend.domain.lineage.forward import effects
from backend.domain.lineage.missed import missed
from backend.domain.lineage.pages import Pages, following, newest
from backend.usecases.reading import Entry
from backend.web.builders.hindsight import known_data
from backend.web.builders.labels import is_stored
from backend.web.builders.moment import Moment
from backend.web.builders.why import FAILURES, Explained, why_page
from backend.web.builders.why_parts import Told
from backend.web.console import Console
from backend.web.errors import NotThere
from backend.web.leafing import EpisodePages
from backend.web.looking_back import LookingBack
from backend.web.responses import data
from backend.web.routes.console import At

Number = Annotated[int | None, Query(ge=1, le=1_000_000_000)]
Record = Annotated[str, Query(max_length=200)]


def router(console: Console) -> APIRouter:
    routes = APIRouter(prefix="/episodes/{episode}")
    desk, reader = console.desk, console.deps.reader
    back = LookingBack(console.deps, console.chronicles)

    @routes.get("/known.json")
    def known(request: Request, episode: str, at: At = None) -> Response:
        """A `KnownData`: what differs at the cursor, in a replay alone."""
        if at is None:
            raise NotThere(
                "What is known now is told of an earlier moment", remedy="Name one: ?at= and an event."
            )
        moment = desk.moment(episode, console.user(request), at)
        looked = back.of(episode, moment.evaluated)
        return data(known_data(moment.state, looked.hindsight))

    @routes.get("/why")
    def why(
        request: Request,
        episode: str,
        seq: At = None,
        plan: Number = None,
        step: Number = None,
        record: Record = "",
        at: At = None,
    ) -> Response:
        """`seq`: the event to explain; or step `step` of plan `plan`, or what memory held of `record` at the
        moment `at`. Without any: what failed last."""
        moment = desk.moment(episode, console.user(request), at)
        pages = EpisodePages(reader, console.chronicles.of(episode), episode)
        looked = back.of(episode, moment.evaluated)
        if seq is None and plan is not None:
            seq = _seq_of_step(pages, plan, step)
        elif seq is None and record:
            seq = _seq_of_record(moment, record)
        failures = reader.events(episode, kinds=FAILURES, limit=None)
        if seq is None:
            seq = _last_failure(pages, failures)
        found = None
        if seq is not None:
            chain = lineage(pages, seq, step - 1 if step is not None else None)
            found = Explained(
                back=chain,
                forward=effects(pages, _forward_from(chain), looked.trace.replaced),
                missed=missed(pages, chain.request) if chain.request is not None else (),
            )
        page = why_page(
            console.chrome(request, f"Why, {episode}"),
            moment,
            Told(moment.head, looked.trace, looked.hindsight),
            looked.misled,
            failures,
            found,
            console.deps.annotations.of(episode) if is_stored(moment) else (),
        )
        return console.html(page)

    return routes


def _forward_from(chain: Lineage) -> int:
    """A step is followed on from what was measured of it."""
    is_step = chain.dispatch is not None and chain.ended is not None
    return chain.ended.seq if is_step and chain.ended is not None else chain.subject.seq


def _seq_of_step(pages: Pages, number: int, step: int | None) -> int:
    """Where the step last went, else where its plan was proposed. Raises NotThere."""
    plan = plan_numbered(pages, number, pages.head)
    event = plan.event if plan is not None else None
    if plan is None or not isinstance(event, e.PlanProposed) or event.plan.number != number:
        raise NotThere(f"There is no plan {number}", remedy="Choose one of those that were proposed.")
    if step is not None and step > len(event.plan.steps):
        raise NotThere(
            f"Plan {number} has no step {step}", text=f"Its steps are 1 to {len(event.plan.steps)}."
        )
    if step is None:
        return plan.seq
    next_plan = following(pages, "plan.proposed", plan.seq)
    last = next_plan.seq if next_plan is not None else pages.head
    sent = [
        each.seq
        for each in pages.span(plan.seq, last, ("step.dispatched",))
        if isinstance(each.event, e.StepDispatched) and each.event.index == step - 1
    ]
    return sent[-1] if sent else plan.seq


def _seq_of_record(moment: Moment, record: str) -> int:
    """The event that gave the record the place it had. Raises NotThere."""
    found = moment.state.memory.records.get(record)
    if found is None:
        raise NotThere(
            f"Memory has no record {record[:60]!r} at that moment",
            remedy="Choose one of the memory tab, or a later moment.",
        )
    return max(found.pose_seq, found.status_seq)


def _last_failure(pages: Pages, failures: Sequence[Entry]) -> int | None:
    """The newest step that failed or answer that was refused, else the newest step or plan there is."""
    for entry in reversed(failures):
        event = entry.recorded.event
        failed = isinstance(event, e.StepEnded) and event.outcome.result is not Result.SUCCEEDED
        if failed or isinstance(event, e.PlanRefused):
            return entry.recorded.seq
    last = newest(pages, "step.ended", pages.head) or newest(pages, "plan.proposed", pages.head)
    return last.seq if last is not None else None
