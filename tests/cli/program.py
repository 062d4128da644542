"""The program as a shell runs it: a process of its own, stdout and stderr apart."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

PATIENCE_S = 240.0


class Done(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Of the whole of stdout: a single document and nothing beside it."""
        return json.loads(self.out)


def quarterdeck(home: Path, *arguments: str, **environment: str) -> Done:
    """`QUARTERDECK_…` of this machine are left out; `environment` is given by its full names."""
    done = subprocess.run(
        [sys.executable, "-m", "backend.cli", *arguments],
        env={**clean_environment(), "QUARTERDECK_HOME": str(home), **environment},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    return Done(done.returncode, done.stdout, done.stderr)


def clean_environment() -> dict[str, str]:
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("QUARTERDECK_") and name != "OPENAI_API_KEY"
    }
