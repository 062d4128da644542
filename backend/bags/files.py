"""A file that is whole or not there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from backend.bags.errors import BagRefused


@contextmanager
def new_file(path: Path) -> Iterator[BinaryIO]:
    """Takes its name when the block ends. Raises BagRefused where the name is taken or cannot be written."""
    unfinished = path.with_name(f".{path.name}.part")
    if path.exists():
        raise BagRefused(f"{path} is there already. Name another file.")
    try:
        with unfinished.open("wb") as file:
            yield file
        unfinished.replace(path)
    except OSError as error:
        raise BagRefused(
            f"{path} cannot be written: {error.strerror or error}. Name another file."
        ) from error
    finally:
        unfinished.unlink(missing_ok=True)
