"""What other tools read: an MCAP file with its own library, and every line of the other as JSON."""

from __future__ import annotations

import base64
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
