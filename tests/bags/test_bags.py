"""What other tools read: an MCAP file with its own library, and every line of the other as JSON."""

from __future__ import annotations

import base64
import csv
import json
from collections import Counter
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from mcap.reader import make_reader

from backend.bags.errors import BagRefused
from backend.bags.lines import write_lines
from backend.bags.mcap import write_mcap
from backend.bags.schemas import SCHEMAS
from backend.bags.tables import TABLES, _cell, write_tables
from backend.persistence.frames import FrameStore
from backend.persistence.reader import SqlReader
from tests.persistence.episodes import new_episode
from tests.support.homes import new_home
from tests.support.sent import stored


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> tuple[SqlReader, FrameStore, str, Path]:
    folder = tmp_path_factory.mktemp("bags")
    _, engine = new_home(folder / "home")
    store = FrameStore(str(folder / "home" / "frames"))
    return SqlReader(engine, store), store, stored(engine, store), folder


def test_an_mcap_file_is_read_back_by_its_library(kept: tuple[SqlReader, FrameStore, str, Path]) -> None:
    reader, store, episode, folder = kept
    path = folder / "one.mcap"

    count = write_mcap(reader, store.get, episode, path)

    topics: Counter[str] = Counter()
    messages: dict[str, list[tuple[int, Any]]] = {}
    with path.open("rb") as file:
        bag = make_reader(file, validate_crcs=True)
        summary = bag.get_summary()
        for schema, channel, message in bag.iter_messages():
            assert schema is not None
            body = json.loads(message.data)
            jsonschema.validate(body, json.loads(schema.data))
            assert (schema.encoding, channel.message_encoding) == ("jsonschema", "json")
            topics[channel.topic] += 1
            messages.setdefault(channel.topic, []).append((message.log_time, body))
    assert summary is not None
    assert summary.statistics is not None
    assert count == sum(topics.values()) == summary.statistics.message_count
    entries = reader.events(episode, limit=None)
    assert [body["seq"] for _, body in messages["/journal"]] == [entry.recorded.seq for entry in entries]
    assert topics["/robots/rover/pose"] == 3
    assert [body["steps"][0]["skill"] for _, body in messages["/plan"]] == ["navigate"]
    shots = {base64.b64decode(body["data"]).decode() for _, body in messages["/cameras/overhead"]}
    assert shots == {f"picture {n} of {episode}" for n in range(2)}
    known = {entity["id"] for _, body in messages["/memory"] for entity in body["entities"]}
    assert known == set(reader.state(episode).memory.records)
    first_ns = messages["/journal"][0][0]
    assert all(at_ns - first_ns == round(body["met_s"] * 1e9) for at_ns, body in messages["/journal"])


def test_every_schema_names_itself_and_leaves_foxglove_s_names_alone() -> None:
    for name, schema in SCHEMAS.items():
        assert schema["title"] == name
        jsonschema.Draft202012Validator.check_schema(schema)


def test_a_frame_that_is_lost_is_left_out(kept: tuple[SqlReader, FrameStore, str, Path]) -> None:
    reader, _, episode, folder = kept

    def lost(sha256: str) -> bytes:
        raise KeyError(sha256)

    write_mcap(reader, lost, episode, folder / "less.mcap")

    with (folder / "less.mcap").open("rb") as file:
        topics = {channel.topic for _, channel, _ in make_reader(file).iter_messages()}
    assert "/journal" in topics
    assert "/cameras/overhead" not in topics


def test_lines_hold_every_event_and_sample_in_order(kept: tuple[SqlReader, FrameStore, str, Path]) -> None:
    reader, _, episode, folder = kept

    count = write_lines(reader, episode, folder / "one.jsonl")

    lines = [json.loads(line) for line in (folder / "one.jsonl").read_bytes().split(b"\n")[:-1]]
    assert len(lines) == count
    assert [line["met_s"] for line in lines] == sorted(line["met_s"] for line in lines)
    events = [line for line in lines if line["line"] == "event"]
    assert [line["seq"] for line in events] == list(range(1, len(events) + 1))
    assert len(lines) - len(events) == 3


def test_what_cannot_be_written_says_why(kept: tuple[SqlReader, FrameStore, str, Path]) -> None:
    reader, store, episode, folder = kept
    (folder / "mine").write_text("mine")
    empty = new_episode(reader._engine)

    with pytest.raises(BagRefused, match=r"mine is there already\. Name another"):
        write_lines(reader, episode, folder / "mine")
    with pytest.raises(BagRefused, match="cannot be written"):
        write_mcap(reader, store.get, episode, folder / "no" / "one")
    with pytest.raises(BagRefused, match="has not begun"):
        write_mcap(reader, store.get, empty, folder / "empty")
    assert (folder / "mine").read_text() == "mine"
    assert not (folder / "empty").exists()


def read_table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_tables_hold_what_the_journal_tells(kept: tuple[SqlReader, FrameStore, str, Path]) -> None:
    reader, _, episode, folder = kept

    counts = write_tables(reader, episode, folder / "tables")

    read = {name: read_table(folder / "tables" / f"{name}.csv") for name in TABLES}
    assert sorted(path.stem for path in (folder / "tables").iterdir()) == sorted(TABLES)
    assert counts == {name: len(rows) for name, rows in read.items()}
    assert [float(row["x_m"]) for row in read["telemetry"]] == [
        sample.x_m for sample in reader.telemetry(episode, 0.0, 1e9)
    ]
    records = reader.state(episode).memory.records
    assert {row["entity"]: row["status"] for row in read["entities"]} == {
        key: record.status.value for key, record in records.items()
    }
    changes = reader.rows("entity_audit", episode)
    assert [(row["entity"], row["verdict"]) for row in read["entity_changes"]] == [
        (row["entity"], row["verdict"]) for row in changes
    ]
    assert [row["change"] for row in read["plans"]] == [
        row["change"] for row in reader.rows("plans", episode)
    ]
    assert [row["command"] for row in read["log"]] == [
        row["command"] for row in reader.rows("execution_log", episode)
    ]


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        ('=HYPERLINK("http://x")', '\'=HYPERLINK("http://x")'),
        ("+1", "'+1"),
        ("-can", "'-can"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\tx", "'\tx"),
        (-1.5, -1.5),
        (True, "true"),
        (None, ""),
        ({"a": 1}, '{"a":1}'),
        ("can_07", "can_07"),
    ],
)  # fmt: skip
def test_no_cell_is_a_formula(value: object, cell: object) -> None:
    assert _cell(value) == cell


def test_a_folder_that_is_there_is_left_alone(kept: tuple[SqlReader, FrameStore, str, Path]) -> None:
    reader, _, episode, folder = kept
    (folder / "theirs").mkdir()

    with pytest.raises(BagRefused, match=r"theirs is there already\. Name another folder"):
        write_tables(reader, episode, folder / "theirs")
    with pytest.raises(BagRefused, match="cannot be written"):
        write_tables(reader, episode, folder / "no" / "one")
    assert list((folder / "theirs").iterdir()) == []
