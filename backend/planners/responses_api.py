"""The Responses API: how a question is put, and what its reply amounts to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from backend.domain.execution.frames import Frame
from backend.planners.answer import TRANSIENT, Answer, incomplete, mapping, text_of, usage_of
from backend.planners.question import Question
from backend.planners.settings import OpenAISettings

PATH = "/responses"


def body(
    question: Question, settings: OpenAISettings, is_openai: bool, url_of: Callable[[Frame], str]
) -> dict[str, Any]:
    content = [
        {"type": "input_text", "text": part}
        if isinstance(part, str)
        else {
            "type": "input_image",
            "image_url": url_of(part),
            "detail": settings.detail_at(question.picture_px),
        }
        for part in question.parts
    ]
    schema = {"type": "json_schema", "name": question.schema_name, "strict": True, "schema": question.schema}
    asked: dict[str, Any] = {
        "model": settings.model,
        "instructions": question.instructions,
        "input": [{"role": "user", "content": content}],
        "text": {"format": schema},
        "max_output_tokens": settings.max_output_tokens,
    }
    if is_openai:
        asked["store"] = False
        if settings.reasoning_effort:
            asked["reasoning"] = {"effort": settings.reasoning_effort}
    return asked


def read(reply: Mapping[str, Any], settings: OpenAISettings) -> Answer:
    usage = usage_of(reply.get("usage"), "input_tokens", "output_tokens")
    model, response_id = text_of(reply.get("model")), text_of(reply.get("id"))

    def answer(verdict: Any, **more: Any) -> Answer:
        return Answer(verdict=verdict, usage=usage, model=model, response_id=response_id, **more)

    status = text_of(reply.get("status")) or "completed"
    if status == "incomplete":
        reason = text_of(mapping(reply.get("incomplete_details")).get("reason"))
        return answer("incomplete", detail=incomplete(reason, settings.max_output_tokens))
    if status != "completed":
        error = mapping(reply.get("error"))
        code = text_of(error.get("code"))
        said = text_of(error.get("message")) or "no reason given"
        return answer(
            "failed", detail=f"The model ended with status {status}: {said}", may_pass=code in TRANSIENT
        )
    refusals = [said for kind, said in _said(reply) if kind == "refusal"]
    if refusals:
        return answer("refusal", detail=f"The model refused: {' '.join(refusals)}")
    text = "".join(said for kind, said in _said(reply) if kind == "output_text")
    if not text:
        return answer("invalid_json", detail="The reply holds no text.")
    return answer("ok", text=text)


def _said(reply: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Each piece of the messages: its kind, and what it says. Reasoning items are not messages."""
    output = reply.get("output")
    for item in output if isinstance(output, list) else ():
        if mapping(item).get("type") != "message":
            continue
        content = mapping(item).get("content")
        for part in map(mapping, content if isinstance(content, list) else ()):
            kind = text_of(part.get("type"))
            yield kind, text_of(part.get("refusal" if kind == "refusal" else "text"))
