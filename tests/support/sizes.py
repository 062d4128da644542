"""Files and lines of each layer: `python -m tests.support.sizes`."""

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from tests.support.checkout import ROOT, python_files, relative, tracked_files

PAGES = {".html", ".css", ".js", ".mjs", ".sql"}


@dataclass(frozen=True)
class Layer:
    """The line counts of one layer's files."""

    name: str
    lines: tuple[int, ...]


def layers() -> list[Layer]:
    """Every room of `backend` and `robot_bridge`, the tests, and what is not Python, by name."""
    found: defaultdict[str, list[int]] = defaultdict(list)
    for folder in ("backend", "robot_bridge", "migrations", "tests"):
        for path in python_files(folder):
            found[_room(path)].append(line_count(path))
    for path in tracked_files():
        if path.suffix in PAGES and "vendor" not in path.parts:
            found[_room(path)].append(line_count(path))
    return [Layer(name, tuple(counts)) for name, counts in sorted(found.items())]


def line_count(path: Path) -> int:
    return len(path.read_text("utf-8").splitlines())


def _room(path: Path) -> str:
    parts = path.relative_to(ROOT).parts
    return "/".join(parts[:2]) if parts[0] in {"backend", "robot_bridge"} and len(parts) > 2 else parts[0]


def main() -> None:
    print(f"{'layer':26} {'files':>6} {'lines':>7} {'median':>7} {'longest':>8}")
    for layer in layers():
        print(
            f"{layer.name:26} {len(layer.lines):6} {sum(layer.lines):7} "
            f"{median(layer.lines):7.0f} {max(layer.lines):8}"
        )
    for folder in ("backend", "robot_bridge"):
        longest = sorted(python_files(folder), key=line_count, reverse=True)[:3]
        print(
            f"longest in {folder}: " + ", ".join(f"{relative(path)} {line_count(path)}" for path in longest)
        )


if __name__ == "__main__":
    main()
