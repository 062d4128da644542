"""What goes wrong, as one clear line on stderr and an exit code: the one place that turns errors so."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import typer

from backend.config import ConfigError
from backend.missions import MissionError
from backend.persistence.errors import (
    AccountRefused,
    BundleRefused,
    DatabaseUrlWrong,
    EpisodeKept,
    LeaseTaken,
    PersistenceError,
    UnknownEpisode,
)
from backend.processes.exits import Exit
from backend.processes.keeper import KeptElsewhere


class CannotStart(Exception):
    """Something outside is in the way; the text says what, and the remedy."""


class Refused(Exception):
    """Something is otherwise than the command takes it to be; nothing was done."""


class WrongAsked(Exception):
    """What was asked cannot be, or not by this one; nothing was done."""


@contextlib.contextmanager
def told_in_one_line() -> Iterator[None]:
    try:
        yield
    except (MissionError, ConfigError) as error:
        raise fail(str(error), Exit.BAD_INPUT) from error
    except (UnknownEpisode, AccountRefused, BundleRefused, DatabaseUrlWrong, EpisodeKept) as error:
        raise fail(str(error), Exit.BAD_INPUT) from error
    except WrongAsked as error:
        raise fail(str(error), Exit.BAD_INPUT) from error
    except Refused as error:
        raise fail(str(error), Exit.REFUSED) from error
    except (CannotStart, KeptElsewhere, LeaseTaken) as error:
        raise fail(str(error), Exit.CANNOT_START) from error
    except PersistenceError as error:
        raise fail(str(error), Exit.STORAGE) from error
    except KeyboardInterrupt:
        raise typer.Exit(Exit.INTERRUPTED) from None


def fail(message: str, code: Exit) -> typer.Exit:
    typer.echo(f"quarterdeck: {' '.join(message.split())}", err=True)
    return typer.Exit(code)
