"""Robots' files by name: those in a folder of the home, and those that come along."""

from __future__ import annotations

from pathlib import Path

SHIPPED = Path(__file__).resolve().parent / "robots"


def robot_names(folder: Path | None) -> tuple[str, ...]:
    return tuple(sorted(_files(folder)))


def robot_file(name: str, folder: Path | None) -> Path:
    """Raises ValueError where there is none of that name."""
    files = _files(folder)
    if name not in files:
        where = f" in {folder}" if folder is not None else ""
        raise ValueError(
            f"Robot {name[:80]!r} is unknown: there is no file {name[:80]}.yaml{where}."
            f" Known are: {', '.join(sorted(files)) or 'none'}."
        )
    return files[name]


def _files(folder: Path | None) -> dict[str, Path]:
    found = {file.stem: file for file in SHIPPED.glob("*.yaml")}
    if folder is not None:
        found.update({file.stem: file for file in folder.glob("*.yaml")})
    return found
