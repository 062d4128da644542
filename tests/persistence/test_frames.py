"""Frames by content: whole or absent, checked whenever read."""

from __future__ import annotations

import errno
import hashlib
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from backend.persistence.errors import FrameDamaged, FrameMissing, StorageFull
from backend.persistence.frames import FrameStore

PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20
SHA256 = hashlib.sha256(PICTURE).hexdigest()


@pytest.fixture(params=["folder", "object store"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> FrameStore:
    return FrameStore(str(tmp_path / "frames") if request.param == "folder" else f"memory://{tmp_path}")


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.binary(max_size=3000))
def test_any_bytes_are_read_as_they_were_stored_under_their_hash(store: FrameStore, data: bytes) -> None:
    sha256 = store.put(data)

    assert sha256 == hashlib.sha256(data).hexdigest()
    assert store.get(sha256) == data
    assert store.put(data) == sha256


def test_what_is_not_there_is_said_to_be_missing(store: FrameStore) -> None:
    assert not store.has(SHA256)

    with pytest.raises(FrameMissing, match=rf"Frame {SHA256[:12]} is not in the store.*backup"):
        store.get(SHA256)


def test_a_removed_frame_is_missing(store: FrameStore) -> None:
    store.put(PICTURE)

    store.remove(SHA256)
    store.remove(SHA256)

    assert not store.has(SHA256)


@pytest.mark.parametrize("name", ["", "../../etc/passwd", SHA256.upper(), SHA256 + "0", f"{SHA256[:-1]}/"])
def test_only_a_hash_names_a_frame(store: FrameStore, name: str) -> None:
    with pytest.raises(FrameMissing, match="names no frame"):
        store.get(name)


@pytest.mark.parametrize("damaged", [PICTURE[:-1], b"", PICTURE[:-1] + b"x"], ids=["cut", "empty", "changed"])
def test_bytes_that_do_not_have_their_hash_are_never_handed_out(tmp_path: Path, damaged: bytes) -> None:
    store = FrameStore(str(tmp_path))
    store.put(PICTURE)
    (tmp_path / SHA256[:2] / SHA256).write_bytes(damaged)

    with pytest.raises(FrameDamaged, match="not what was stored"):
        store.get(SHA256)


def test_a_disk_that_fills_up_leaves_no_half_frame(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = FrameStore(str(tmp_path))

    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(StorageFull, match=r"disk is full.*Free some space"):
            store.put(PICTURE)

    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
    assert store.get(store.put(PICTURE)) == PICTURE


def test_many_writers_of_one_picture_leave_one_file(tmp_path: Path) -> None:
    store = FrameStore(str(tmp_path))

    with ThreadPoolExecutor(8) as pool:
        names = set(pool.map(store.put, [PICTURE] * 40))

    assert names == {SHA256}
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == [SHA256]


def test_opening_a_store_makes_nothing(tmp_path: Path) -> None:
    FrameStore(str(tmp_path / "frames"))

    assert list(tmp_path.iterdir()) == []
