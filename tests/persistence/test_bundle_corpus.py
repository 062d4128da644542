"""A corpus of what is no whole bundle: each is refused with its reason, and nothing is written."""

from __future__ import annotations

import hashlib
import io
import tarfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Engine, func, select

from backend.domain.annotations.annotation import Annotation, Draft
from backend.persistence.annotations import SqlAnnotations
from backend.persistence.bundles.container import SEAL_BYTES, Bounds, _pack, _seal
from backend.persistence.bundles.exporting import export_bundle
from backend.persistence.bundles.importing import import_bundle
from backend.persistence.bundles.manifest import MANIFEST
from backend.persistence.connect import reading
from backend.persistence.errors import BundleRefused
from backend.persistence.frames import FrameStore
from backend.persistence.tables.journal import events, heads
from backend.persistence.tables.plain import audit
from tests.support.homes import new_home
from tests.support.sent import stored


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Engine, FrameStore]:
    """A bundle, and an installation that takes none of its damaged copies."""
    folder = tmp_path_factory.mktemp("bundles")
    _, here = new_home(folder / "here")
    store = FrameStore(str(folder / "here" / "frames"))
    file = folder / "small.bundle"
    episode = stored(here, store)
    kept = SqlAnnotations(here)
    first = kept.add(episode, Draft(seq=2, text="Slow here"), "ada", "operator")
    assert isinstance(first, Annotation)
    again = Draft(seq=2, text="Slow here again")
    kept.edit(episode, first.id, again, "ada", "operator", shown_version=1)
    export_bundle(here, store, episode, file, version="1")
    _, there = new_home(folder / "there")
    return file, there, FrameStore(str(folder / "there" / "frames"))


def counted(engine: Engine, table: Any) -> int:
    with reading(engine) as connection:
        return int(connection.execute(select(func.count()).select_from(table)).scalar_one())


