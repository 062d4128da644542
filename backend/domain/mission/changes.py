"""What differs between two versions of a written mission or site, field by field.

Comments, layout and the order of fields are no difference: a person who compares two versions asks what
counts otherwise now.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

NAMES = ("name", "id")
"""What tells the entries of a list apart, where each has one of its own."""


class FieldChange(Struct, frozen=True, kw_only=True):
    """`field`: its path, such as `budgets.steps` or `stations[bin_2].pose`. `was`, `now`: the plain value;
    None where it was not written."""

    field: str
    was: Any
    now: Any


def changes(was: Any, now: Any) -> tuple[FieldChange, ...]:
    """Of two plain values: mappings, lists, text, numbers. In the order of `now`, then what it lacks."""
    return tuple(_changes("", was, now))


def _changes(path: str, was: Any, now: Any) -> Iterator[FieldChange]:
    if _same(was, now):
        return
    if isinstance(was, Mapping) and isinstance(now, Mapping):
        yield from _of_fields(path, was, now, "{path}.{name}" if path else "{name}")
    elif (before := _by_name(was)) is not None and (after := _by_name(now)) is not None:
        yield from _of_fields(path, before, after, "{path}[{name}]")
    elif _is_list(was) and _is_list(now):
        yield from _of_lists(path, was, now)
    else:
        yield FieldChange(field=path, was=was, now=now)


def _of_fields(path: str, was: Mapping[Any, Any], now: Mapping[Any, Any], form: str) -> Iterator[FieldChange]:
    for name in dict.fromkeys((*now, *was)):
        yield from _changes(form.format(path=path, name=name), was.get(name), now.get(name))


def _of_lists(path: str, was: Sequence[Any], now: Sequence[Any]) -> Iterator[FieldChange]:
    """Each entry that came or went; where none did, they stand in another order."""
    gone = [each for each in was if not any(_same(each, other) for other in now)]
    came = [each for each in now if not any(_same(each, other) for other in was)]
    if not gone and not came:
        yield FieldChange(field=path, was=was, now=now)
    yield from (FieldChange(field=path, was=each, now=None) for each in gone)
    yield from (FieldChange(field=path, was=None, now=each) for each in came)


def _by_name(value: Any) -> dict[str, Any] | None:
    """The entries of a list by what each is called; None where they are not told apart so."""
    if not _is_list(value) or not all(isinstance(each, Mapping) for each in value):
        return None
    for key in NAMES:
        found = {str(each[key]): each for each in value if key in each}
        if len(found) == len(value):
            return found
    return None


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _same(one: Any, other: Any) -> bool:
    """True is no 1: what is written tells them apart."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(_same(one[name], other[name]) for name in one)
    if _is_list(one) and _is_list(other):
        return len(one) == len(other) and all(map(_same, one, other))
    return bool(one == other) and isinstance(one, bool) is isinstance(other, bool)
