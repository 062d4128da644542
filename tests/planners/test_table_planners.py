"""Models at a table: how they are asked, what they may answer, and the two baselines beside them."""

from __future__ import annotations

import base64
import io
import json
from typing import Any

import jsonschema
import pytest
from msgspec.structs import replace
from PIL import Image

from backend.domain.demonstration.looks import Answer, Range
from backend.domain.execution.outcome import Subgoal
from backend.domain.plans.decode import DecodeFailure
from backend.domain.plans.plan import Step
from backend.domain.plans.validator import validate
from backend.domain.query.build import query_of
from backend.domain.query.query import Attempt, Proposal, Query
from backend.planners import chat_api, responses_api
from backend.planners.journalled import JournalledPlanner
from backend.planners.manner import USUAL, Manner
from backend.planners.openai import OpenAIPlanner
from backend.planners.oracle import OraclePlanner
from backend.planners.per_chunk import PER_CHUNK, STATE
from backend.planners.pictures import as_sent, reference
from backend.planners.recorded import RecordedPlanner
from backend.planners.recording import Exchange
from backend.planners.settings import OpenAISettings
from tests.domain.decide.table_script import INSTRUCTION, AtTable
from tests.domain.plans.table import DELEGATE, DIRECT, ground
from tests.planners.samples import settings
from tests.support.fake_planner import FakePlanner

SETTINGS = OpenAISettings(model="m")


def asked(script: AtTable) -> Query:
    assert script.state.request is not None
    return query_of(script.state, script.state.request)


FIRST = asked(AtTable())
VIEW = asked(AtTable(film=60))
DELEGATED = asked(AtTable(catalogue=DELEGATE, memory="note_only"))
PUSH = Step("delegate", {"phrase": "press the button", "pixel": (100.0, 50.0), "chunks": 1})


def recorded(query: Query, text: str, manner: Manner = USUAL) -> Any:
    body = {"choices": [{"message": {"content": text}, "finish_reason": "stop"}]}
    digest = manner.question(query).digest
    attempt = Attempt(verdict="ok", api="chat", model="m", request_digest=digest, response=body)
    return RecordedPlanner([Exchange(attempts=(attempt,))], manner=manner).propose(query)


def test_a_plan_is_asked_for_with_views_at_high_detail() -> None:
    question = USUAL.question(FIRST)

    assert "give exactly one step" in question.instructions
    assert "Reply with one JSON object" in question.instructions
    assert "navigate" not in question.instructions
    assert [picture.camera for picture in question.pictures] == ["front", "wrist"]
    assert details(question) == [("high", "high"), ("high", "high")]


def test_a_demonstration_is_asked_about_with_its_own_schema_at_low_detail() -> None:
    question = USUAL.question(VIEW, prompt="Plan as I say.")

    assert question.schema_name == "summary"
    assert [*question.schema["properties"]] == ["summary", "looks"]
    assert question.instructions.startswith("You watch a demonstration")
    assert f"# goal\n{INSTRUCTION}" in question.parts
    assert details(question) == [("low", "low")] * 8


def details(question: Any) -> list[tuple[str, str]]:
    responses = responses_api.body(question, SETTINGS, False, reference)["input"][0]["content"]
    chat = chat_api.body(question, SETTINGS, False, reference)["messages"][1]["content"]
    return [
        (one["detail"], other["image_url"]["detail"])
        for one, other in zip(responses, chat, strict=True)
        if "image_url" in one
    ]


@pytest.mark.parametrize(
    ("query", "size_px", "count"), [(FIRST, 512, 2), (VIEW, 256, 8)], ids=["views", "a demonstration"]
)
def test_pictures_go_over_the_wire_inline_and_stay_out_of_the_record(
    query: Query, size_px: int, count: int
) -> None:
    file = io.BytesIO()
    Image.new("RGB", (size_px, size_px)).save(file, "PNG")
    with FakePlanner(["garbage"]) as fake:
        planner = OpenAIPlanner(settings(fake.url), load_picture=lambda frame: file.getvalue())
        reply = planner.propose(query)

    content = fake.received[0].body["messages"][1]["content"]
    urls = [part["image_url"]["url"] for part in content if part["type"] == "image_url"]
    sent = base64.b64decode(urls[0].removeprefix("data:image/png;base64,"))
    assert (len(urls), sent) == (count, file.getvalue())
    assert "base64" not in json.dumps(reply.attempts[0].request)
    assert reply.attempts[0].verdict == "invalid_json"


def test_a_demonstration_s_frames_are_sent_as_they_are_stored() -> None:
    file = io.BytesIO()
    Image.new("RGB", (256, 256)).save(file, "PNG")

    assert as_sent(file.getvalue(), 256) == ("image/png", file.getvalue())


def test_a_summary_is_an_answer_and_no_proposal() -> None:
    text = json.dumps({"summary": "a push", "looks": [{"first_frame": 8, "last_frame": 16}]})

    reply = recorded(VIEW, text)

    assert (reply.answer, reply.proposal) == (Answer("a push", (Range(8, 16),)), None)


