"""Takes words out of a bundle's copy of an episode. The journal that it is made from stays as it is.

Hashes stay and the content digest with them, so that whoever has the original can tell that it is that one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from backend.domain.annotations.words import mentions_of
from backend.persistence.bundles.checking import Contents
from backend.persistence.bundles.lines import AnnotationLine, CommandLine, EventLine
from backend.persistence.bundles.manifest import Manifest, Redaction
from backend.persistence.chain import chained
from backend.persistence.codec import decode, payload_text
from backend.persistence.redaction import thinned

OPERATOR = "operator:"
NOT_PEOPLE = frozenset({"policy", "Quarterdeck", ""})

Rename = Callable[[Any], Any]


def redacted(manifest: Manifest, contents: Contents, what: Sequence[Redaction]) -> tuple[Manifest, Contents]:
    """`prompts`: what was sent to and came from a planner, notes, guidance, rationales, and the commands that
    held such; annotations too, which quote it. `names`: whoever ordered, commanded, annotated or was
    mentioned becomes person-1, person-2, … wherever they are named.
    """
    events, commands, annotations = contents.events, contents.commands, contents.annotations
    if "prompts" in what:
        events, commands, annotations = [_without_prompts(line) for line in events], [], []
    if "names" in what:
        rename = _renaming(_people(manifest, contents))
        events = [_renamed(line, rename) for line in events]
        commands = [_renamed_command(line, rename) for line in commands]
        annotations = [_renamed_annotation(line, rename) for line in annotations]
        telling = msgspec.to_builtins(manifest.ordered)
        ordered = msgspec.convert({**rename(telling), "utc": telling["utc"]}, type(manifest.ordered))
        manifest = replace(manifest, ordered=ordered)
    events = _linked(manifest.episode, events)
    manifest = replace(manifest, chain=events[-1].chain, redacted=tuple(sorted(set(what))))
    return manifest, replace(contents, events=events, commands=commands, annotations=annotations)


def _without_prompts(line: EventLine) -> EventLine:
    event = decode(line.seq, line.met_s, line.kind, line.version, line.actor, line.payload, line.meta).event
    less = thinned(event)
    if less is None:
        return line
    return replace(line, payload=payload_text(less), redacted=line.redacted or "prompts, for a bundle")


def _people(manifest: Manifest, contents: Contents) -> list[str]:
    """In the order in which they turn up."""
    actors = [
        line.actor.removeprefix(OPERATOR) for line in contents.events if line.actor.startswith(OPERATOR)
    ]
    found = [manifest.ordered.by, *actors, *(line.actor for line in contents.commands)]
    for line in contents.annotations:
        found += [line.author, line.editor, *mentions_of(line.text)]
    return [name for name in dict.fromkeys(found) if name not in NOT_PEOPLE]


def _renaming(people: Sequence[str]) -> Rename:
    new = {name: f"person-{number}" for number, name in enumerate(people, start=1)}
    if not new:
        return lambda value: value
    longest_first = sorted(new, key=len, reverse=True)
    named = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, longest_first))})(?![\w-])")

    def rename(value: Any) -> Any:
        if isinstance(value, str):
            return named.sub(lambda found: new[found[0]], value)
        if isinstance(value, dict):
            return {key: rename(inner) for key, inner in value.items()}
        return [rename(inner) for inner in value] if isinstance(value, list) else value

    return rename


def _renamed(line: EventLine, rename: Rename) -> EventLine:
    payload = rename(msgspec.json.decode(line.payload))
    changed = replace(
        line,
        actor=rename(line.actor),
        payload=msgspec.json.encode(payload).decode(),
        meta=None
        if line.meta is None
        else msgspec.json.encode(rename(msgspec.json.decode(line.meta))).decode(),
        redacted=rename(line.redacted),
    )
    told = [getattr(line, name) != getattr(changed, name) for name in ("actor", "payload")]
    if not any(told):
        return replace(changed, payload=line.payload, meta=line.meta)
    return replace(changed, redacted=changed.redacted or "names, for a bundle")


def _renamed_command(line: CommandLine, rename: Rename) -> CommandLine:
    return msgspec.convert(rename(msgspec.to_builtins(line)), CommandLine)


def _renamed_annotation(line: AnnotationLine, rename: Rename) -> AnnotationLine:
    told = {name: rename(getattr(line, name)) for name in ("author", "editor", "text")}
    return replace(line, **told)


def _linked(episode: str, lines: Sequence[EventLine]) -> list[EventLine]:
    """With the chain of the events as they are now; of the content, what stays keeps its digest."""
    linked, chain = [], ""
    for line in lines:
        chain = chained(chain, {"episode": episode, **msgspec.to_builtins(line)})
        linked.append(replace(line, chain=chain))
    return linked
