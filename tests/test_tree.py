"""What may lie in the repository: nothing of the machine it was written on; a lock that pins everything."""

import re
import tomllib

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.support.checkout import ROOT, relative, tracked_files

# Written in pieces, so that this file does not contain what it looks for.
MACHINE_PATH = re.compile(r"(?<![\w.:/-])/" + r"(?:work|root|home/\w+)/")
REGISTRY = re.compile(
    "|".join(("py" + "pi\\.org", "python" + "hosted\\.org", "npm" + "js\\.(?:org|com)", "deb\\.debian"))
)
BINARY = {".png", ".jpg", ".jpeg", ".woff2", ".ico", ".gif", ".webp", ".sqlite", ".db", ".npz"}
LARGEST_BYTES = 2_000_000

TEXTS = [path for path in tracked_files() if path.suffix not in BINARY]


@pytest.mark.parametrize("pattern", [MACHINE_PATH, REGISTRY], ids=["machine path", "registry host"])
def test_no_tracked_file_tells_of_the_machine_it_was_written_on(pattern: re.Pattern[str]) -> None:
    found = {
        f"{relative(path)}:{number}"
        for path in TEXTS
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1)
        if pattern.search(line)
    }

    assert found == set()


def test_no_tracked_file_is_large() -> None:
    assert {relative(path) for path in tracked_files() if path.stat().st_size > LARGEST_BYTES} == set()


def test_the_lock_pins_each_package_by_hash_and_names_no_index() -> None:
    lock = (ROOT / "requirements.lock").read_text("utf-8")

    unpinned = {block.split()[0] for block in lock_blocks(lock) if "--hash=sha256:" not in block}

    assert unpinned == set()
    assert "://" not in lock
    assert not re.search(r"--(?:extra-)?index-url|--find-links", lock)


def test_the_lock_satisfies_what_the_package_asks_for() -> None:
    pinned: dict[str, list[str]] = {}
    for block in lock_blocks((ROOT / "requirements.lock").read_text("utf-8")):
        name, version = re.match(r"([\w.-]+)==([^\s;\\]+)", block).groups()
        pinned.setdefault(canonicalize_name(name), []).append(version)

    wrong = {
        str(asked)
        for asked in declared_requirements()
        if not any(
            asked.specifier.contains(version) for version in pinned.get(canonicalize_name(asked.name), [])
        )
    }

    assert wrong == set(), "run: make lock"


def test_every_requirement_is_bounded_above() -> None:
    unbounded = {
        str(asked)
        for asked in declared_requirements()
        if not any(bound.operator in {"<", "<=", "==", "~="} for bound in asked.specifier)
    }

    assert unbounded == set()


def declared_requirements() -> list[Requirement]:
    package = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    asked = [*package["project"]["dependencies"], *package["dependency-groups"]["dev"]]
    return [Requirement(text) for text in asked]


def lock_blocks(lock: str) -> list[str]:
    """One text a package: the line that pins it, with the hashes and reasons that follow."""
    return [block for block in re.split(r"^(?=[\w.-]+==)", lock, flags=re.MULTILINE) if "==" in block]


def test_the_patterns_find_what_they_are_for() -> None:
    assert MACHINE_PATH.search("open('/" + "root/x.db')")
    assert MACHINE_PATH.search("see /" + "home/someone/project")
    assert not MACHINE_PATH.search("http://robot.local/work/order")
    assert REGISTRY.search("https://" + "registry.npm" + "js.org/leaflet")
