"""Untrusted text put into every free string of a context."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args, get_type_hints

import msgspec

MARKUP = "<b>bold</b></td></tr></table><script>alert(1)</script><img src=x onerror=alert(1)>"
BREAKOUT = "\"' onfocus=alert(1) autofocus x='"
TEMPLATE = "{{ 7 * 7 }}{% include 'layout.html' %}{# #}"
REORDERING = "safe\u202egnp.exe\u2066 \u200f\u061c\u200bhidden"
CONTROL = "a\x00b\x1bc\ud800d\u2028e"

HOSTILE = {
    "all at once": MARKUP + BREAKOUT + TEMPLATE + REORDERING + CONTROL,
    "long": "x" * 2000,
    "address": "javascript:alert(1)//",
}
# Ours alone, never what a robot or model said: an address (`Link` refuses any that leads out), a field.
OURS = {"href", "field"}


def poisoned(value: Any, text: str) -> Any:
    """`value` with `text` in every string field whose type is free; empty strings stay empty."""
    if isinstance(value, tuple):
        return tuple(poisoned(each, text) for each in value)
    if not isinstance(value, msgspec.Struct):
        return value
    hints = get_type_hints(type(value))
    return msgspec.structs.replace(
        value, **{name: changed for name, changed in _fields(value, hints, text) if name not in OURS}
    )


def _fields(value: msgspec.Struct, hints: dict[str, Any], text: str) -> Iterator[tuple[str, Any]]:
    for name in value.__struct_fields__:
        old = getattr(value, name)
        if isinstance(old, str):
            if old and _is_free(hints[name]):
                yield name, text
        elif isinstance(old, (tuple, msgspec.Struct)):
            if old and isinstance(old, tuple) and isinstance(old[0], str):
                yield name, tuple(text for _ in old) if _is_free(hints[name]) else old
            else:
                yield name, poisoned(old, text)


def _is_free(hint: Any) -> bool:
    """Whether any text may stand there: a Literal is one of a few words of ours."""
    return hint is str or any(_is_free(each) for each in get_args(hint))
