"""The file itself: sealed, packed, and read again within bounds, whoever made it.

No member's name becomes a path: a name is compared with the manifest's, and a frame lies under its hash.
"""

from __future__ import annotations

import hashlib
import tarfile
from collections.abc import Callable, Iterable, Iterator
from io import BufferedRandom, BufferedReader, BytesIO
from pathlib import Path
from typing import Protocol

import msgspec
import zstandard

from backend.persistence.bundles.manifest import FORMAT, FRAMES, MANIFEST, Manifest
from backend.persistence.errors import BundleRefused

SKIPPABLE = b"\x50\x2a\x4d\x18"
"""A frame that decompressors of zstd pass over."""
NAME = b"quarterdeck bundle "
SEAL_BYTES = len(NAME) + 4 + 64 + 1
WINDOW_BYTES = 2**26
BLOCK = tarfile.BLOCKSIZE
COPY = "Copy it again from where it was made, or export the episode again."


class Bounds(msgspec.Struct, frozen=True, kw_only=True):
    """The most that is unpacked, in bytes: in all, of one text member, of one frame, of the manifest."""

    total: int = 8 * 2**30
    text: int = 2**30
    frame: int = 2**26
    manifest: int = 2**25


class _Reader(Protocol):
    def read(self, size: int = -1) -> bytes: ...


def write_sealed(path: Path, members: Iterable[tuple[str, bytes]]) -> None:
    """Whole or not at all. Raises BundleRefused where a file of that name is there, or cannot be."""
    unfinished = path.with_name(f".{path.name}.part")
    try:
        if path.exists():
            raise BundleRefused(f"{path} is there already.", field="--output", remedy="Name another file.")
        with unfinished.open("wb+") as file:
            file.write(_seal(""))
            _pack(file, members)
            file.seek(SEAL_BYTES + 8)
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            file.seek(0)
            file.write(_seal(digest))
        unfinished.replace(path)
    except OSError as error:
        reason = error.strerror or str(error)
        raise BundleRefused(
            f"{path} cannot be written: {reason}.", field="--output", remedy="Name another file."
        ) from error
    finally:
        unfinished.unlink(missing_ok=True)


def _seal(digest: str, version: int = FORMAT) -> bytes:
    text = NAME + f"{version:03d}\n{digest:0>64}\n".encode()
    return SKIPPABLE + len(text).to_bytes(4, "little") + text


def _pack(file: BufferedRandom | BytesIO, members: Iterable[tuple[str, bytes]]) -> None:
    packer = zstandard.ZstdCompressor(level=10, write_checksum=True)
    with (
        packer.stream_writer(file, closefd=False) as packed,
        tarfile.open(fileobj=packed, mode="w|", format=tarfile.USTAR_FORMAT) as archive,
    ):
        for name, data in members:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, BytesIO(data))


def read_sealed(path: Path, bounds: Bounds, take: Callable[[Manifest, str, bytes], None]) -> Manifest:
    """Every member after the manifest is given to `take`, each as long and as hashed as the manifest says.

    Raises BundleRefused at the first thing that is not so; what was taken until then must count for nothing.
    """
    try:
        with path.open("rb") as file:
            version = _checked_seal(path, file)
            unpacked = zstandard.ZstdDecompressor(max_window_size=WINDOW_BYTES).stream_reader(
                file, read_across_frames=False
            )
            return _members(path, unpacked, version, bounds, take)
    except OSError as error:
        reason = error.strerror or str(error)
        raise BundleRefused(f"{path} cannot be read: {reason}.", field="FILE") from error
    except (zstandard.ZstdError, tarfile.TarError, EOFError) as error:
        raise _damaged(path, f"it does not unpack: {error}") from error


