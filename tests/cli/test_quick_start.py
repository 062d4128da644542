"""Whoever stops a robot from a terminal does not wait for what other commands need."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

import pytest

from backend.commands.failures import EXITS, exit_of
from backend.persistence.errors import UnknownEpisode
from backend.processes.exits import Exit
from tests.cli.program import clean_environment

HEAVY = ("sqlalchemy", "alembic", "fastapi", "starlette", "jinja2", "numpy", "mujoco", "backend.bootstrap")
LOOK = f"""
import sys
from backend.cli import app
try:
    app(sys.argv[1:])
except SystemExit as ended:
    print(ended.code, *sorted(set({HEAVY}) & sys.modules.keys()))
"""


def test_commands_to_a_server_need_neither_database_nor_web_nor_numbers() -> None:
    nobody = ("hold", "e-1", "--server", "http://127.0.0.1:9")
    done = subprocess.run(
        [sys.executable, "-c", LOOK, *nobody],
        env={**clean_environment(), "QUARTERDECK_TOKEN": "qdt_x"},
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout.split() == [str(int(Exit.CANNOT_START))], done.stdout
    assert "http://127.0.0.1:9 does not answer" in done.stderr


@pytest.mark.parametrize("name", EXITS)
def test_each_failure_with_an_exit_code_exists(name: str) -> None:
    module, _, kind = name.rpartition(".")
    found = getattr(import_module(module), kind)
    assert issubclass(found, Exception)
    assert f"{found.__module__}.{found.__qualname__}" == name


def test_the_nearest_class_says_how_it_ends_and_a_defect_is_none_of_them() -> None:
    assert exit_of(UnknownEpisode) is Exit.BAD_INPUT
    assert exit_of(KeyError) is None
