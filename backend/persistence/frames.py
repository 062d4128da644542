"""Frames by content: a picture lies under its SHA-256, is whole or absent, and is checked at each read.

Write before the transaction that refers to it. The root is a folder or any fsspec URL.
"""

from __future__ import annotations

import hashlib
import os
import re
import uuid
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from fsspec.core import url_to_fs
from fsspec.implementations.local import LocalFileSystem

from backend.persistence.errors import FrameDamaged, FrameMissing
from backend.persistence.failures import told_plainly

_SHA256 = re.compile(r"[0-9a-f]{64}")


class Stored(NamedTuple):
    """`stored_s`: when, epoch seconds; 0 where the store does not say."""

    sha256: str
    bytes: int
    stored_s: float


class FrameStore:
    """`root` is made at the first write."""

    def __init__(self, root: str) -> None:
        self._root = root

    def put(self, data: bytes) -> str:
        """Stores `data` and returns its hex SHA-256. Durable when it returns. Raises StorageFull."""
        sha256 = hashlib.sha256(data).hexdigest()
        system, path = self._place(sha256)
        with told_plainly():
            if system.exists(path):
                if isinstance(system, LocalFileSystem):
                    os.utime(path)  # wanted anew: no sweep takes it before the row that will name it
                return sha256
            if isinstance(system, LocalFileSystem):
                _write_durably(Path(path), data)
            else:  # object stores show an object when it is whole
                system.pipe_file(path, data)
        return sha256

    def get(self, sha256: str) -> bytes:
        """Raises FrameMissing or FrameDamaged."""
        system, path = self._place(sha256)
        try:
            data: bytes = system.cat_file(path)
        except FileNotFoundError as error:
            remedy = "Restore it from a backup of the home."
            raise FrameMissing(
                f"Frame {sha256[:12]} is not in the store.", field="sha256", remedy=remedy
            ) from error
        if hashlib.sha256(data).hexdigest() != sha256:
            raise FrameDamaged(
                f"Frame {sha256[:12]} is not what was stored under that name.",
                field="sha256",
                remedy="Restore it from a backup of the home.",
            )
        return data

    def has(self, sha256: str) -> bool:
        system, path = self._place(sha256)
        return bool(system.exists(path))

    def remove(self, sha256: str) -> None:
        """Takes the bytes away; rows keep the hash."""
        system, path = self._place(sha256)
        if system.exists(path):
            system.rm_file(path)

    def listing(self) -> list[Stored]:
        """Every picture, in no order."""
        system, root = url_to_fs(self._root)
        if not system.exists(root):
            return []
        found = system.find(root, detail=True).values()
        return [
            Stored(name, int(info["size"] or 0), _stored_s(info))
            for info in found
            if _SHA256.fullmatch(name := str(info["name"]).rpartition("/")[2])
        ]

    def _place(self, sha256: str) -> tuple[LocalFileSystem, str]:
        if not _SHA256.fullmatch(sha256):
            raise FrameMissing(
                f"{sha256[:80]!r} names no frame.",
                field="sha256",
                remedy="A frame's name is its SHA-256 in hex.",
            )
        system, root = url_to_fs(self._root)
        return system, f"{root.rstrip('/')}/{sha256[:2]}/{sha256}"


def _stored_s(info: Mapping[str, Any]) -> float:
    """Stores say it in manners of their own."""
    for key in ("mtime", "LastModified", "updated", "last_modified"):
        value = info.get(key)
        if isinstance(value, int | float):
            return float(value)
        if isinstance(value, datetime):
            return value.timestamp()
    return 0.0


def _write_durably(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{uuid.uuid4().hex}")
    try:
        with unfinished.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    finally:
        unfinished.unlink(missing_ok=True)
