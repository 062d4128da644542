"""A tabletop run's report: LogLook's Tables 2, 3, 7 and 8, and the episodes that one memory alone solves."""

from __future__ import annotations

from collections.abc import Mapping

from backend.evaluation.rebuild import Place
from backend.evaluation.tabletop_figures import Against, Discordant, Figures, Group
from backend.evaluation.tabletop_published import Printed, PrintedTable, Successes, beside
from backend.evaluation.tabletop_report import near_words, watch_shares
from backend.studies.addresses import Recorded, address, compare_address
from backend.studies.values import number
from backend.web.builders import words
from backend.web.pages.environment import url
from backend.web.pages.evaluation import Column, Section, Table, TableRow, Value

TOTALS = (
    "Success",
    "Failures: planning / other",
    "Wins / losses",
    "Sign test, p",
    "Tokens",
    "Images",
    "of these in the demonstration",
    "Calls",
)
NOTE = (
    "Means an episode. Success with Wilson’s interval at 95 %; the sign test is two-sided and exact. Below "
    "each figure what LogLook prints, where these are its episodes."
)
SURROGATE = (
    "A surrogate plans here, no model: its notes lose facts at set rates, and what comes out shows what each "
    "memory keeps of them. LogLook’s figures are of GPT-6 Astra on RoboMME."
)


def tabletop_sections(figures: Figures, recorded: Recorded) -> tuple[Section, ...]:
    paper, is_surrogate = beside(figures.run.study), figures.run.study.arms[0].planner == "surrogate"
    sections = [
        _totals(figures, figures.total, "cells", "Each memory over all episodes", paper.total, is_surrogate),
        _parts(figures, figures.tasks, "tasks", "Per task", paper.tasks),
        _parts(figures, figures.suites, "suites", "Per suite", {}),
        _parts(figures, figures.difficulties, "difficulties", "Per difficulty", paper.difficulties),
    ]
    if figures.demonstrated and len(figures.tasks) > 1:
        title = "Tasks with a demonstration"
        sections.insert(1, _totals(figures, figures.demonstrated, "demonstrated", title, paper.demonstrated))
    if figures.discordant:
        sections.append(_discordant(figures, recorded))
    return (*sections, _looked(figures))


def _totals(
    figures: Figures,
    groups: Mapping[str, Group],
    name: str,
    title: str,
    printed: PrintedTable | None,
    is_surrogate: bool = False,
) -> Section:
    whole = groups is figures.total
    against = {each.other: each for each in figures.against} if whole else {}
    rows = printed.rows if printed is not None else {}
    return Section(
        id=name,
        title=title,
        note=NOTE if printed is None else f"{NOTE} {printed.where}.",
        table=Table(
            caption=title,
            columns=_columns(("Memory", *TOTALS)),
            rows=tuple(
                [
                    _total_row(group, against.get(memory), rows.get(memory), whole)
                    for memory, group in groups.items()
                ]
            ),
        ),
        notes=(SURROGATE,) if is_surrogate else (),
    )


def _total_row(group: Group, against: Against | None, printed: Printed | None, whole: bool) -> TableRow:
    paper = printed or Printed(successes=0)
    costs = group.costs
    split = "" if against is None else f"{against.wins} / {against.losses}"
    return TableRow(
        values=(
            Value(text=group.memory, interval=words.counted(group.episodes, "episode")),
            _success(group, paper.successes if printed else None),
            Value(
                text=f"{group.failures_planning} / {group.failures_other}",
                interval=", ".join(f"{cause} {count}" for cause, count in group.causes.items()),
                printed=_pair(paper.planning, paper.other),
            ),
            Value(text=split or "–", printed=_pair(paper.wins, paper.losses) if whole else ""),
            Value(text="–" if against is None else number(against.p_value, 3)),
            Value(text=number(costs["tokens"], 0), printed=_said(paper.tokens)),
            Value(text=number(costs["images"], 1), printed=_images(paper)),
            Value(text=number(costs["images_demonstration"], 1), printed=_said(paper.demonstration)),
            Value(text=number(costs["calls"], 1), printed=_said(paper.calls)),
        )
    )


