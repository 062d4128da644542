"""The two running digests of a journal, each event's built on the one before.

The chain covers all of an event and shows damage; whoever can rewrite the whole database can rewrite it too. The
content digest leaves out what differs between two runs of the same episode: the episode's own id, wall clock and meta.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from backend.domain.digests import digest, digest_of_text
from backend.domain.episode.events import EpisodeOpened, Event
from backend.persistence.codec import json_text

ENVELOPE = ("episode", "seq", "met_s", "kind", "version", "actor", "utc", "meta", "payload_digest")
CONTENT = ("seq", "met_s", "kind", "version", "actor")


def chained(previous: str, row: Mapping[str, Any]) -> str:
    """SHA-256 over the previous link and the envelope of `row`, in which the payload stands by its digest."""
    return digest([previous, *(row[name] for name in ENVELOPE)])


def content(previous: str, row: Mapping[str, Any], event: Event) -> str:
    """SHA-256 over the previous digest and what `row` says happened."""
    payload_digest = row["payload_digest"]
    if isinstance(event, EpisodeOpened):
        payload_digest = digest_of_text(json_text(replace(event, episode="")))
    return digest([previous, *(row[name] for name in CONTENT), payload_digest])
