"""What goes over the wire: what each API wants, what only OpenAI takes, and pictures kept out of records."""

import base64
import json
from typing import Any

import pytest
from msgspec.structs import replace

from backend.domain.execution.frames import Frame
from backend.domain.query.blocks import block_of
from backend.domain.query.query import Query
from backend.planners import chat_api, responses_api
from backend.planners.openai import OpenAIPlanner
from backend.planners.pictures import reference
from backend.planners.question import Question
from backend.planners.settings import OpenAISettings
from tests.planners.samples import first_query, settings
from tests.support.fake_planner import FakePlanner

FRAME = Frame(sha256="ab" * 32, width_px=512, height_px=512, camera="front", step=8, returned=True)
PNG = b"\x89PNG\r\n\x1a\n and some pixels"
QUESTION = Question(
    instructions="Plan.", parts=("# goal\nAll home.", FRAME), schema_name="plan", schema={"type": "object"}
)
SETTINGS = OpenAISettings(model="m", reasoning_effort="high", max_output_tokens=6000, image_detail="low")

RESPONSES = {
    "model": "m",
    "instructions": "Plan.",
    "input": [
        {
            "role": "user",
            "content": [
                {"type": "input_text", "text": "# goal\nAll home."},
                {"type": "input_image", "image_url": f"sha256:{FRAME.sha256}", "detail": "low"},
            ],
        }
    ],
    "text": {"format": {"type": "json_schema", "name": "plan", "strict": True, "schema": {"type": "object"}}},
    "max_output_tokens": 6000,
}
CHAT = {
    "model": "m",
    "messages": [
        {"role": "system", "content": "Plan."},
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "# goal\nAll home."},
                {"type": "image_url", "image_url": {"url": f"sha256:{FRAME.sha256}", "detail": "low"}},
            ],
        },
    ],
    "response_format": {
        "type": "json_schema",
        "json_schema": {"name": "plan", "strict": True, "schema": {"type": "object"}},
    },
}


@pytest.mark.parametrize(
    ("api", "is_openai", "body"),
    [
        pytest.param(
            responses_api,
            True,
            RESPONSES | {"store": False, "reasoning": {"effort": "high"}},
            id="responses at OpenAI",
        ),
        pytest.param(responses_api, False, RESPONSES, id="responses elsewhere"),
        pytest.param(
            chat_api,
            True,
            CHAT | {"max_completion_tokens": 6000, "store": False, "reasoning_effort": "high"},
            id="chat at OpenAI",
        ),
        pytest.param(chat_api, False, CHAT | {"max_tokens": 6000}, id="chat elsewhere"),
    ],
)
def test_bodies(api: Any, is_openai: bool, body: dict[str, Any]) -> None:
    assert api.body(QUESTION, SETTINGS, is_openai, reference) == body


def test_without_an_effort_the_provider_chooses() -> None:
    plain = replace(SETTINGS, reasoning_effort="")

    assert "reasoning" not in responses_api.body(QUESTION, plain, True, reference)
    assert "reasoning_effort" not in chat_api.body(QUESTION, plain, True, reference)


def test_without_pictures_chat_sends_one_text() -> None:
    body = chat_api.body(replace(QUESTION, parts=("one", "two")), SETTINGS, False, reference)

    assert body["messages"][1]["content"] == "one\n\ntwo"


def test_some_servers_take_the_schema_beside_json_object_only() -> None:
    body = chat_api.body(QUESTION, replace(SETTINGS, chat_schema="json_object"), False, reference)

    assert body["response_format"] == {"type": "json_object", "schema": {"type": "object"}}


def seeing() -> Query:
    query = first_query()
    return replace(query, blocks=(*query.blocks, block_of("frames", "One returned.", (FRAME,))))


@pytest.mark.parametrize("api", ["responses", "chat"])
def test_a_picture_is_inline_on_the_wire_and_a_reference_on_record(api: str) -> None:
    with FakePlanner() as fake:
        planner = OpenAIPlanner(settings(fake.url, api=api), load_picture=lambda frame: PNG)
        reply = planner.propose(seeing())
        sent = json.dumps(fake.received[0].body)

    assert f"data:image/png;base64,{base64.b64encode(PNG).decode()}" in sent
    recorded = json.dumps(reply.attempts[0].request)
    assert f"sha256:{FRAME.sha256}" in recorded
    assert "base64" not in recorded
    assert reply.proposal is not None


@pytest.mark.parametrize("content", [None, b"<svg/>"], ids=["it is not in the store", "it is no picture"])
def test_no_plan_is_asked_for_with_a_picture_left_out(content: bytes | None) -> None:
    store = {} if content is None else {FRAME.sha256: content}
    with FakePlanner() as fake:
        planner = OpenAIPlanner(settings(fake.url), load_picture=lambda frame: store[frame.sha256])
        reply = planner.propose(seeing())

    assert reply.proposal is None
    assert [attempt.verdict for attempt in reply.attempts] == ["failed"]
    assert "Restore the stored frames" in reply.attempts[0].detail
    assert len(reply.metas) == 1
    assert fake.count == 0
