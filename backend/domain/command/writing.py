"""What may stand in the texts of a command: anything that can be read. A NUL or an escape is no writing of a
person's, is refused by one database and kept by the other, and changes what a terminal shows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from backend.domain.refusal import Refusal

LAYOUT = "\t\n\r"


class Unwritable(msgspec.Struct, frozen=True):
    """`field`: where it stands, such as `steps.0.arguments.to`."""

    field: str
    refusal: Refusal


def refuse_unwritable(action: Any) -> Unwritable | None:
    """The first text of `action`, a Struct, that holds a control character."""
    for field, text in _texts("", msgspec.to_builtins(action)):
        for each in text:
            if is_control(each):
                message = f"{field} holds the control character U+{ord(each):04X}."
                return Unwritable(field, Refusal("control_character", message, "Write it without."))
    return None


def legible(text: str) -> str:
    """With a mark in place of what is no writing: for a hold, which is taken whatever is said with it."""
    return "".join("�" if is_control(each) else each for each in text)


def is_control(character: str) -> bool:
    code = ord(character)
    return (code < 0x20 and character not in LAYOUT) or 0x7F <= code <= 0x9F or 0xD800 <= code <= 0xDFFF


def _texts(field: str, value: Any) -> Iterator[tuple[str, str]]:
    """Keys of objects are texts too: of arguments, of records that were seen."""
    if isinstance(value, str):
        yield field, value
    elif isinstance(value, dict):
        for key, each in value.items():
            if isinstance(key, str):
                yield field or "body", key
            yield from _texts(_below(field, key), each)
    elif isinstance(value, list | tuple):
        for index, each in enumerate(value):
            yield from _texts(_below(field, index), each)


def _below(field: str, part: object) -> str:
    return f"{field}.{part}" if field else str(part)
