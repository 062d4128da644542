"""Reads the safety rules from the tables of docs/safety.md that have the columns Rule, Guard and Test."""

from dataclasses import dataclass
from pathlib import Path

COLUMNS = ("Rule", "Guard", "Test")


class MutantsError(Exception):
    """A safety rule cannot be tried as it is written down."""


@dataclass(frozen=True, kw_only=True)
class Rule:
    """One safety rule, the function that enforces it, and the test that would notice its absence."""

    name: str
    guard_file: str
    guard: str
    test: str


def read_rules(document: Path) -> tuple[Rule, ...]:
    """Every rule of the document, in its order. Raises `MutantsError` for a malformed row, or for none."""
    if not document.is_file():
        raise MutantsError(f"{document} does not exist yet: write the table {' | '.join(COLUMNS)} there")
    rules: list[Rule] = []
    columns: dict[str, int] | None = None
    for number, line in enumerate(document.read_text("utf-8").splitlines(), start=1):
        cells = _cells(line)
        if cells is None:
            columns = None
        elif set(COLUMNS) <= set(cells):
            columns = {name: cells.index(name) for name in COLUMNS}
        elif columns is not None and not _is_ruler(cells):
            rules.append(_rule([cells[columns[name]] for name in COLUMNS], f"{document.name}:{number}"))
    if not rules:
        raise MutantsError(f"{document} has no table with the columns {' | '.join(COLUMNS)}")
    if len({rule.name for rule in rules}) < len(rules):
        raise MutantsError(f"{document} numbers two rules alike")
    return tuple(rules)


def _cells(line: str) -> list[str] | None:
    text = line.strip()
    return [cell.strip() for cell in text.strip("|").split("|")] if text.startswith("|") else None


def _is_ruler(cells: list[str]) -> bool:
    return all(set(cell) <= set(":- ") for cell in cells)


def _rule(cells: list[str], place: str) -> Rule:
    statement, guard, test = (cell.replace("`", "").strip() for cell in cells)
    guard_file, colon, function = guard.rpartition(":")
    if not colon or not guard_file.endswith(".py") or "::" not in test or not statement:
        raise MutantsError(
            f"{place}: a row needs a rule, a guard path/to/file.py:function and a test file::name"
        )
    return Rule(name=statement.split()[0].strip("*.:"), guard_file=guard_file, guard=function, test=test)
