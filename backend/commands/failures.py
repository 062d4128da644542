"""What goes wrong, as one clear line on stderr and an exit code: the one place that turns errors so."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping

import typer

from backend.processes.exits import Exit


class CannotStart(Exception):
    """Something outside is in the way; the text says what, and the remedy."""


class Refused(Exception):
    """Something is otherwise than the command takes it to be; nothing was done."""


class WrongAsked(Exception):
    """What was asked cannot be, or not by this one; nothing was done."""


EXITS: Mapping[str, Exit] = {
    "backend.commands.failures.WrongAsked": Exit.BAD_INPUT,
    "backend.commands.failures.Refused": Exit.REFUSED,
    "backend.commands.failures.CannotStart": Exit.CANNOT_START,
    "backend.config.ConfigError": Exit.BAD_INPUT,
    "backend.written.WrittenError": Exit.BAD_INPUT,
    "backend.processes.keeper.KeptElsewhere": Exit.CANNOT_START,
    "backend.persistence.errors.UnknownEpisode": Exit.BAD_INPUT,
    "backend.persistence.errors.AccountRefused": Exit.BAD_INPUT,
    "backend.persistence.errors.BundleRefused": Exit.BAD_INPUT,
    "backend.persistence.errors.DatabaseUrlWrong": Exit.BAD_INPUT,
    "backend.persistence.errors.EpisodeKept": Exit.BAD_INPUT,
    "backend.persistence.errors.LeaseTaken": Exit.CANNOT_START,
    "backend.persistence.errors.PersistenceError": Exit.STORAGE,
}
"""By name, the nearest class first: what was never imported was never raised, and costs nobody a start."""


@contextlib.contextmanager
def told_in_one_line() -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        raise typer.Exit(Exit.INTERRUPTED) from None
    except Exception as error:
        code = exit_of(type(error))
        if code is None:
            raise
        raise fail(str(error), code) from error


def exit_of(kind: type[BaseException]) -> Exit | None:
    """None for what is no failure of these: a defect, or an exit that was asked for."""
    names = (f"{each.__module__}.{each.__qualname__}" for each in kind.__mro__)
    return next((EXITS[name] for name in names if name in EXITS), None)


def fail(message: str, code: Exit) -> typer.Exit:
    typer.echo(f"quarterdeck: {' '.join(message.split())}", err=True)
    return typer.Exit(code)
