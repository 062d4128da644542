"""The two sides of one attempt: what was sent, as findings, request or a command to send it again; what came
back, as plan, as text, or as the provider wrote it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct, to_builtins

from backend.domain.episode import events as e
from backend.domain.geometry import Pose
from backend.domain.plans.findings import Finding
from backend.domain.plans.plan import Step, Value, motions, numbers, shown
from backend.domain.query.query import Attempt
from backend.web.builders import words
from backend.web.builders.chosen import Chosen
from backend.web.pages import figures
from backend.web.pages.exchange import Argument, CodeView, Pane, PlanReading, PlanStep, Token, json_tokens
from backend.web.pages.parts import Mark, plain, strong

LEFT = {"findings": "Findings", "request": "Request", "curl": "curl"}
RIGHT = {"plan": "Plan", "answer": "Answer", "response": "Response"}
PATHS = {"responses": "/responses", "chat": "/chat/completions"}


class Said(Struct, frozen=True, kw_only=True):
    """One attempt with its question and what the validator made of its answer. `steps` None: there is no plan
    in it, or another attempt's answer was the one judged."""

    asked: e.PlanRequested
    exchange: Attempt
    findings: tuple[Finding, ...] = ()
    steps: tuple[Step, ...] | None = None
    rationale: str = ""


def sides(number: int, said: Said, chosen: Chosen) -> tuple[CodeView | None, CodeView]:
    """`chosen.view` names either side's text or both, one after the other: "requestplan"."""
    left, right = _left(said, chosen.view), _right(said, chosen.view)
    sent = {name: LEFT[name] for name in _sent_as(said)}
    came = {name: RIGHT[name] for name in _came_as(said)}
    before = None
    if left is not None:
        before = _sent(said, left, _panes(number, chosen, sent, left, lambda name: name + right))
    after = _answer(
        number, said, right, _panes(number, chosen, came, right, lambda name: (left or "") + name)
    )
    return before, after


def _panes(number: int, chosen: Chosen, names: Mapping[str, str], opened: str, view: Any) -> tuple[Pane, ...]:
    if len(names) < 2:
        return ()
    return tuple(
        Pane(
            name=f"{number}-{name}",
            label=label,
            chosen=chosen.text(number, view(name)),
            is_open=name == opened,
        )
        for name, label in names.items()
    )


def _sent_as(said: Said) -> list[str]:
    findings = ["findings"] if said.asked.findings else []
    return [*findings, "request", "curl"] if said.exchange.request else findings


def _came_as(said: Said) -> list[str]:
    plan = ["plan"] if said.steps is not None else []
    return [*plan, "answer", "response"] if said.exchange.response else [*plan, "answer"]


def _left(said: Said, view: str) -> str | None:
    return _chosen(_sent_as(said), view)


def _right(said: Said, view: str) -> str:
    return _chosen(_came_as(said), view) or "answer"


def _chosen(names: Sequence[str], view: str) -> str | None:
    return next((name for name in names if name in view), names[0] if names else None)


def _sent(said: Said, name: str, choices: tuple[Pane, ...]) -> CodeView:
    if name == "findings":
        findings = [to_builtins(finding) for finding in said.asked.findings]
        title = "Finding sent back" if len(findings) == 1 else "Findings sent back"
        return CodeView(title=title, digest="", tokens=json_tokens(_pretty(findings)), choices=choices)
    digest = figures.digest(said.exchange.request_digest)
    if name == "curl":
        return CodeView(
            title="Request as a command",
            digest=digest,
            tokens=(Token(as_curl(said.exchange), "other"),),
            note="The key stays in your environment; pictures stand by reference.",
            choices=choices,
        )
    tokens = json_tokens(_pretty(said.exchange.request))
    return CodeView(title="Request", digest=digest, tokens=tokens, choices=choices)


