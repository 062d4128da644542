"""What the API tells of episodes: lists, states at any moment, events, and what waits for a person."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from backend.domain.command.approval import Approval
from backend.domain.command.conn import Conn, held_at
from backend.domain.command.hold import Stop
from backend.domain.command.policy import Policy
from backend.domain.episode.events import Event
from backend.domain.episode.state import Dispatch, Ending, State
from backend.domain.memory.record import EntityRecord
from backend.domain.plans.plan import Plan
from backend.usecases.reading import EpisodeSummary
from backend.web.api.operations import ROOT, Call, Operation, Reply
from backend.web.api.waiting import Approvals, waiting_of
from backend.web.builders.holding import holding
from backend.web.console import Console
from backend.web.deps import NewEpisode, OrderRefused
from backend.web.errors import Malformed, NotThere
from backend.web.pages.parts import Choice

Seq = Annotated[int, Meta(ge=1, le=2**53)]
AT_MOST = 500


class Me(Struct, frozen=True, kw_only=True):
    """Who this token or session is. `by`: token or session."""

    name: str
    role: str
    scopes: tuple[str, ...]
    by: str


class EpisodesAsked(Struct, frozen=True, kw_only=True):
    show: Literal["all", "need", "running", "ended"] = "all"
    search: Annotated[str, Meta(max_length=200)] = ""
    limit: Annotated[int, Meta(ge=1, le=AT_MOST)] = 100
    offset: Annotated[int, Meta(ge=0, le=1_000_000)] = 0


class Episodes(Struct, frozen=True, kw_only=True):
    """What needs a person first, then what runs, then what ended last."""

    episodes: tuple[EpisodeSummary, ...]


class EpisodeNow(Struct, frozen=True, kw_only=True):
    """An episode as it is now: what a person would look at before a command.

    `conn`: who commands, None where nobody does. `policy_digest` and `instructions`: what `set_policy` and
    `instruct` name as `shown`. `asks_person`: what only a person can decide.
    """

    summary: EpisodeSummary
    seq: int
    met_s: float
    conn: Conn | None
    policy: Policy
    policy_digest: str
    instructions: str
    plan: Plan | None
    approval: Approval | None
    dispatch: Dispatch | None
    stops: tuple[Stop, ...]
    held: str | None
    holding: str
    asks_person: str
    ending: Ending | None


class Cursor(Struct, frozen=True, kw_only=True):
    """`at`: the event after which to look; without it the newest."""

    at: Seq | None = None


class EventsAsked(Struct, frozen=True, kw_only=True):
    """`after`: the last event that one has. `kinds`: such as plan.proposed, with commas."""

    after: Annotated[int, Meta(ge=0, le=2**53)] = 0
    kinds: Annotated[str, Meta(max_length=500)] = ""
    limit: Annotated[int, Meta(ge=1, le=AT_MOST)] = 100


class EventRow(Struct, frozen=True, kw_only=True):
    seq: int
    met_s: float
    utc: str
    kind: str
    version: int
    actor: str
    event: Event


class Events(Struct, frozen=True, kw_only=True):
    """`next`: the `after` to go on with; None at the newest."""

    events: tuple[EventRow, ...]
    next: int | None


class Records(Struct, frozen=True, kw_only=True):
    """`revision` of the memory. `revisions`: of each record by its id, for a correction's `seen`."""

    seq: int
    revision: int
    revisions: Mapping[str, int]
    records: tuple[EntityRecord, ...]


class Option(Struct, frozen=True, kw_only=True):
    """One that is not `available` says why in `text`."""

    value: str
    label: str
    text: str
    available: bool


class Options(Struct, frozen=True, kw_only=True):
    """What may stand in an order."""

    options: tuple[Option, ...]


class Started(Struct, frozen=True, kw_only=True):
    episode: str


def operations(console: Console) -> list[Operation]:
    reads = Reads(console)
    episode = f"{ROOT}/episodes/{{episode}}"
    start = Operation(
        id="start",
        method="POST",
        path=f"{ROOT}/episodes",
        scope="command",
        tag="Episodes",
        summary="Start an episode",
        run=reads.start,
        body=NewEpisode,
        answer=Started,
        status=201,
    )
    return [
        _get("me", f"{ROOT}/me", "Who I am", reads.me, Me, tag="Access"),
        _get("episodes", f"{ROOT}/episodes", "List episodes", reads.episodes, Episodes, EpisodesAsked),
        start,
        _get("episode", episode, "One episode, now", reads.episode, EpisodeNow),
        _get("state", f"{episode}/state", "The state at a moment", reads.state, State, Cursor),
        _get("events", f"{episode}/events", "Events in order", reads.events, Events, EventsAsked),
        _get("memory", f"{episode}/memory", "Memory at a moment", reads.memory, Records, Cursor),
        _get("approvals", f"{ROOT}/approvals", "Approvals that wait", reads.approvals, Approvals),
        _get("missions", f"{ROOT}/missions", "Missions that can be run", reads.missions, Options),
        _get("planners", f"{ROOT}/planners", "Planners that can be asked", reads.planners, Options),
    ]


