"""An episode as an MCAP file: one message an event and more, at mission time from the moment it began."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

import msgspec
from mcap.writer import CompressionType, Writer

from backend.bags.errors import BagRefused
from backend.bags.files import new_file
from backend.bags.lines import ALWAYS_S
from backend.bags.messages import FindFrame, Message, messages_of, pose_message
from backend.bags.schemas import SCHEMAS
from backend.domain.episode.evolve import evolve
from backend.domain.episode.state import State
from backend.usecases.reading import Entry, Reader

Timed = tuple[int, Message]


def write_mcap(reader: Reader, frame: Callable[[str], bytes], episode: str, path: Path) -> int:
    """How many messages. Frames that are not to be had are left out. Raises BagRefused."""
    reader.episode(episode)
    journal = reader.events(episode, limit=None)
    if not journal:
        raise BagRefused(f"Episode {episode} was ordered and has not begun. There is nothing yet.")
    began = datetime.fromisoformat(journal[0].utc)
    start_ns = round(began.timestamp() * 1000) * 10**6
    messages = [*_events(journal, start_ns, _found(frame)), *_samples(reader, episode, start_ns)]
    messages.sort(key=lambda each: each[0])
    with new_file(path) as file:
        writer = Writer(file, compression=CompressionType.ZSTD)
        writer.start(profile="", library="quarterdeck")
        _write(writer, messages)
        writer.add_metadata("quarterdeck", {"episode": episode, "events": str(len(journal))})
        writer.finish()
    return len(messages)


def _write(writer: Writer, messages: list[Timed]) -> None:
    schemas: dict[str, int] = {}
    channels: dict[str, int] = {}
    for number, (at_ns, message) in enumerate(messages):
        if message.schema not in schemas:
            schema = msgspec.json.encode(SCHEMAS[message.schema])
            schemas[message.schema] = writer.register_schema(message.schema, "jsonschema", schema)
        if message.topic not in channels:
            channels[message.topic] = writer.register_channel(message.topic, "json", schemas[message.schema])
        body = msgspec.json.encode(message.body)
        writer.add_message(channels[message.topic], at_ns, body, at_ns, number)


def _events(journal: list[Entry], start_ns: int, frame: FindFrame) -> Iterator[Timed]:
    state: State | None = None
    for entry in journal:
        before, state = state, evolve(state, entry.recorded)
        at_ns = start_ns + _ns(entry.recorded.met_s)
        for message in messages_of(entry, before, state, at_ns, frame):
            yield at_ns, message


def _samples(reader: Reader, episode: str, start_ns: int) -> Iterator[Timed]:
    for sample in reader.telemetry(episode, 0.0, ALWAYS_S):
        at_ns = start_ns + _ns(sample.met_s)
        yield at_ns, pose_message(sample, at_ns)


def _found(frame: Callable[[str], bytes]) -> FindFrame:
    def find(sha256: str) -> bytes | None:
        try:
            return frame(sha256)
        except LookupError:
            return None

    return find


def _ns(met_s: float) -> int:
    return round(met_s * 1000) * 10**6
