"""What goes over the wire: what each API wants, what only OpenAI takes, and pictures kept out of records."""

import base64
import io
import json
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace
from PIL import Image

from backend.domain.execution.frames import Frame
from backend.domain.execution.gating import watched_pixels
from backend.domain.query.parts import block_of
from backend.domain.query.query import Query
from backend.planners import chat_api, responses_api
from backend.planners.openai import OpenAIPlanner
from backend.planners.pictures import as_sent, reference
from backend.planners.question import Question
from backend.planners.settings import OpenAISettings
from tests.planners.samples import first_query, settings
from tests.support.fake_planner import FakePlanner

FRAME = Frame(sha256="ab" * 32, width_px=512, height_px=512, camera="front", step=8, returned=True)


def picture(width_px: int, height_px: int, kind: str = "PNG", at_px: tuple[int, int] = (0, 0)) -> bytes:
    """Black, but for a white square of a sixteenth of its width around `at_px`."""
    image = Image.new("RGB", (width_px, height_px))
    reach_px = max(1, width_px // 32)
    (x, y) = at_px
    image.paste((255, 255, 255), (x - reach_px, y - reach_px, x + reach_px, y + reach_px))
    file = io.BytesIO()
    image.save(file, kind)
    return file.getvalue()


PNG = picture(512, 512)
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


@pytest.mark.parametrize(
    ("size_px", "sent_px"),
    [
        pytest.param((640, 480), (512, 384), id="a larger one is scaled down"),
        pytest.param((256, 256), (512, 512), id="a smaller one is scaled up"),
        pytest.param((480, 1280), (192, 512), id="by its longer side"),
        pytest.param((2000, 1), (512, 1), id="and is never without a row"),
    ],
)
def test_a_picture_is_sent_in_the_pixels_that_points_are_named_in(
    size_px: tuple[int, int], sent_px: tuple[int, int]
) -> None:
    with FakePlanner() as fake:
        stored = picture(*size_px)
        OpenAIPlanner(settings(fake.url), load_picture=lambda _: stored).propose(seeing())
        [url] = [part["image_url"]["url"] for part in content_of(fake) if part["type"] == "image_url"]

    assert read(url).size == sent_px


def test_a_point_named_in_what_was_sent_is_the_one_that_the_gate_watches() -> None:
    """What lies at (400, 100) of what the planner sees lies within the circle there in what was recorded."""
    stored = picture(1280, 960, at_px=(1000, 250))
    _, sent = as_sent(stored)
    pixels = np.asarray(Image.open(io.BytesIO(stored)).convert("L")).reshape(-1)
    watched = watched_pixels(((400.0, 100.0),), 1280, 960, 28.0)

    assert Image.open(io.BytesIO(sent)).convert("L").getpixel((400, 100)) == 255
    assert np.count_nonzero(pixels[watched] == 255) == np.count_nonzero(pixels == 255) > 0


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_a_picture_of_that_size_goes_as_it_is_stored(kind: str) -> None:
    stored = picture(512, 384, kind)

    assert as_sent(stored) == (f"image/{kind.lower()}", stored)


def content_of(fake: FakePlanner) -> list[dict[str, Any]]:
    content: list[dict[str, Any]] = fake.received[0].body["messages"][1]["content"]
    return content


def read(url: str) -> Image.Image:
    return Image.open(io.BytesIO(base64.b64decode(url.partition("base64,")[2])))


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