def refused(small: tuple[Path, Engine, FrameStore], data: bytes, **bounds: int) -> str:
    """Why; and that nothing was written."""
    file, there, frames = small
    other = file.with_name("other.bundle")
    other.write_bytes(data)
    with pytest.raises(BundleRefused) as told:
        import_bundle(there, frames, other, "ada", bounds=Bounds(**bounds))
    assert [counted(there, table) for table in (heads, events, audit)] == [0, 0, 0]
    assert not list(file.parent.glob("there/frames/*"))
    return str(told.value)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_one_bit_off_anywhere_is_refused(small: tuple[Path, Engine, FrameStore], data: st.DataObject) -> None:
    whole = bytearray(small[0].read_bytes())
    bit = data.draw(st.integers(0, 8 * len(whole) - 1))
    whole[bit // 8] ^= 1 << bit % 8

    told = refused(small, bytes(whole))

    assert (
        "is damaged: what it holds is not what was sealed" in told
        or "is no bundle" in told
        or "newer" in told
        or "its manifest is of format" in told
    )


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_cut_swapped_or_added_to_is_refused(
    small: tuple[Path, Engine, FrameStore], data: st.DataObject
) -> None:
    whole = small[0].read_bytes()
    cuts = sorted(data.draw(st.lists(st.integers(0, len(whole)), min_size=3, max_size=3)))
    a, b, c, d = (whole[i:j] for i, j in zip([0, *cuts], [*cuts, len(whole)], strict=True))
    other = data.draw(st.sampled_from([a, a + b, a + d, a + c + b + d, whole + b, b + whole, whole * 2, b""]))
    if other != whole:
        assert "Copy it again" in (told := refused(small, other)) or "is no bundle" in told


def unpacked(file: Path) -> dict[str, bytes]:
    data = zstandard.ZstdDecompressor().stream_reader(io.BytesIO(file.read_bytes()[SEAL_BYTES + 8 :])).read()
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        return {each.name: archive.extractfile(each).read() for each in archive}  # type: ignore[union-attr]


def packed(members: Mapping[str, bytes], *, honest: bool = True) -> bytes:
    """Sealed by somebody who knows how, with a manifest that fits where `honest`."""
    members = dict(members)
    if honest:
        manifest = msgspec.json.decode(members[MANIFEST])
        for name in ("journal", "commands", "telemetry", "annotations"):
            data = members[f"{name}.jsonl"]
            manifest[name] = {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
        members[MANIFEST] = msgspec.json.encode(manifest)
    body = io.BytesIO()
    _pack(body, members.items())
    return _seal(hashlib.sha256(body.getvalue()).hexdigest()) + body.getvalue()


def _journal(change: Callable[[list[bytes]], list[bytes]]) -> Callable[[dict[str, bytes]], None]:
    def apply(members: dict[str, bytes]) -> None:
        lines = members["journal.jsonl"].splitlines(keepends=True)
        members["journal.jsonl"] = b"".join(change(lines))

    return apply


def _replaced(old: bytes, new: bytes) -> Callable[[dict[str, bytes]], None]:
    return _journal(lambda lines: [line.replace(old, new) for line in lines])


def _manifest(**values: Any) -> Callable[[dict[str, bytes]], None]:
    def apply(members: dict[str, bytes]) -> None:
        members[MANIFEST] = msgspec.json.encode({**msgspec.json.decode(members[MANIFEST]), **values})

    return apply


def _annotations(change: Callable[[list[bytes]], list[bytes]]) -> Callable[[dict[str, bytes]], None]:
    def apply(members: dict[str, bytes]) -> None:
        lines = members["annotations.jsonl"].splitlines(keepends=True)
        members["annotations.jsonl"] = b"".join(change(lines))

    return apply


def _without_annotations(members: dict[str, bytes]) -> None:
    """As it is asked for by the manifest, another member in its place."""
    order = list(members)
    kept = {name: members.pop(name) for name in order[order.index("annotations.jsonl") :]}
    members.update({name: data for name, data in kept.items() if name != "annotations.jsonl"})
    members["annotations.jsonl"] = kept["annotations.jsonl"]


def _without_frame(members: dict[str, bytes]) -> None:
    frames = msgspec.json.decode(members[MANIFEST])["frames"]
    lost = min(frames)
    del frames[lost], members[f"frames/{lost}"]
    _manifest(frames=frames)(members)


def _foreign(members: dict[str, bytes]) -> None:
    _manifest(episode="another-1")(members)


TAMPERED: Mapping[str, tuple[Callable[[dict[str, bytes]], None], str]] = {
    "reordered": (_journal(lambda lines: [*lines[:3], lines[4], lines[3], *lines[5:]]), "missing: event"),
    "an event less": (_journal(lambda lines: lines[:-1]), "heads"),
    "an event left out": (_journal(lambda lines: lines[:4] + lines[5:]), "missing: event 6 follows event 4"),
    "an event twice": (_journal(lambda lines: [*lines[:4], lines[3], *lines[4:]]), "missing: event 4"),
    "edited": (_replaced(b"operator:ada", b"operator:eve"), "chain"),
    "edited payload": (_replaced(b"bottle_1", b"bottle_2"), "not those that were hashed"),
    "no line of JSON": (_journal(lambda lines: [b"{}\n", *lines]), "journal.jsonl of the bundle, line 1"),
    "cut line": (_journal(lambda lines: [*lines[:-1], lines[-1][:-1]]), "ends in the middle of a line"),
    "newer event": (_replaced(b'"version":1', b'"version":9'), "knows versions up to 1"),
    "unknown field": (_manifest(surprise=1), "manifest cannot be read"),
    "foreign": (_foreign, "holds no whole episode"),
    "episode above": (_manifest(episode="../../etc/passwd"), "manifest cannot be read"),
    "frame above": (_manifest(frames={"../../../etc/passwd": 3}), "manifest cannot be read"),
    "a frame less": (_without_frame, "the journal names frame"),
    "a frame more": (_manifest(gone=["0" * 64]), "which the journal does not name"),
    "never ended": (_manifest(ended=False), "whether the episode ended"),
    "file more": (lambda members: members.update({"../evil": b"x"}), "holds more than its manifest names"),
    "an annotation's version less": (
        _annotations(lambda lines: lines[1:]), "lacks the version before 2",
    ),
    "an annotation of no event": (
        _annotations(lambda lines: [line.replace(b'"seq":2', b'"seq":999') for line in lines]),
        "cannot be: There is no event 999",
    ),
    "an annotation of nothing": (
        _annotations(lambda lines: [line.replace(b"Slow here", b"") for line in lines]), "nothing written",
    ),
    "an annotation's name above": (
        _annotations(lambda lines: [line.replace(b'"id":"', b'"id":"../') for line in lines]),
        "annotations.jsonl of the bundle, line 1",
    ),
    "annotations left out": (_without_annotations, "stands where annotations.jsonl"),
    "format above": (_manifest(format=9), "its manifest is of format 9"),
    "huge": (_manifest(frames={"0" * 64: 2**50}), "too large"),
}  # fmt: skip


@pytest.mark.parametrize("name", TAMPERED)
def test_tampered_and_sealed_again_is_refused(small: tuple[Path, Engine, FrameStore], name: str) -> None:
    change, told = TAMPERED[name]
    members = unpacked(small[0])
    change(members)

    assert told in refused(small, packed(members))


@pytest.mark.parametrize(
    ("kind", "target"), [(tarfile.SYMTYPE, "/etc/passwd"), (tarfile.LNKTYPE, "x"), (tarfile.DIRTYPE, "")]
)
def test_only_plain_files_are_members(
    small: tuple[Path, Engine, FrameStore], kind: bytes, target: str
) -> None:
    info = tarfile.TarInfo(MANIFEST)
    info.type, info.linkname = kind, target
    body = zstandard.compress(info.tobuf(tarfile.USTAR_FORMAT) + b"\0" * 1024)

    told = refused(small, _seal(hashlib.sha256(body).hexdigest()) + body)

    assert "is no plain file" in told


@pytest.mark.parametrize("name", [MANIFEST, "journal.jsonl"])
def test_a_bomb_is_not_unpacked(small: tuple[Path, Engine, FrameStore], name: str) -> None:
    """Tens of megabytes of nothing in a few kilobytes: by its manifest, and against it."""
    members = {**unpacked(small[0]), name: b"\0" * 2**26}
    honest = packed(members) if name != MANIFEST else packed(members, honest=False)
    assert len(honest) < 2**16

    told = refused(small, honest, manifest=2**20, text=2**24)

    assert "too large" in told or "begins with" in told
    assert "stands where" in refused(small, packed(members, honest=False)) or name == MANIFEST


@pytest.mark.parametrize(
    "data",
    [b"", b"PK\x03\x04" + b"\0" * 200, zstandard.compress(b"x" * 100), b"\x50\x2a\x4d\x18" + b"\xff" * 90],
    ids=["empty", "zip", "bare zstd", "another frame"],
)
def test_what_is_no_bundle_says_so(small: tuple[Path, Engine, FrameStore], data: bytes) -> None:
    assert "is no bundle of an episode" in refused(small, data)


def test_a_newer_format_asks_for_a_newer_version(small: tuple[Path, Engine, FrameStore]) -> None:
    whole = small[0].read_bytes().replace(b"quarterdeck bundle 002", b"quarterdeck bundle 007", 1)

    assert "newer Quarterdeck: its format is 7, this one reads 2" in refused(small, whole)


def test_a_bundle_of_the_first_format_is_still_read(
    small: tuple[Path, Engine, FrameStore], tmp_path: Path
) -> None:
    """It had no annotations."""
    members = unpacked(small[0])
    del members["annotations.jsonl"]
    manifest = msgspec.json.decode(members[MANIFEST])
    del manifest["annotations"]
    members[MANIFEST] = msgspec.json.encode({**manifest, "format": 1})
    body = io.BytesIO()
    _pack(body, members.items())
    file = tmp_path / "old.bundle"
    file.write_bytes(_seal(hashlib.sha256(body.getvalue()).hexdigest(), 1) + body.getvalue())
    _, engine = new_home(tmp_path / "home")

    taken = import_bundle(engine, FrameStore(str(tmp_path / "frames")), file, "ada")

    assert (taken.state, taken.annotations) == ("imported", 0)