def _get(
    name: str,
    path: str,
    summary: str,
    run: Callable[[Call], Reply],
    answer: type,
    query: type | None = None,
    tag: str = "Episodes",
) -> Operation:
    return Operation(
        id=name,
        method="GET",
        path=path,
        scope="read",
        tag=tag,
        summary=summary,
        text=(answer.__doc__ or "").strip(),
        run=run,
        query=query,
        answer=answer,
    )


class Reads:
    """Each takes a Call. Unknown episodes raise the store's error."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._reader = console.deps.reader

    def me(self, call: Call) -> Reply:
        by = "token" if call.visitor.token else "session"
        who = call.visitor
        return Reply(value=Me(name=who.name, role=who.role, scopes=who.scopes, by=by))

    def episodes(self, call: Call) -> Reply:
        asked: EpisodesAsked = call.query
        found = self._reader.episodes(
            show=asked.show, search=asked.search, limit=asked.limit, offset=asked.offset
        )
        return Reply(value=Episodes(episodes=tuple(_told(each) for each in found)))

    def start(self, call: Call) -> Reply:
        try:
            started = self._console.deps.orders.start(call.body, call.user.name)
        except OrderRefused as refused:
            raise Malformed(refused.message, remedy=refused.remedy, field=refused.field) from refused
        return Reply(value=Started(episode=started), status=201)

    def episode(self, call: Call) -> Reply:
        episode = call.path["episode"]
        summary = self._reader.episode(episode)
        state = self._console.chronicles.of(episode).newest().state
        now = EpisodeNow(
            summary=_told(summary),
            seq=state.seq,
            met_s=state.met_s,
            conn=held_at(state.conn, self._console.deps.clock_s()),
            policy=state.policy,
            policy_digest=state.policy.digest,
            instructions=state.instructions,
            plan=state.plan,
            approval=state.approval,
            dispatch=state.dispatch,
            stops=state.stops,
            held=state.robot.held,
            holding=holding(state),
            asks_person=state.asks_person,
            ending=state.ending,
        )
        return Reply(value=now)

    def state(self, call: Call) -> Reply:
        return Reply(value=self._at(call))

    def events(self, call: Call) -> Reply:
        asked: EventsAsked = call.query
        kinds = tuple(kind for kind in asked.kinds.split(",") if kind)
        found = self._reader.events(
            call.path["episode"], after=asked.after, kinds=kinds, limit=asked.limit + 1
        )
        rows = tuple(
            EventRow(
                seq=entry.recorded.seq,
                met_s=entry.recorded.met_s,
                utc=entry.utc,
                kind=entry.kind,
                version=entry.version,
                actor=entry.recorded.actor,
                event=entry.recorded.event,
            )
            for entry in found[: asked.limit]
        )
        return Reply(value=Events(events=rows, next=rows[-1].seq if len(found) > asked.limit else None))

    def memory(self, call: Call) -> Reply:
        state = self._at(call)
        records = tuple(state.memory.records.values())
        revisions = {record.id: record.revision for record in records}
        told = Records(seq=state.seq, revision=state.memory.revision, revisions=revisions, records=records)
        return Reply(value=told)

    def approvals(self, call: Call) -> Reply:
        found = self._reader.episodes(show="need", limit=AT_MOST)
        states = [self._console.chronicles.of(each.episode).newest().state for each in found if each.seq]
        now_s = self._console.deps.clock_s()
        waiting = [waiting_of(state, now_s) for state in states]
        return Reply(value=Approvals(approvals=tuple(each for each in waiting if each is not None)))

    def missions(self, call: Call) -> Reply:
        return Reply(value=_options(self._console.deps.orders.missions()))

    def planners(self, call: Call) -> Reply:
        return Reply(value=_options(self._console.deps.orders.planners()))

    def _at(self, call: Call) -> State:
        episode, asked = call.path["episode"], call.query.at
        newest = self._console.chronicles.of(episode).newest().state
        if asked is None or asked == newest.seq:
            return newest
        if asked > newest.seq:
            remedy = f"Its events are 1 to {newest.seq}."
            raise NotThere(f"Episode {episode} has no event {asked}", remedy=remedy, field="at")
        return self._reader.state(episode, asked)


def _told(summary: EpisodeSummary) -> EpisodeSummary:
    """Without the address of the runner's socket, whose path is a secret of its run."""
    return msgspec.structs.replace(summary, address="")


def _options(choices: Sequence[Choice]) -> Options:
    return Options(
        options=tuple(
            Option(value=each.value, label=each.label, text=each.text, available=each.available)
            for each in choices
        )
    )
