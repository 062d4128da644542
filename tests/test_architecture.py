"""House rules as failing tests: which way imports point, what the domain may know, how long a file grows."""

import ast
import sys
from pathlib import Path
from statistics import median

import pytest
from importlinter.cli import lint_imports

from tests.support.checkout import ROOT, python_files, relative
from tests.support.sizes import line_count

# What a pure decision may use of the standard library. No clock, chance, file, socket, thread or log.
PURE = {
    "__future__", "abc", "base64", "bisect", "collections", "contextlib", "copy", "dataclasses", "decimal",
    "binascii", "difflib",
    "enum", "fractions", "functools", "hashlib", "heapq", "itertools", "json", "math", "operator", "re",
    "statistics", "string", "struct", "textwrap", "types", "typing", "unicodedata", "zlib",
}  # fmt: skip
DOMAIN_MAY_IMPORT = PURE | {"backend", "msgspec", "numpy"}
IMPURE_CALLS = {"breakpoint", "eval", "exec", "input", "open", "print"}

MEDIAN_LINES = 140
LONGEST_LINES = 350
# Files past 350 lines that were asked which second idea lives there, and answered.
ONE_IDEA_ALL_THE_SAME: dict[str, str] = {
    "robot_bridge/contract.py": "the contract is one file, so that a robot's computer can carry it alone",
    "backend/domain/episode/events.py": "the journal's vocabulary is one list, and its union names all of it",
}

DOMAIN = python_files("backend/domain")


def test_imports_point_one_way(capsys: pytest.CaptureFixture[str]) -> None:
    code = lint_imports(config_filename=str(ROOT / "pyproject.toml"), no_logo=True, cache_dir=None)

    assert code == 0, capsys.readouterr().out


@pytest.mark.parametrize("path", DOMAIN, ids=relative)
def test_the_domain_imports_only_what_is_pure(path: Path) -> None:
    assert imported_packages(path) - DOMAIN_MAY_IMPORT == set()


@pytest.mark.parametrize("path", DOMAIN, ids=relative)
def test_the_domain_neither_reads_nor_prints_nor_draws_lots(path: Path) -> None:
    found = {
        f"line {node.lineno}: {ast.unparse(node)}"
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if (isinstance(node, ast.Name) and node.id in IMPURE_CALLS)
        or (isinstance(node, ast.Attribute) and ast.unparse(node) in {"np.random", "numpy.random"})
    }

    assert found == set()


def test_the_robot_s_contract_runs_on_old_robots() -> None:
    """Python 3.8 grammar and the standard library alone: a robot's computer is rarely the newest."""
    contract = ROOT / "robot_bridge" / "contract.py"

    tree = ast.parse(contract.read_text("utf-8"), feature_version=(3, 8))

    # Else `int | None` and `list[int]` parse there, and fail when the module is imported.
    assert "annotations" in {
        alias.name for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names
    }
    assert imported_packages(contract) - set(sys.stdlib_module_names) == set()


@pytest.mark.parametrize("package", ["backend", "robot_bridge"])
def test_files_stay_short(package: str) -> None:
    lengths = {relative(path): line_count(path) for path in python_files(package)}
    too_long = {name for name, lines in lengths.items() if lines > LONGEST_LINES}

    assert too_long - set(ONE_IDEA_ALL_THE_SAME) == set(), "which second idea lives there?"
    assert median(lengths.values()) <= MEDIAN_LINES


def test_no_test_hides_in_a_file_that_pytest_does_not_read() -> None:
    hidden = {
        relative(path)
        for path in python_files("tests")
        if not path.name.startswith("test_")
        and any(
            isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
            for node in ast.walk(ast.parse(path.read_text("utf-8")))
        )
    }

    assert hidden == set()


def test_every_folder_of_code_is_a_package() -> None:
    """Else two test modules of one name collide, and a folder is left out of the wheel unseen."""
    folders = {path.parent for name in ("backend", "robot_bridge", "tests") for path in python_files(name)}

    assert {relative(folder) for folder in folders if not (folder / "__init__.py").is_file()} == set()


def imported_packages(path: Path) -> set[str]:
    """The top-level names a module imports, within functions and under TYPE_CHECKING too."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found.add(node.module.partition(".")[0])
    return found
