"""The manner of LogLook's per-chunk baseline: asked after every chunk, with a state rewritten at each call.

Section 4.1: the planner is called after each 16-step chunk of the executor, rewrites a structured description
of the state, and otherwise has the note-only memory. Here the state is what it notes, so that the latest note
is the state; `delegate` takes no number of chunks, since it is always one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from backend.domain.demonstration.answer import Answer
from backend.domain.plans.catalogue import Catalogue, Skill
from backend.domain.plans.decode import MAX_TEXT, DecodeFailure, decode_reply
from backend.domain.plans.plan import Step
from backend.domain.plans.schema import Schema
from backend.domain.query.query import Proposal, Query
from backend.planners.manner import USUAL
from backend.planners.question import Question

NAME = "per_chunk"
CHUNKED = "delegate"
STATE: Mapping[str, str] = {
    "done": "What of the task is done by now, with every count that matters.",
    "remaining": "What is still to be done, in order.",
    "objects": "What matters of the objects: which is the target, what hides what, where things are.",
    "hand": "What the gripper holds, and how the last chunk went.",
}
"""The parts of the state: each is rewritten at each call, and none may be left out."""

_INSTRUCTIONS = """
You are asked after every chunk of the executor. In place of a note, `state` is rewritten at each call: it is
all that you will know of the past besides the last actions, so copy into it whatever still matters and bring
it up to date. Reply with
{"rationale": text, "state": {"done", "remaining", "objects", "hand"}, "steps": [one step]}.
"""


class PerChunk:
    """Of a catalogue with `delegate`; any other robot is asked as usual, but for the state."""

    def question(self, query: Query, prompt: str = "") -> Question:
        if query.facts.view is not None:
            return USUAL.question(query, prompt)
        asked = USUAL.question(replace(query, catalogue=chunked(query.catalogue)), prompt)
        instructions = asked.instructions if prompt else f"{asked.instructions}\n\n{_INSTRUCTIONS.strip()}"
        return replace(
            asked, instructions=instructions, schema_name="plan_and_state", schema=with_state(asked.schema)
        )

    def read(self, query: Query, text: str) -> Proposal | Answer | DecodeFailure:
        if query.facts.view is not None:
            return USUAL.read(query, text)
        reply = _object(text)
        if isinstance(reply, DecodeFailure):
            return reply
        if "note" in reply:
            return DecodeFailure("invalid_schema", "note", "is not asked for. Write it into the state.")
        state = _state(reply.pop("state", None))
        if isinstance(state, DecodeFailure):
            return state
        plain = msgspec.json.encode({"note": state, **reply})
        read = decode_reply(plain, chunked(query.catalogue))
        if isinstance(read, DecodeFailure):
            return read
        return replace(read, steps=tuple(map(_one_chunk, read.steps)))


PER_CHUNK = PerChunk()


def chunked(catalogue: Catalogue) -> Catalogue:
    """The skills without the number of chunks, and without `locate`: its executor looks for itself."""
    skills = [skill for skill in catalogue.skills if skill.name != "locate"]
    return replace(catalogue, skills=tuple(map(_without_chunks, skills)))


def with_state(schema: Schema) -> Schema:
    """The reply's schema with the state in place of the note."""
    parts = {name: {"type": "string", "description": told} for name, told in STATE.items()}
    state = {
        "type": "object",
        "properties": parts,
        "required": list(parts),
        "additionalProperties": False,
        "description": "The state, rewritten whole.",
    }
    known = schema["properties"]
    properties = {name: state if name == "note" else shape for name, shape in known.items()}
    properties = {"state" if name == "note" else name: shape for name, shape in properties.items()}
    return {**schema, "properties": properties, "required": list(properties)}


def _without_chunks(skill: Skill) -> Skill:
    if skill.name != CHUNKED:
        return skill
    arguments = tuple(each for each in skill.arguments if each.name != "chunks")
    return replace(skill, description=_FOR_ONE, arguments=arguments)


_FOR_ONE = "Have the executor follow one short phrase for one chunk of steps."


def _one_chunk(step: Step) -> Step:
    return replace(step, arguments={**step.arguments, "chunks": 1}) if step.skill == CHUNKED else step


def _object(text: str) -> dict[str, Any] | DecodeFailure:
    try:
        reply = msgspec.json.decode(text)
    except (ValueError, RecursionError) as error:
        return DecodeFailure("invalid_json", "", f"The reply is no JSON: {error}.")
    if not isinstance(reply, dict):
        return DecodeFailure("invalid_schema", "reply", "must be an object.")
    return reply


def _state(value: Any) -> str | DecodeFailure:
    """As it is noted: one line for each part."""
    if not isinstance(value, dict) or value.keys() != STATE.keys():
        return DecodeFailure("invalid_schema", "state", f"must be an object of {', '.join(STATE)}.")
    for name, part in value.items():
        if not isinstance(part, str) or len(part) > MAX_TEXT:
            return DecodeFailure(
                "invalid_schema", f"state.{name}", "must be a text of at most 20000 characters."
            )
    return "\n".join(f"{name}: {part}" for name, part in value.items())
