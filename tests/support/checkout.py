"""The checkout as tests see it: which files are the project's, and which of them are Python."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LEFT_OUT = {".git", ".venv", "__pycache__", "build", "dist", "node_modules", "output", "var"}


def tracked_files() -> list[Path]:
    """What git tracks, new files not yet added included; without git, whatever is no cache and no state."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
        names = filter(None, listed.split("\0"))
        return sorted(path for name in names if (path := ROOT / name).is_file())
    except (FileNotFoundError, subprocess.CalledProcessError):
        return sorted(_walk(ROOT))


def python_files(folder: str) -> list[Path]:
    """The modules under `folder`, sorted."""
    return [path for path in sorted((ROOT / folder).rglob("*.py")) if not LEFT_OUT & set(path.parts)]


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def _walk(folder: Path) -> Iterator[Path]:
    for path in folder.iterdir():
        if path.name in LEFT_OUT or path.name.endswith(("_cache", ".egg-info")) or path.name == ".hypothesis":
            continue
        if path.is_dir():
            yield from _walk(path)
        else:
            yield path
