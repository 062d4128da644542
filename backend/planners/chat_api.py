"""Chat completions: how a question is put, and what its reply amounts to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from backend.domain.execution.frames import Frame
from backend.planners.answer import Answer, incomplete, mapping, text_of, usage_of
from backend.planners.question import Question
from backend.planners.settings import OpenAISettings

PATH = "/chat/completions"


def body(
    question: Question, settings: OpenAISettings, is_openai: bool, url_of: Callable[[Frame], str]
) -> dict[str, Any]:
    asked: dict[str, Any] = {
        "model": settings.model,
        "messages": [
            {"role": "system", "content": question.instructions},
            {"role": "user", "content": _content(question, settings, url_of)},
        ],
        "response_format": _format(question, settings),
    }
    if not is_openai:
        asked["max_tokens"] = settings.max_output_tokens
        return asked
    asked["max_completion_tokens"] = settings.max_output_tokens
    asked["store"] = False
    if settings.reasoning_effort:
        asked["reasoning_effort"] = settings.reasoning_effort
    return asked


def read(reply: Mapping[str, Any], settings: OpenAISettings) -> Answer:
    usage = usage_of(reply.get("usage"), "prompt_tokens", "completion_tokens")
    model, response_id = text_of(reply.get("model")), text_of(reply.get("id"))

    def answer(verdict: Any, **more: Any) -> Answer:
        return Answer(verdict=verdict, usage=usage, model=model, response_id=response_id, **more)

    choices = reply.get("choices")
    if not isinstance(choices, list) or not choices:
        said = text_of(mapping(reply.get("error")).get("message")) or "it holds no choice"
        return answer("failed", detail=f"The reply holds no answer: {said}.")
    choice = mapping(choices[0])
    message = mapping(choice.get("message"))
    refusal = text_of(message.get("refusal"))
    if refusal:
        return answer("refusal", detail=f"The model refused: {refusal}")
    finish = text_of(choice.get("finish_reason"))
    if finish in ("length", "content_filter"):
        return answer("incomplete", detail=incomplete(finish, settings.max_output_tokens))
    # Some servers put the whole answer into the reasoning field and leave the content empty.
    text = text_of(message.get("content")) or text_of(message.get("reasoning_content"))
    if not text:
        return answer("invalid_json", detail="The reply holds no text.")
    return answer("ok", text=text)


def _content(
    question: Question, settings: OpenAISettings, url_of: Callable[[Frame], str]
) -> str | list[dict[str, Any]]:
    """One text where there is no picture: the templates of text-only models take nothing else."""
    if not question.pictures:
        return "\n\n".join(part for part in question.parts if isinstance(part, str))
    return [
        {"type": "text", "text": part}
        if isinstance(part, str)
        else {
            "type": "image_url",
            "image_url": {"url": url_of(part), "detail": settings.detail_at(question.picture_px)},
        }
        for part in question.parts
    ]


def _format(question: Question, settings: OpenAISettings) -> dict[str, Any]:
    if settings.chat_schema == "json_object":
        return {"type": "json_object", "schema": question.schema}
    schema = {"name": question.schema_name, "strict": True, "schema": question.schema}
    return {"type": "json_schema", "json_schema": schema}
