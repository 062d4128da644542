"""What the planner may answer to a view of a demonstration."""

import msgspec
import pytest

from backend.domain.demonstration.answer import MAX_RANGES, SCHEMA, Answer, decode_answer
from backend.domain.demonstration.looks import Range
from backend.domain.plans.decode import MAX_TEXT, DecodeFailure


def text_of(**members: object) -> bytes:
    return msgspec.json.encode({"summary": "a push", "looks": []} | members)


def test_a_proper_answer_is_read() -> None:
    looks = [{"first_frame": 8, "last_frame": 24}]

    assert decode_answer(text_of(looks=looks)) == Answer("a push", (Range(8, 24),))
    assert decode_answer(text_of()) == Answer("a push", ())


@pytest.mark.parametrize(
    ("text", "verdict", "field"),
    [
        (b"{", "invalid_json", ""),
        (b"[]", "invalid_schema", ""),
        (b'{"looks": []}', "invalid_schema", ""),
        (text_of(summary=3), "invalid_schema", "summary"),
        (text_of(summary=" \n"), "invalid_schema", "summary"),
        (text_of(summary="a\0"), "invalid_schema", "summary"),
        (text_of(summary="a" * (MAX_TEXT + 1)), "invalid_schema", "summary"),
        (text_of(looks=None), "invalid_schema", "looks"),
        (text_of(looks=[{"first_frame": "8", "last_frame": 9}]), "invalid_schema", "looks[0].first_frame"),
        (text_of(looks=[{"first_frame": 8.5, "last_frame": 9}]), "invalid_schema", "looks[0].first_frame"),
        (text_of(looks=[{"first_frame": 8}]), "invalid_schema", "looks[0]"),
        (text_of(looks=[{"first_frame": 8, "last_frame": 9}] * (MAX_RANGES + 1)), "invalid_schema", "looks"),
        (text_of(looks=[{"first_frame": 0, "last_frame": 10**9 + 1}]), "invalid_schema", "looks[0]"),
        (
            b'{"summary": "a", "looks": [{"first_frame": -%s, "last_frame": 1}]}' % (b"9" * 4000),
            "invalid_schema",
            "looks[0]",
        ),
        (text_of(why="because"), "invalid_schema", ""),
    ],
    ids=[
        "no JSON",
        "no object",
        "no summary",
        "summary no text",
        "summary empty",
        "summary with NUL",
        "summary too long",
        "looks null",
        "a text for a number",
        "half a frame",
        "half a range",
        "too many ranges",
        "a frame past all",
        "a number past all",
        "a member too many",
    ],
)
def test_anything_else_is_refused_by_field(text: bytes, verdict: str, field: str) -> None:
    failure = decode_answer(text)

    assert isinstance(failure, DecodeFailure)
    assert (failure.verdict, failure.field) == (verdict, field)
    assert failure.message


def test_the_schema_asks_for_what_is_decoded() -> None:
    assert SCHEMA["required"] == [*Answer.__struct_fields__]
    assert SCHEMA["properties"]["looks"]["items"]["required"] == [*Range.__struct_fields__]
