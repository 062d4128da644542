"""Writes this version's journals: `python -m tests.journals.record v1`. Refuses where the folder is there."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import msgspec
from sqlalchemy import Engine

from backend.evaluation.arms import arm
from backend.evaluation.bare import play_into
from backend.persistence.archive import export
from backend.persistence.connect import open_database, sqlite_url
from backend.persistence.heads import order_episode
from backend.persistence.inbox import SqlInbox
from backend.persistence.journal import SqlJournal
from backend.persistence.reader import SqlReader
from backend.persistence.schema import upgrade
from backend.rig import grid_rig
from tests.journals.story import JOURNALS, story
from tests.persistence.episodes import claimed, fill
from tests.support.drill import whole

PLAYED = {"recycling-s6": "s-6", "recycling-reveal5": "reveal-5"}


def main(version: str) -> None:
    folder = JOURNALS / version
    folder.mkdir()
    with tempfile.TemporaryDirectory() as home:
        engine = open_database(sqlite_url(Path(home) / "journals.db"))
        upgrade(engine)
        order_episode(engine, "drill", {}, "tests")
        fill(engine, "drill", whole("drill").commits)
        for name, scenario in PLAYED.items():
            play(engine, name, scenario)
        for name in ("drill", *PLAYED):
            lines = "\n".join(export(engine, name)) + "\n"
            (folder / f"{name}.jsonl").write_text(lines, "utf-8")
            told = msgspec.json.format(msgspec.json.encode(story(SqlReader(engine).state(name))), indent=1)
            (folder / f"{name}.json").write_bytes(told + b"\n")


def play(engine: Engine, name: str, scenario: str) -> None:
    order_episode(engine, name, {}, "tests")
    journal = SqlJournal(engine, claimed(engine, name))
    how = arm(scenario, "attention")
    bridge, planner = grid_rig(how, 1)
    play_into(journal, SqlInbox(engine, name), how, 1, bridge, planner, episode=name, render=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
