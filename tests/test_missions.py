"""Missions are files: those that come along are right, and what is wrong in one is told by its place."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from backend.bridge.worlds import WORLDS, catalogue_of
from backend.domain.memory.configuration import NAMED
from backend.missions import BOUNDS, MissionError, MissionFiles, read_mission, with_memory
from backend.written import LARGEST_BYTES
from tests.support.checkout import ROOT

SHIPPED = MissionFiles([ROOT / "missions"], WORLDS)
BASE = """
name: x
title: A title
goal: Do it.
completion: It is done.
world: {name: grid, scenario: s-6}
"""


def read(text: str) -> object:
    return read_mission(text.encode(), "x.yaml", WORLDS, catalogue_of)


@pytest.mark.parametrize(
    ("name", "scenario"),
    [
        ("recycling-s6", "s-6"),
        ("recycling-d10", "d-10"),
        ("recycling-dn14", "dn-14"),
        ("recycling-live6", "live-6"),
        ("recycling-reveal5", "reveal-5"),
    ],
)
def test_a_mission_that_comes_along_asks_people_and_shows_gated_frames(name: str, scenario: str) -> None:
    mission = SHIPPED.get(name)

    assert (mission.world.name, mission.world.scenario) == ("grid", scenario)
    assert (mission.world.clock, mission.world.tick_s) == ("runs", 1.0)
    assert mission.policy.mode == "every_plan"
    assert (mission.memory.entities, mission.memory.frames) == ("attention", "gated")
    assert mission.memory.name == "attention, frames gated"
    assert mission.budgets.steps is None


def test_every_field_of_a_mission_that_comes_along_is_explained() -> None:
    """By a comment behind it, or in the line above."""
    plain = {"title:", "world:", "memory:", "budgets:", "task_note:", "completion:"}
    for file in sorted((ROOT / "missions").glob("*.yaml")):
        lines = file.read_text("utf-8").splitlines()
        unexplained = [
            line
            for above, line in zip(["", *lines], lines, strict=False)
            if re.match(r"\s*\w+:(\s|$)", line) and "#" not in line + above[:1]
        ]
        assert {line.split()[0] for line in unexplained} <= plain, file.name


def test_every_bound_is_told() -> None:
    page = (ROOT / "docs" / "how-to" / "write-a-mission.md").read_text("utf-8")
    rows = re.findall(r"^\| ([\d.,]+) to ([\d.,]+) \| (.+) \|$", page, re.MULTILINE)
    told = {
        field: (float(least.replace(",", "")), float(most.replace(",", "")))
        for least, most, fields in rows
        for field in re.findall(r"`([\w.]+)`", fields)
    }

    assert told == {field: (least, most) for field, _, least, most in BOUNDS}


def test_the_live_mission_has_the_settings_of_the_study() -> None:
    attention = SHIPPED.get("recycling-live6").memory.attention

    assert (attention.k, attention.decay_s, attention.threshold) == (6, 16.0, 0.55)


def test_what_a_file_leaves_out_has_its_default() -> None:
    mission = read_mission(BASE.encode(), "x.yaml", WORLDS)

    assert (mission.total, mission.policy.mode, mission.world.clock) == (0, "every_plan", "waits")
    assert mission.memory.entities == "attention"


def test_a_memory_may_be_like_a_named_one_in_all_but_a_switch() -> None:
    text = BASE + "memory: {like: unfiltered, notes: latest, attention: {weights: {aerial: 0.5}}}"
    memory = read_mission(text.encode(), "x.yaml", WORLDS).memory

    assert (memory.entities, memory.notes, memory.log) == ("unfiltered", "latest", "full")
    assert (memory.attention.weights.aerial, memory.attention.weights.onboard, memory.attention.k) == (
        0.5,
        1.0,
        8,
    )
    assert memory.name == "unfiltered, notes latest"


def test_a_named_memory_replaces_all_but_the_mission_s_own_attention() -> None:
    mission = with_memory(SHIPPED.get("recycling-live6"), "note_only")

    assert mission.memory.frames == NAMED["note_only"].frames == "all"
    assert mission.memory.attention.k == 6


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a: [", "x.yaml is no YAML: line 1: "),
        ("- one\n- two", "x.yaml holds no fields. Write them as `name: value`"),
        ("", "x.yaml holds no fields."),
        ("\x00", "x.yaml is no YAML"),
        (BASE + "gaol: x", "x.yaml: gaol is no field of a mission. Did you mean goal?"),
        (
            BASE + "memory: {frams: gated}",
            "x.yaml: memory.frams is no field of a mission. Did you mean frames?",
        ),
        (
            BASE + "policy: {risk: {skils: []}}",
            "policy.risk.skils is no field of a mission. Did you mean skills?",
        ),
        ("name: x", "x.yaml: title is missing. Add it."),
        (BASE + "total: many", "x.yaml: total is wrong: expected `int`, got `str`. Write a whole number."),
        (
            BASE + "policy: sometimes",
            "policy.mode is wrong: invalid enum value 'sometimes'. Choose one of auto, ",
        ),
        (BASE + "budgets: 3", "x.yaml: budgets is wrong: expected `object`, got `int`. Write fields."),
        (BASE + "budgets: {steps: 0}", "x.yaml: budgets.steps is 0. Give 1 to 1,000,000,000."),
        (BASE + "memory: {like: atention}", "x.yaml: memory.like is 'atention'. Choose one of attention, "),
        (BASE + "memory: {attention: {k: 0}}", "x.yaml: memory.attention.k is 0. Give 1 to 10,000."),
        (BASE.replace("grid", "moon"), "x.yaml: world.name is 'moon'. Known worlds are: grid, "),
        (BASE.replace("s-6", "s-7"), "x.yaml: world.scenario is 's-7'. World grid has: s-6, d-10, "),
        (
            BASE.replace("s-6", "s-6, tick_s: soon"),
            "world.tick_s is wrong: expected `float`, got `str`. Write a number.",
        ),
        (BASE.replace("s-6", "s-6, tick_s: -1"), "x.yaml: world.tick_s is -1.0. Give 0.01 to 3,600"),
        (
            BASE.replace("s-6", "s-6, clock: stops"),
            "world.clock is wrong: invalid enum value 'stops'. Choose one of",
        ),
        (BASE.replace("s-6", "s-6, tick_s: 0.001"), "world.tick_s is 0.001. Give 0.01 to 3,600"),
        (BASE + "memory: {1: 2}", "x.yaml: memory.1 is no field of a mission."),
        (
            BASE + "memory: {attention: {weights: {aerial: -1}}}",
            "memory.attention.weights.aerial is -1.0. Give 0",
        ),
        (
            BASE + "memory: {attention: {weights: {aerial: .nan}}}",
            "memory.attention.weights.aerial is nan. Give 0",
        ),
        (
            BASE + "policy: {risk: {confidence_below: .nan}}",
            "policy.risk.confidence_below is nan. Give 0 to 1.",
        ),
        (BASE + "policy: {risk: {belief_older_s: .inf}}", "policy.risk.belief_older_s is inf. Give 0 to"),
        (
            BASE + "policy: {risk: {skills: [grapsp]}}",
            "policy.risk.skills names 'grapsp', no skill of this robot. Did you mean grasp?",
        ),
        (BASE + f"instructions: {'x' * 4001}", "instructions has 4,001 characters. Write at most 4,000."),
        (BASE + "policy: {risk: {distance_above_m: -1}}", "policy.risk.distance_above_m is -1.0. Give 0 to"),
        ("a: " + "[" * 20_000, "x.yaml is nested too deeply."),
        (BASE + "total: 2026-99-99", "x.yaml is no YAML: month must be in 1..12."),
        (BASE + f"total: {'9' * 5000}", "x.yaml is no YAML: Exceeds the limit"),
        (BASE + r'policy: "\ud800"', "x.yaml holds half a character."),
        (BASE + r'task_note: "\ud800"', "x.yaml: task_note holds NUL or half a character."),
        (BASE + r'task_note: "\0"', "x.yaml: task_note holds NUL or half a character."),
        (BASE + r'policy: {risk: {skills: ["\0"]}}', "x.yaml: policy.risk.skills[0] holds NUL"),
        (BASE + f"policy: {'x' * 5000}", "…. Choose one of auto, "),
        ("#" * (LARGEST_BYTES + 1), f"x.yaml has {LARGEST_BYTES + 1} bytes. A mission takes at most"),
    ],
)
def test_what_is_wrong_is_told_by_file_field_and_remedy(text: str, told: str) -> None:
    with pytest.raises(MissionError) as wrong:
        read(text)

    assert told in str(wrong.value)


def test_an_unknown_mission_is_told_with_those_that_there_are() -> None:
    with pytest.raises(
        MissionError, match=r"Mission 'recycling-dn15' is unknown\. Did you mean recycling-dn14\?"
    ):
        SHIPPED.get("recycling-dn15")
    with pytest.raises(MissionError, match="Known are: none"):
        MissionFiles([Path("nowhere")], WORLDS).get("x")


def test_a_name_cannot_lead_out_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "missions").mkdir()
    (tmp_path / "secret.yaml").write_text(BASE)

    with pytest.raises(MissionError, match="is unknown"):
        MissionFiles([tmp_path / "missions"], WORLDS).get("../secret")


def test_the_home_s_own_mission_wins_and_must_bear_its_file_s_name(tmp_path: Path) -> None:
    own = (ROOT / "missions" / "recycling-s6.yaml").read_text("utf-8")
    (tmp_path / "recycling-s6.yaml").write_text(own.replace("Recycling, six containers", "Ours"))
    (tmp_path / "other.yaml").write_text(own)
    files = MissionFiles([tmp_path, ROOT / "missions"], WORLDS)

    assert files.get("recycling-s6").title == "Ours"
    with pytest.raises(MissionError, match=r"other\.yaml: name is 'recycling-s6'\. Write 'other', or rename"):
        files.get("other")