def _images(paper: Printed) -> str:
    if paper.images is None and paper.execution is not None and paper.demonstration is not None:
        return _said(paper.execution + paper.demonstration)
    return _said(paper.images)


def _success(group: Group, printed: float | None, *, href: str = "") -> Value:
    low, high = 100 * group.success.low, 100 * group.success.high
    return Value(
        text=f"{group.successes}/{group.episodes}",
        interval=f"{number(low, 0)} to {number(high, 0)} %",
        printed=_said(printed),
        href=href,
    )


def _said(value: float | None) -> str:
    return "" if value is None else f"LogLook {value:,g}"


def _pair(first: float | None, second: float | None) -> str:
    return "" if first is None or second is None else f"LogLook {first:g} / {second:g}"


def _parts(
    figures: Figures, parts: Mapping[str, Mapping[str, Group]], name: str, title: str, printed: Successes
) -> Section:
    memories = tuple(figures.total)
    arms = {(arm.scenario, arm.method): index for index, arm in enumerate(figures.run.study.arms)}

    def cell(part: str, memory: str) -> Value:
        group = parts[part].get(memory)
        if group is None:
            return Value(text="–")
        arm = arms.get((part, memory))
        href = "" if arm is None else url("evaluation", figures.run.id, "cells", arm)
        return _success(group, printed.get(part, {}).get(memory), href=href)

    return Section(
        id=name,
        title=title,
        note="Each cell opens its episodes." if name == "tasks" else "",
        table=Table(
            caption=f"Successes {title.lower()}",
            columns=_columns(("", *memories)),
            rows=tuple(
                [
                    TableRow(values=(Value(text=part), *[cell(part, memory) for memory in memories]))
                    for part in parts
                ]
            ),
        ),
    )


def _discordant(figures: Figures, recorded: Recorded) -> Section:
    return Section(
        id="discordant",
        title="Episodes that one memory alone solves",
        note=f"Of {figures.base} and each other memory, with why the other failed.",
        table=Table(
            caption="Discordant episodes",
            columns=_texts("Episode", "Solved by", "Failed by", "Cause of the failure", "Compare"),
            rows=tuple([_discordant_row(figures, each, recorded) for each in figures.discordant]),
        ),
    )


def _discordant_row(figures: Figures, each: Discordant, recorded: Recorded) -> TableRow:
    solved, failed = (
        address(Place(figures.run.id, arm, each.episode), recorded)
        for arm in (each.arm_solved, each.arm_failed)
    )
    return TableRow(
        values=(
            Value(text=f"{each.task} {each.episode}"),
            Value(text=each.solved_by, href=solved),
            Value(text=each.failed_by, href=failed),
            Value(text=each.cause),
            Value(text="side by side", href=compare_address(solved, failed)),
        )
    )


def _looked(figures: Figures) -> Section:
    labels = ("Watch nothing", "Points", "All", "Returned frames near events", "Closer looks near events")
    return Section(
        id="looked",
        title="What was looked at",
        note="Of the actions that move. Near: within 8 steps of an event, beside what even drawing gives.",
        table=Table(
            caption="What each memory’s planner looked at",
            columns=_columns(("Memory", *labels)),
            rows=tuple([_looked_row(group) for group in figures.total.values()]),
        ),
    )


def _looked_row(group: Group) -> TableRow:
    return TableRow(
        values=(
            Value(text=group.memory),
            *[Value(text=f"{number(100 * share, 0)} %") for share in watch_shares(group)],
            Value(text=near_words(group, "inspected", "inspected_near", "expected_near")),
            Value(text=near_words(group, "looked", "looked_near", "expected_looked")),
        )
    )


def _columns(labels: tuple[str, ...]) -> tuple[Column, ...]:
    return tuple(Column(label=label, is_figure=bool(index)) for index, label in enumerate(labels))


def _texts(*labels: str) -> tuple[Column, ...]:
    return tuple(Column(label=label, is_figure=False) for label in labels)
