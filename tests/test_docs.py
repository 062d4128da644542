"""The docs stay true: links lead somewhere, commands exist, every safety rule has its guard and its test.

To hold a page to the code, add a test here: a table that must list every X, or a page that each X must have.
"""

import re
from pathlib import Path

import pytest
import typer

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
    ["backend/domain/decide/guards.py", "backend/usecases/append_guards.py", "robot_bridge/guards.py"],
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
