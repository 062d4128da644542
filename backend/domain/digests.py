"""Content digests: SHA-256 over a canonical JSON encoding,
so that equal values have equal digests everywhere."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec

_canonical = msgspec.json.Encoder(order="sorted")


def canonical(value: Any) -> bytes:
    """The one byte form of a value that digests are taken of: sorted keys, no white space."""
    return _canonical.encode(value)


def digest(value: Any) -> str:
    """Hex SHA-256 of the canonical form of `value`."""
    return hashlib.sha256(canonical(value)).hexdigest()


def digest_of_text(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
