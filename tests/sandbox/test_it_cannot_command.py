"""The contract that keeps the sandbox from bridge, inbox and journal: it holds, and it bites."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from backend.sandbox import ports
from backend.usecases.ports import Bridge
from tests.support.checkout import ROOT

CONTRACT = "sandbox-commands-nothing"
LINT = (
    "import sys; from importlinter.cli import lint_imports;"
    "sys.exit(lint_imports(config_filename='lint.toml', no_logo=True, cache_dir=None))"
)
WAYS = {
    "harmless": ("import backend.domain", True),
    "a bridge": ("import backend.bridge.link", False),
    "by way of the domain": ("import backend.domain.way", False),
    "the journal": ("from backend.persistence import journal", False),
    "a socket": ("def f():\n    import socket", False),
}


@pytest.mark.parametrize("way", WAYS)
def test_it_bites(way: str, tmp_path: Path) -> None:
    line, allowed = WAYS[way]
    tree = {
        "backend/sandbox/asking.py": line,
        "backend/domain/way.py": "import backend.usecases.ports" if way == "by way of the domain" else "",
        "backend/usecases/ports.py": "class Bridge: ...",
        "backend/bridge/link.py": "",
        "backend/persistence/journal.py": "",
        "backend/processes/runner.py": "",
        "backend/web/app.py": "",
        "robot_bridge/bridge.py": "",
    }
    for name, text in tree.items():
        file = tmp_path / name
        for folder in (file.parent, file.parent.parent):
            folder.mkdir(parents=True, exist_ok=True)
            if folder != tmp_path:
                (folder / "__init__.py").touch()
        file.write_text(f"{text}\n", "utf-8")
    (tmp_path / "lint.toml").write_text(_config(), "utf-8")

    done = subprocess.run([sys.executable, "-c", LINT], cwd=tmp_path, capture_output=True, text=True)

    assert (done.returncode == 0) is allowed, done.stdout + done.stderr
    assert ("BROKEN" in done.stdout) is not allowed


def test_what_it_is_given_has_neither_address_nor_hello() -> None:
    given = {name for port in (ports.Planner, ports.SimulatedWorld) for name in vars(port)}

    assert (
        given & {"hello", "submit", "release", "stop", "cancel", "heartbeat", "address", "append", "take"}
        == set()
    )
    assert {name for name in vars(Bridge) if not name.startswith("_")} & given == set()


def _config() -> str:
    linter = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    [contract] = [each for each in linter["contracts"] if each["id"] == CONTRACT]
    lines = [f"{name} = {value!r}" for name, value in contract.items()]
    head = (
        "[tool.importlinter]\nroot_packages = ['backend', 'robot_bridge']\ninclude_external_packages = true\n"
    )
    return "\n".join([head, "[[tool.importlinter.contracts]]", *lines]) + "\n"
