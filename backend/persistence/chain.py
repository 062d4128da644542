"""The two running digests of a journal, each event's built on the one before.

The chain covers all of an event and shows damage; whoever can rewrite the whole database can rewrite it too.
The content digest leaves out what tells one run from another of the same episode: its id, the runner's epoch
and version, wall clock and meta.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from msgspec.structs import replace

from backend.domain.digests import digest, digest_of_text
from backend.domain.episode.events import EpisodeOpened, Event, Recorded, RunnerStarted, StepDispatched
from backend.persistence.codec import encode, payload_text

ENVELOPE = ("episode", "seq", "met_s", "kind", "version", "actor", "utc", "meta", "payload_digest")
CONTENT = ("seq", "met_s", "kind", "version", "actor")


def chained(previous: str, row: Mapping[str, Any]) -> str:
    """SHA-256 over the previous link and the envelope of `row`, in which the payload stands by its digest."""
    return digest([previous, *(row[name] for name in ENVELOPE)])


def content(previous: str, row: Mapping[str, Any], event: Event) -> str:
    """SHA-256 over the previous digest and what `row`, whose payload is `event`, says happened."""
    return digest([previous, *(row[name] for name in CONTENT), _content_digest(row, event)])


def content_digest(episode: str, events: Iterable[Recorded]) -> str:
    """The content digest of events that stand in no database, as an evaluation's do."""
    running = ""
    for recorded in events:
        written = encode(recorded)
        row = {
            "episode": episode,
            "seq": recorded.seq,
            "met_s": written.recorded.met_s,
            "kind": written.kind,
            "version": written.version,
            "actor": recorded.actor,
            "payload": written.payload,
            "payload_digest": written.digest,
        }
        running = content(running, row, written.recorded.event)
    return running


def _content_digest(row: Mapping[str, Any], event: Event) -> str:
    episode, payload = row["episode"], row["payload"]
    if isinstance(event, EpisodeOpened):
        payload = payload_text(replace(event, code_version=""))
    elif isinstance(event, RunnerStarted):
        payload = payload_text(replace(event, epoch=0, code_version="", ledger_id=""))
    elif isinstance(event, StepDispatched):
        payload = payload_text(replace(event, epoch=0))
    elif episode not in payload:
        return str(row["payload_digest"])
    return digest_of_text(_own_id(episode).sub(r'"\1"', payload))


@lru_cache(maxsize=64)
def _own_id(episode: str) -> re.Pattern[str]:
    """The episode's id, or one of its dispatches' or approvals', as a JSON string."""
    return re.compile(f'"{re.escape(episode)}((?:-[da][0-9]+)?)"')
