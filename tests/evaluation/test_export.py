"""Results as files: what is written is read again equal, and what is no such file is refused by its line."""

from __future__ import annotations

import csv
import json

import pytest
from msgspec.structs import replace

from backend.evaluation.arms import arm
from backend.evaluation.errors import WrongStudy
from backend.evaluation.export import COLUMNS, csv_lines, json_lines
from backend.evaluation.importing import read_json_lines
from backend.usecases.results import EpisodeResult, Run, Study
from backend.usecases.results_in_memory import MemoryResults

ARMS = (
    arm("dn-14", "static"),
    replace(arm("dn-14", "attention"), variant='K 2, "odd"', parameters={"size": 9}),
)
STUDY = Study(kind="ablation", name="k", arms=ARMS, first_seed=3, seeds=2)
ROWS = [
    EpisodeResult(
        arm=arm, seed=seed, success=seed == 3, outcome="budget", steps=240, context=10**10, planner_calls=9,
        stale_visits=1, delivered=13, path_m=0.1 + 0.2, replans={"changed": 2, "failed": 1},
        extra={"misled": 4.0},
    )
    for arm in (0, 1)
    for seed in (3, 4)
]  # fmt: skip


@pytest.fixture
def run() -> Run:
    results = MemoryResults()
    begun = results.start(STUDY, "1.0+abc")
    results.add(begun.id, ROWS)
    return results.finish(begun.id)


def written(run: Run) -> bytes:
    return "".join(json_lines(run, ROWS)).encode()


def test_json_lines_are_read_again_equal(run: Run) -> None:
    read, results = read_json_lines(written(run), "run.jsonl")

    assert list(results.episodes(read.id)) == ROWS
    assert (read.study, read.code_version, read.finished_utc, read.done) == (
        STUDY,
        "1.0+abc",
        run.finished_utc,
        4,
    )


def test_each_json_line_says_what_it_is_about(run: Run) -> None:
    line = json.loads(list(json_lines(run, ROWS))[-1])

    assert (line["scenario"], line["method"], line["variant"], line["seed"]) == (
        "dn-14",
        "attention",
        'K 2, "odd"',
        4,
    )


def test_csv_has_a_row_an_episode_in_the_columns_named(run: Run) -> None:
    rows = list(csv.DictReader(csv_lines(run, ROWS)))

    assert [tuple(row) for row in rows] == [COLUMNS] * 4
    assert rows[2]["variant"] == 'K 2, "odd"'
    assert rows[2]["replans"] == "changed 2; failed 1"
    assert rows[2]["extra"] == "misled 4"
    assert [row["success"] for row in rows] == ["1", "0", "1", "0"]
    assert float(rows[0]["path_m"]) == 0.1 + 0.2


CASES = {
    "empty": (lambda text: b"", "holds no exported results"),
    "other": (lambda text: b'{"cells": []}\n', "holds no exported results"),
    "no JSON": (lambda text: b"scenario,method\n", "holds no exported results"),
    "newer": (lambda text: text.replace(b'results":1', b'results":2'), "is of results format 2"),
    "unknown study": (lambda text: text.replace(b'"kind":"ablation"', b'"kind":"tasting"'), "does not know"),
    "cut off": (lambda text: text[:-40], "Line 5 of run.jsonl is no episode"),
    "cut off at a line's end": (
        lambda text: b"\n".join(text.splitlines()[:3]) + b"\n", "run.jsonl lacks 2 of its 4 episodes.",
    ),
    "cut off, of a version that noted no count": (
        lambda text: b"\n".join(text.replace(b',"episodes":4', b"").splitlines()[:4]),
        "run.jsonl lacks 1 of its 4 episodes.",
    ),
    "an episode twice": (
        lambda text: text + text.splitlines()[2], "Line 6 of run.jsonl has arm 0, seed 4 again, after line 3",
    ),
    "steps below none": (
        lambda text: text.replace(b'"steps":240', b'"steps":-3'), "Line 2 of .* steps: -3 is below 0",
    ),
    "replans below none": (
        lambda text: text.replace(b'"failed":1', b'"failed":-1'), "replans.failed: -1 is below 0",
    ),
    "success that is a word": (
        lambda text: text.replace(b'"success":true', b'"success":"yes"'), "success: expected `bool`",
    ),
    "foreign seed": (
        lambda text: text.replace(b'"seed":4', b'"seed":5'), "Line 3 .* seed: 5 is none of its study's",
    ),
    "foreign arm": (lambda text: text.replace(b'"arm":1', b'"arm":7'), "Line 4 of run.jsonl names arm 7"),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_a_file_that_is_none_of_ours_is_refused(run: Run, case: str) -> None:
    damage, told = CASES[case]

    with pytest.raises(WrongStudy, match=told):
        read_json_lines(damage(written(run)), "run.jsonl")


def test_a_run_that_goes_on_may_have_more_by_the_time_it_is_written(run: Run) -> None:
    text = "".join(json_lines(replace(run, done=3, finished_utc=None), ROWS)).encode()

    assert read_json_lines(text, "run.jsonl")[0].done == 4
