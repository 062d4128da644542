"""What we ship of others is what they published: listed, licensed, and byte for byte as listed."""

import hashlib
import json
from pathlib import Path
from typing import TypedDict

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = ("static/vendor", "tests/browser/vendor")
NO_CONTENT_OF_OTHERS = {"vendor.json"}


class Entry(TypedDict):
    file: str
    package: str
    version: str
    licence: str
    sha256: str


def listed(folder: str) -> list[Entry]:
    entries: list[Entry] = json.loads((ROOT / folder / "vendor.json").read_text())
    return entries


ENTRIES = [(folder, entry) for folder in FOLDERS for entry in listed(folder)]


@pytest.mark.parametrize(("folder", "entry"), ENTRIES, ids=[f"{f}/{e['file']}" for f, e in ENTRIES])
def test_a_vendored_file_is_unmodified(folder: str, entry: Entry) -> None:
    content = (ROOT / folder / entry["file"]).read_bytes()
    assert hashlib.sha256(content).hexdigest() == entry["sha256"]


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_vendored_file_is_listed(folder: str) -> None:
    here = {p.relative_to(ROOT / folder).as_posix() for p in (ROOT / folder).rglob("*") if p.is_file()}
    assert here - NO_CONTENT_OF_OTHERS == {entry["file"] for entry in listed(folder)}


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_package_comes_with_its_licence(folder: str) -> None:
    entries = listed(folder)
    licensed = {e["package"] for e in entries if Path(e["file"]).name == "LICENSE" and e["licence"]}
    assert licensed == {e["package"] for e in entries}


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_package_has_one_version(folder: str) -> None:
    entries = listed(folder)
    assert len({(e["package"], e["version"]) for e in entries}) == len({e["package"] for e in entries})
