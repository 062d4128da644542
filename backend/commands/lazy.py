"""The program's commands by name, each imported when it is asked for: a hold does not wait for the others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, ClassVar

import typer
from msgspec import Struct
from typer.core import TyperGroup
from typer.main import get_group


class Entry(Struct, frozen=True):
    """`at`: `module:name`, below `backend.commands`, of a function or of a Typer of its own. `beside`:
    further commands of that Typer, which stand in modules of their own."""

    at: str
    beside: Mapping[str, str] = {}


class ByName(Mapping[str, Any]):
    """Commands that are made on first use."""

    def __init__(self, entries: Mapping[str, Entry]) -> None:
        self._entries = entries
        self._made: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._made:
            self._made[name] = _made(name, self._entries[name])
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)


class Lazy(TyperGroup):
    """A group whose commands are those of `entries`, in that order."""

    entries: ClassVar[Mapping[str, Entry]] = {}

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.commands: Any = ByName(self.entries)

    def list_commands(self, ctx: Any) -> list[str]:
        return list(self.entries)


def _made(name: str, entry: Entry) -> Any:
    found = _at(entry.at)
    host = typer.Typer(add_completion=False)
    if isinstance(found, typer.Typer):
        known = {each.name for each in found.registered_commands}
        for under in entry.beside.keys() - known:
            found.command(under)(_at(entry.beside[under]))
        host.add_typer(found, name=name)
    else:
        host.command(name)(found)
    return get_group(host).commands[name]


def _at(place: str) -> Any:
    module, _, name = place.partition(":")
    return getattr(import_module(f"backend.commands.{module}"), name)