def _checked_seal(path: Path, file: BufferedReader) -> int:
    """The format that it says; its manifest says the same, for the digest is of all but these words."""
    head = file.read(SEAL_BYTES + 8)
    start = SKIPPABLE + SEAL_BYTES.to_bytes(4, "little") + NAME
    if not head.startswith(start):
        raise BundleRefused(
            f"{path} is no bundle of an episode.",
            field="FILE",
            remedy="Name a file that quarterdeck episodes export wrote.",
        )
    version = head[len(start) :].partition(b"\n")[0]
    if version.isdigit() and int(version) > FORMAT:
        raise BundleRefused(
            f"{path} was made by a newer Quarterdeck: its format is {int(version)}, this one reads {FORMAT}.",
            field="FILE",
            remedy="Import it with that version or a newer one.",
        )
    found = hashlib.file_digest(file, "sha256").hexdigest()
    if not version.isdigit() or head != _seal(found, int(version)):
        raise _damaged(path, "what it holds is not what was sealed")
    file.seek(SEAL_BYTES + 8)
    return int(version)


def _members(
    path: Path, unpacked: _Reader, version: int, bounds: Bounds, take: Callable[[Manifest, str, bytes], None]
) -> Manifest:
    name, size = _header(path, unpacked)
    if name != MANIFEST or size > bounds.manifest:
        raise _damaged(path, f"it begins with {name[:80]!r} of {size} bytes, not with its manifest")
    manifest = _manifest(path, version, _data(path, unpacked, size))
    _refuse_too_large(path, manifest, bounds)
    for expected, member in manifest.members():
        name, size = _header(path, unpacked)
        if (name, size) != (expected, member.bytes):
            told = f"{name[:80]!r} of {size} bytes stands where {expected} of {member.bytes} should"
            raise _damaged(path, told)
        data = _data(path, unpacked, size)
        if hashlib.sha256(data).hexdigest() != member.sha256:
            raise _damaged(path, f"{expected} is not what the manifest says")
        take(manifest, expected, data)
    if _exactly(path, unpacked, BLOCK).strip(b"\0"):
        raise _damaged(path, "it holds more than its manifest names")
    return manifest


def _manifest(path: Path, version: int, data: bytes) -> Manifest:
    try:
        manifest = msgspec.json.decode(data, type=Manifest)
    except msgspec.DecodeError as error:
        raise _damaged(path, f"its manifest cannot be read: {error}") from error
    if not 1 <= manifest.format == version:
        raise _damaged(path, f"its manifest is of format {manifest.format}")
    return manifest


def _refuse_too_large(path: Path, manifest: Manifest, bounds: Bounds) -> None:
    total = 0
    for name, member in manifest.members():
        most = bounds.frame if name.startswith(FRAMES) else bounds.text
        total += member.bytes
        if member.bytes > most or total > bounds.total:
            raise BundleRefused(
                f"{path} is too large: unpacked, {name} makes it {total} bytes, and {most} of one member"
                f" or {bounds.total} in all is the most.",
                field="FILE",
                remedy="No episode is that large; do not trust the file.",
            )


def _header(path: Path, unpacked: _Reader) -> tuple[str, int]:
    block = _exactly(path, unpacked, BLOCK)
    if not block.strip(b"\0"):
        raise _damaged(path, "it ends before all that its manifest names")
    info = tarfile.TarInfo.frombuf(block, "utf-8", "strict")
    if info.type != tarfile.REGTYPE or info.size < 0:
        raise _damaged(path, f"{info.name[:80]!r} is no plain file")
    return info.name, info.size


def _data(path: Path, unpacked: _Reader, size: int) -> bytes:
    data = _exactly(path, unpacked, size)
    _exactly(path, unpacked, -size % BLOCK)
    return data


def _exactly(path: Path, unpacked: _Reader, size: int) -> bytes:
    """As many bytes, read in pieces: a size that is claimed takes no memory before it is there."""
    data = b"".join(_pieces(unpacked, size))
    if len(data) != size:
        raise _damaged(path, "it ends in the middle")
    return data


def _pieces(unpacked: _Reader, size: int) -> Iterator[bytes]:
    while size > 0:
        piece = unpacked.read(min(size, 2**20))
        if not piece:
            return
        size -= len(piece)
        yield piece


def _damaged(path: Path, reason: str) -> BundleRefused:
    return BundleRefused(f"{path} is damaged: {reason}.", field="FILE", remedy=COPY)