def test_a_summary_of_the_wrong_shape_names_its_field() -> None:
    reply = recorded(VIEW, json.dumps({"summary": "", "looks": []}))

    assert reply.answer is None
    assert (reply.attempts[-1].verdict, reply.attempts[-1].detail) == (
        "invalid_schema",
        "summary: is empty. Say what the demonstration has shown so far.",
    )


def state_reply(**changes: Any) -> dict[str, Any]:
    delegate = {"phrase": "press the button", "pixel": {"x_px": 100, "y_px": 50}}
    return {
        "rationale": "",
        "state": dict.fromkeys(STATE, "as before"),
        "steps": [{"skill": "delegate", "arguments": delegate, "watch": None}],
        **changes,
    }


def test_per_chunk_gives_one_chunk_and_notes_its_state() -> None:
    question = PER_CHUNK.question(DELEGATED)
    jsonschema.validate(state_reply(), question.schema)

    reply = recorded(DELEGATED, json.dumps(state_reply()), PER_CHUNK)

    assert reply.proposal is not None
    assert reply.proposal.steps == (PUSH,)
    assert validate(reply.proposal.steps, ground(DELEGATE)) == ()
    assert reply.proposal.note == "\n".join(f"{part}: as before" for part in STATE)
    assert "after every chunk" in question.instructions
    assert '"chunks"' not in json.dumps(question.schema)
    assert "locate" not in json.dumps(question.schema)


@pytest.mark.parametrize(
    ("text", "field"),
    [
        (json.dumps({"rationale": "", "steps": []}), "state"),
        (json.dumps(state_reply(state={"done": "all"})), "state"),
        (json.dumps(state_reply(state={**dict.fromkeys(STATE, ""), "hand": 3})), "state.hand"),
        (json.dumps(state_reply(note="")), "note"),
        ("[]", "reply"),
        ("{", ""),
    ],
    ids=["no state", "half a state", "no text", "a note besides", "a list", "no JSON"],
)
def test_per_chunk_without_its_state_is_refused(text: str, field: str) -> None:
    failure = PER_CHUNK.read(DELEGATED, text)

    assert isinstance(failure, DecodeFailure)
    assert failure.field == field


def test_per_chunk_watches_demonstrations_as_usual() -> None:
    assert PER_CHUNK.question(VIEW) == USUAL.question(VIEW)
    assert PER_CHUNK.read(VIEW, '{"summary": "a push", "looks": []}') == Answer("a push", ())


def told(subgoal: Subgoal | None, query: Query = DELEGATED) -> Any:
    seen = query.facts.seen
    assert seen is not None
    facts = replace(query.facts, seen=replace(seen, subgoal=subgoal))
    return OraclePlanner().propose(replace(query, facts=facts))


def test_the_oracle_follows_what_the_world_tells() -> None:
    reply = told(Subgoal(phrase="press the button", pixel=(100.0, 50.0)))

    assert isinstance(reply.proposal, Proposal)
    assert reply.proposal.steps == (PUSH,)
    assert OraclePlanner().propose(VIEW).answer is not None


@pytest.mark.parametrize(
    ("subgoal", "query", "says"),
    [
        (None, DELEGATED, "begin the episode with the planner oracle"),
        (Subgoal(phrase="press", pixel=(1.0, 1.0)), FIRST, "choose a world with /delegate"),
    ],
    ids=["no truth", "no executor"],
)
def test_the_oracle_says_what_it_lacks(subgoal: Subgoal | None, query: Query, says: str) -> None:
    reply = told(subgoal, query)

    assert reply.proposal is None
    assert says in reply.attempts[0].detail


def test_a_mobile_robot_s_plan_is_read_as_ever() -> None:
    assert isinstance(USUAL.read(FIRST, '{"rationale": "", "note": "", "steps": []}'), Proposal)
    assert DIRECT.is_of_a_table


def test_what_a_surrogate_answered_is_given_again_from_its_journal() -> None:
    script = AtTable(film=20, planner="surrogate")
    paid = Attempt(verdict="ok", model="surrogate")
    script.answer(answer=Answer("a push", ()), attempts=(paid,))
    wait = Step("wait", {"steps": 20})
    script.answer(proposal=Proposal(rationale="why", note="one", steps=(wait, wait)), attempts=(paid,))
    script.answer(proposal=Proposal(rationale="why", note="two", steps=(wait,)), attempts=(paid,))

    again = JournalledPlanner(script.events)

    told = [again.propose(replace(FIRST, decision=d, attempt=a)) for d, a in ((0, 1), (1, 1), (1, 2), (9, 1))]
    assert [reply.answer for reply in told] == [Answer("a push", ()), None, None, None]
    assert [reply.proposal and (reply.proposal.note, len(reply.proposal.steps)) for reply in told] == [
        None,
        ("one", 2),
        ("two", 1),
        None,
    ]
    assert told[2].attempts == (paid,)
