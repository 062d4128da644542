"""What a fake planner server replies, in the shape of either API."""

import json
from typing import Any

from tests.support.fake_plans import Reader

MODEL = "fake-planner"


def said(did: str, body: dict[str, Any], reader: Reader, enforces: bool) -> str:
    """What the model would have written."""
    asked = schema_of(body)
    if did == "probe":
        constant = asked["schema"]["properties"]["answer"]["const"]
        return json.dumps({"answer": constant if enforces else "word"})
    if did == "garbage":
        return "Sure! First I would go to the nearest can, and then"
    plan = reader.reply_to(user_text(body), asked["schema"])
    if did == "bad_entity":
        plan["steps"] = [swap(step, ("to", "target", "object"), "can_99") for step in plan["steps"]]
    if did == "bad_station":
        plan["steps"] = [swap(step, ("station",), "station_nowhere") for step in plan["steps"]]
    if did == "empty_plan":
        plan["steps"] = []
    if did == "invalid_schema":
        del plan["rationale"]
    return json.dumps(plan)


def swap(step: dict[str, Any], names: tuple[str, ...], value: str) -> dict[str, Any]:
    swapped = {name: value if name in names else given for name, given in step["arguments"].items()}
    return step | {"arguments": swapped}


def responses_reply(did: str, text: str, body: dict[str, Any]) -> dict[str, Any]:
    part = {"type": "output_text", "text": text, "annotations": []}
    reply: dict[str, Any] = {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "model": body.get("model", MODEL),
        "status": "completed",
        "error": None,
        "incomplete_details": None,
        "instructions": body.get("instructions"),
        "text": body.get("text"),
        "output": [
            {"id": "rs_1", "type": "reasoning", "summary": []},
            {"id": "msg_1", "type": "message", "role": "assistant", "content": [part]},
        ],
        "usage": usage("input", "output", text, body),
    }
    message = reply["output"][1]
    if did == "refusal":
        message["content"] = [{"type": "refusal", "refusal": "I will not help with that."}]
    if did in ("truncation", "content_filter"):
        part["text"] = text[: len(text) // 2]
        reason = "max_output_tokens" if did == "truncation" else "content_filter"
        reply |= {"status": "incomplete", "incomplete_details": {"reason": reason}}
    if did == "failed":
        error = {"code": "server_error", "message": "The model broke down."}
        reply |= {"status": "failed", "error": error, "output": []}
    return reply


def chat_reply(did: str, text: str, body: dict[str, Any]) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": text, "refusal": None}
    finish = "stop"
    if did == "refusal":
        message |= {"content": None, "refusal": "I will not help with that."}
    if did in ("truncation", "content_filter"):
        message["content"] = text[: len(text) // 2]
        finish = "length" if did == "truncation" else "content_filter"
    if did == "reasoning_field":
        message |= {"content": "", "reasoning_content": text}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": body.get("model", MODEL),
        "choices": [] if did == "failed" else [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": usage("prompt", "completion", text, body),
    }


def usage(read: str, wrote: str, text: str, body: dict[str, Any]) -> dict[str, Any]:
    """Counts as a provider would give them: a token for four characters, and some thought."""
    tokens_in = len(json.dumps(body)) // 4
    tokens_out = len(text) // 4 + 64
    return {
        f"{read}_tokens": tokens_in,
        f"{read}_tokens_details": {"cached_tokens": tokens_in // 2},
        f"{wrote}_tokens": tokens_out,
        f"{wrote}_tokens_details": {"reasoning_tokens": 64},
        "total_tokens": tokens_in + tokens_out,
    }


def schema_of(body: dict[str, Any]) -> dict[str, Any]:
    """Name and schema that came with a request, of either API; empty ones where none did."""
    text = body.get("text", {}).get("format")
    chat = body.get("response_format", {})
    found = text or chat.get("json_schema") or {"name": "", "schema": chat.get("schema", {})}
    return {"name": found.get("name", ""), "schema": found.get("schema", {})}


def user_text(body: dict[str, Any]) -> str:
    """What the user's message says, of either API."""
    message = (body.get("input") or body.get("messages") or [{}])[-1]
    content = message.get("content", "")
    if isinstance(content, str):
        return content
    return "\n\n".join(part["text"] for part in content if "text" in part)