def _answer(number: int, said: Said, name: str, choices: tuple[Pane, ...]) -> CodeView:
    if name == "plan":
        reading = plan_reading(said.steps or (), said.rationale, said.findings)
        return CodeView(title=f"Plan of attempt {number}", digest="", plan=reading, choices=choices)
    bad = frozenset(_quoted(finding.message) for finding in said.findings) - {""}
    if name == "response":
        text = _pretty(said.exchange.response)
        title = f"Response, attempt {number}"
    else:
        text = answer_text(said.exchange.response) or said.exchange.detail or "Nothing came back."
        title = f"Answer, attempt {number}"
    return CodeView(title=title, digest="", tokens=json_tokens(text, bad), choices=choices)


def plan_reading(made: Sequence[Step], rationale: str, findings: Sequence[Finding]) -> PlanReading:
    """A plan to be read, each step with what the validator found in it."""
    by_step: dict[int | None, list[Finding]] = {}
    for finding in findings:
        by_step.setdefault(finding.step, []).append(finding)
    steps = []
    for index, step in enumerate(made):
        found = by_step.get(index, [])
        bad = {finding.argument for finding in found}
        arguments = [
            Argument(name=name, value=_value(value), is_bad=name in bad)
            for name, value in step.arguments.items()
        ]
        if step.watch is not None:
            arguments.append(Argument(name="watch", value=_watch(step), is_bad="watch" in bad))
        steps.append(
            PlanStep(
                number=index + 1,
                skill=step.skill,
                arguments=tuple(arguments),
                findings=tuple(map(_mark, found)),
            )
        )
    whole = tuple(_mark(finding) for finding in by_step.get(None, []))
    return PlanReading(rationale=rationale, steps=tuple(steps), findings=whole)


def _value(value: Value) -> str:
    if isinstance(value, Pose):
        return words.place(value)
    if isinstance(value, tuple) and not motions(value):
        return ", ".join(f"{part:g}" for part in numbers(value))
    return shown(value)


def _watch(step: Step) -> str:
    if step.watch is None:
        return ""
    points = step.watch.points
    said = "all" if points == "all" else " ".join(f"({x_px:g}, {y_px:g})" for x_px, y_px in points)
    return f"{said} {step.watch.camera}".strip()


def _mark(finding: Finding) -> Mark:
    return Mark(
        icon="warn",
        text=(strong(f"{finding.rule}: "), plain(f"{finding.message} {finding.remedy}")),
        tone="caution",
    )


def answer_text(response: Mapping[str, Any]) -> str:
    """The model's own words in a reply of either API, laid out where they are JSON; empty where there are
    none."""
    text = _of_chat(response) or _of_responses(response)
    try:
        return _pretty(json.loads(text)) if text else ""
    except (ValueError, RecursionError):
        return text


def _of_chat(response: Mapping[str, Any]) -> str:
    choices = response.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(message, dict):
        return ""
    return next(
        (
            message[name]
            for name in ("content", "reasoning_content", "refusal")
            if isinstance(message.get(name), str) and message[name]
        ),
        "",
    )


def _of_responses(response: Mapping[str, Any]) -> str:
    output = response.get("output")
    texts = []
    for item in output if isinstance(output, list) else ():
        parts = item.get("content") if isinstance(item, dict) else None
        for part in parts if isinstance(parts, list) else ():
            said = part.get("text") or part.get("refusal") if isinstance(part, dict) else None
            texts += [said] if isinstance(said, str) else []
    return "".join(texts)


def as_curl(exchange: Attempt) -> str:
    """The request as a command for a shell. Address and key are the operator's own variables: neither stands
    in the journal. The body is quoted as it is, whatever stands in it: no line of JSON reads `JSON`."""
    path = PATHS.get(exchange.api, "")
    body = json.dumps(exchange.request, indent=2, ensure_ascii=True)
    return (
        f'curl "${{QUARTERDECK_PLANNER_BASE_URL:-https://api.openai.com/v1}}{path}" \\\n'
        '  -H "Authorization: Bearer $QUARTERDECK_PLANNER_API_KEY" \\\n'
        "  -H 'Content-Type: application/json' \\\n"
        f"  --data-binary @- <<'JSON'\n{body}\nJSON\n"
    )


def _quoted(message: str) -> str:
    """The value that a finding quotes, as it stands in the answer."""
    parts = message.split("'")
    return parts[1] if len(parts) > 2 else ""


def _pretty(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)
