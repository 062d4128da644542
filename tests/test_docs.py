"""The docs stay true: links lead somewhere, commands exist, every safety rule has its guard and its test.

To hold a page to the code, add a test here: a table that must list every X, or a page that each X must have.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from pydantic import SecretStr

from backend.config import PREFIX, Settings
from backend.domain.command.policy import RiskRules
from backend.domain.execution.budgets import Budgets
from backend.domain.memory.configuration import NAMED, MemoryConfiguration
from backend.domain.mission.mission import Mission, World
from backend.processes.exits import Exit
from tests.mutants.disarm import find_guard
from tests.mutants.rules import read_rules
from tests.support.checkout import ROOT, relative, tracked_files
from tests.support.pages import code_words, commands, leads_somewhere, links

PAGES = [path for path in tracked_files() if path.suffix == ".md" and "vendor" not in path.parts]
SAFETY = ROOT / "docs" / "safety.md"
OURS = ("backend/", "robot_bridge/", "frontend/", "static/", "migrations/", "missions/", "tests/", "docs/")


@pytest.mark.parametrize("page", PAGES, ids=relative)
def test_relative_links_lead_somewhere(page: Path) -> None:
    assert {link for link in links(page) if not leads_somewhere(page, link)} == set()


@pytest.mark.parametrize("page", PAGES, ids=relative)
def test_files_that_a_page_names_exist(page: Path) -> None:
    """A path in code style that begins in one of our folders names a file or folder that is there."""
    named = {word for word in code_words(page) if word.startswith(OURS) and re.fullmatch(r"[\w./-]+", word)}

    assert {name for name in named if not (ROOT / name).exists()} == set()


@pytest.mark.parametrize("page", PAGES, ids=relative)
def test_make_targets_that_a_page_names_exist(page: Path) -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    named = {words[1] for words in commands(page) if words[0] == "make" and words[1:] and words[1].isalpha()}

    assert named - targets == set()


@pytest.mark.parametrize("page", PAGES, ids=relative)
def test_commands_and_options_that_a_page_names_exist(page: Path) -> None:
    lines = [words for words in commands(page) if words[0] == "quarterdeck"]

    assert {fault for words in lines if (fault := fault_in(words))} == set()


def test_each_promise_of_the_console_is_shown_by_tests_that_are_there() -> None:
    page = (ROOT / "docs" / "reference" / "console.md").read_text("utf-8")
    rows = [line.split(" | ") for line in page.splitlines() if re.match(r"\| (\d+|–) \|", line)]
    assert [row[0] for row in rows] == [*(f"| {point}" for point in range(1, 13)), "| –"]
    for row in rows:
        named = re.findall(r"`(test_\w+\.py)::(test_\w+)`", row[-1])
        assert named, row[0]
        for file, name in named:
            assert f"def {name}(" in (ROOT / "tests" / "browser" / file).read_text("utf-8"), name


def test_every_safety_rule_has_its_guard_and_its_test() -> None:
    for rule in read_rules(SAFETY):
        find_guard((ROOT / rule.guard_file).read_text("utf-8"), rule.guard)
        file, *names = rule.test.partition("[")[0].split("::")
        source = (ROOT / file).read_text("utf-8")
        assert all(
            re.search(rf"^\s*(?:async )?(?:def|class) {name}\b", source, re.MULTILINE) for name in names
        ), rule


def test_safety_rules_are_numbered_without_gaps() -> None:
    names = [rule.name for rule in read_rules(SAFETY)]

    assert names == [f"S{number}" for number in range(1, len(names) + 1)]


@pytest.mark.parametrize(
    "module",
    [
        "backend/domain/decide/guards.py",
        "backend/domain/decide/conn_guards.py",
        "backend/domain/decide/memory_guards.py",
        "backend/domain/memory/words.py",
        "backend/usecases/append_guards.py",
        "robot_bridge/guards.py",
        "robot_bridge/ros/guards.py",
        "robot_bridge/ros/child/guards.py",
    ],
)
def test_every_guard_is_a_safety_rule(module: str) -> None:
    guards = set(re.findall(r"^def (refuse_\w+)", (ROOT / module).read_text("utf-8"), re.MULTILINE))

    assert guards - {rule.guard for rule in read_rules(SAFETY) if rule.guard_file == module} == set()


def test_the_map_of_rooms_names_every_room() -> None:
    """Each package and module of backend, each room of the domain, each folder of the checkout."""
    named = {word.rstrip("/") for word in code_words(ROOT / "docs" / "architecture.md")}
    modules = {relative(path) for path in (ROOT / "backend").glob("*.py")} - {"backend/__init__.py"}
    inits = [
        init for folder in ("backend", "backend/domain") for init in (ROOT / folder).glob("*/__init__.py")
    ]
    packages = {relative(init.parent) for init in inits}
    folders = {relative(path).partition("/")[0] for path in tracked_files() if "/" in relative(path)}

    rooms = modules | packages | {name for name in folders if not name.startswith(".")}
    assert rooms - named - {"backend"} == set()


def fault_in(words: list[str]) -> str | None:
    """What the command line, as a page writes it, asks for and the program does not have."""
    from backend.cli import app

    command = typer.main.get_command(app)
    for word in (each.strip("[]") for each in words[1:]):
        if word.startswith("--"):
            option = word.partition("=")[0]
            if option != "--help" and not any(
                option in {*each.opts, *each.secondary_opts} for each in command.params
            ):
                return f"{' '.join(words)}: no option {option}"
        elif subcommands := getattr(command, "commands", None):
            alternatives = [each for each in word.split("|") if each not in subcommands]
            if alternatives:
                return f"{' '.join(words)}: no command {alternatives[0]}"
            command = subcommands[word.split("|")[0]]
    return None


def test_each_command_has_its_section_with_each_of_its_options() -> None:
    page = (ROOT / "docs" / "reference" / "cli.md").read_text("utf-8")
    sections = {
        part.partition("\n")[0]: set(re.findall(r"^\| `(--[\w-]+)`", part, re.MULTILINE))
        for part in page.split("\n## ")[1:]
    }
    del sections["Exit codes"]

    assert sections == dict(all_commands())


def all_commands() -> Iterator[tuple[str, set[str]]]:
    """Each command by its full name, with its options."""
    from backend.cli import app

    waiting = [("", typer.main.get_command(app))]
    while waiting:
        name, command = waiting.pop()
        subcommands = getattr(command, "commands", None)
        if subcommands is None:
            yield name.strip(), {option for each in command.params for option in each.opts if "--" in option}
        else:
            waiting += [(f"{name} {under}", each) for under, each in subcommands.items()]


def test_each_setting_is_listed_with_its_default() -> None:
    rows = table_rows("docs/reference/settings.md", r"`(QUARTERDECK_\w+)`", r"(?:`([^`]*)`|empty)", r"(.+?)")

    assert rows == {
        f"{PREFIX}{name.upper()}": (shown(field.default), field.description)
        for name, field in Settings.model_fields.items()
    }


def shown(default: object) -> str:
    if isinstance(default, SecretStr):
        default = default.get_secret_value()
    return "" if default is None else str(default).lower() if isinstance(default, bool) else str(default)


def test_each_exit_code_is_listed() -> None:
    rows = table_rows("docs/reference/cli.md", r"(\d+)", r"`([A-Z_]+)`", r"(.+?)")

    assert {int(code): name for code, (name, _) in rows.items()} == {each.value: each.name for each in Exit}


def test_each_field_of_a_mission_is_explained() -> None:
    page = (ROOT / "docs" / "how-to" / "write-a-mission.md").read_text("utf-8")
    explained = set(re.findall(r"^\| `([\w.]+)`", page, re.MULTILINE))
    fields = [
        field
        for struct in (Mission, World, Budgets, MemoryConfiguration)
        for field in struct.__struct_fields__
    ]
    risks = {f"risk.{name}" for name in RiskRules.__struct_fields__}

    assert explained - {"like", "mode"} == {*fields, *risks}
    assert {f"`{name}`" for name in NAMED} <= set(re.findall(r"`\w+`", page))


def table_rows(page: str, *columns: str) -> dict[str, tuple[str, ...]]:
    """The rows of a page's tables whose cells are as `columns`, by the first of them."""
    pattern = re.compile(r"^\| " + r" \| ".join(columns) + r" \|$", re.MULTILINE)
    found = pattern.findall((ROOT / page).read_text("utf-8"))
    return {first: tuple(rest) for first, *rest in found}
