"""Old payloads made into what today's code reads, one version at a time, before decoding.

When the meaning of an event changes: raise its version in `backend.domain.episode.events.VERSIONS`, add the
function that makes version n into n + 1 under the key (kind, n), and leave the journals under tests/journals/
as they are. A field added with a default needs nothing here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Payload = dict[str, Any]
Upcaster = Callable[[Payload], Payload]

UPCASTERS: Mapping[tuple[str, int], Upcaster] = {}


class NoUpcaster(LookupError):
    """No way leads from the stored version to the present one."""


def upcast(
    kind: str,
    version: int,
    payload: Payload,
    *,
    to: int,
    upcasters: Mapping[tuple[str, int], Upcaster] = UPCASTERS,
) -> Payload:
    """The payload as version `to` of its kind would have written it. Raises NoUpcaster."""
    for step in range(version, to):
        upcaster = upcasters.get((kind, step))
        if upcaster is None:
            raise NoUpcaster(f"nothing makes version {step} of {kind} into version {step + 1}")
        payload = upcaster(payload)
    return payload
