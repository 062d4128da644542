"""The task notes tell what a task means and when a step counts, and nothing of any episode."""

import re

import pytest

from backend.domain.mission.task_notes import CRITERIA, DELEGATE, MEANING, sections
from robot_bridge.tabletop.catalogue import PHRASES
from robot_bridge.tabletop.tasks import (
    TASK_NAMES,
    bin_fill,
    insert_peg,
    moving,
    pattern_lock,
    pick_highlight,
    placing,
    route_stick,
    sensing,
    stop_cube,
    unmask,
)
from robot_bridge.tabletop.tasks import swing_xtimes as swing
from tests.support.checkout import ROOT

NOTES = ROOT / "missions" / "task_notes"
UNITS = ("m", "cm", "mm", "steps", "rad")
NUMBER = re.compile(r"\d+(?:\.\d+)?")
MEASURE = re.compile(rf"\d+(?:\.\d+)?(?: (?:to|and) (?:z )?\d+(?:\.\d+)?)* (?:{'|'.join(UNITS)})\b")
SAID_OF_EPISODES = {
    "a colour": r"\b(red|green|blue|yellow|purple|orange|cyan|pink|white|black|brown)\b",
    "a position": r"\b[xy] ?=? ?-?\d|\(-?\d[\d.]*, |\bpixel (at )?\(?\d",
    "a number without a unit": None,
    "a count": r"\b(two|three|four|five|six|seven|eight|nine|ten|fifteen) (\w+ )?"
    r"(cubes|containers|times|swaps|targets|nodes|legs|pegs|passes|colours|visits)\b",
    "a seed or episode": r"\b(seed|episode|split)s?\b",
    "a difficulty": r"\b(easy|medium|hard)\b",
}


def told_of_an_episode(text: str) -> set[str]:
    """What a note must not say, by kind."""
    text = " ".join(text.split())
    found = {
        what
        for what, pattern in SAID_OF_EPISODES.items()
        if pattern and re.search(pattern, text, re.IGNORECASE)
    }
    return found | ({"a number without a unit"} if NUMBER.search(MEASURE.sub("", text)) else set())


def read(task: str) -> str:
    return (NOTES / f"{task}.md").read_text("utf-8")


def test_each_task_has_a_note_and_each_note_a_task() -> None:
    assert {file.stem for file in NOTES.iterdir()} == set(TASK_NAMES)
    assert {file.suffix for file in NOTES.iterdir()} == {".md"}


@pytest.mark.parametrize("task", TASK_NAMES)
def test_a_note_has_its_three_parts(task: str) -> None:
    parts = sections(read(task))

    assert list(parts) == [MEANING, CRITERIA, DELEGATE]
    assert all(len(part) > 40 for part in parts.values())


@pytest.mark.parametrize("task", TASK_NAMES)
def test_a_note_says_nothing_of_any_episode(task: str) -> None:
    assert told_of_an_episode(read(task)) == set()


@pytest.mark.parametrize("task", TASK_NAMES)
def test_the_meaning_tells_no_threshold(task: str) -> None:
    """Else the note without its criteria would still hold them."""
    assert NUMBER.findall(sections(read(task))[MEANING]) == []


@pytest.mark.parametrize("task", TASK_NAMES)
def test_the_executor_takes_each_phrase_that_a_note_quotes(task: str) -> None:
    quoted = re.findall(r"`([^`]+)`", " ".join(sections(read(task))[DELEGATE].split()))
    phrases = {each.replace("<colour>", "red") for each in quoted} - {"from the right", "on the right"}

    assert phrases
    assert {each for each in phrases if not any(p.fullmatch(each) for p in PHRASES.values())} == set()


def cm(length_m: float) -> str:
    return f"{100 * length_m:g} cm"


PICKED, DROPPED = cm(sensing.PICKED_ABOVE_M), cm(sensing.DROPPED_UP_TO_M)
LIFTED, PUT_DOWN = cm(sensing.LIFTED_ABOVE_M), cm(sensing.PUT_DOWN_UP_TO_M)
ONTO, PRESSED = cm(sensing.ONTO_WITHIN_M), f"{1000 * sensing.PRESSED_BEYOND_M:g} mm"
UNMASKED = (LIFTED, PUT_DOWN)
REVEALED = f"{moving.REVEAL_STEPS} steps"
LIT = f"{pick_highlight.FIRST_STEP} to {pick_highlight.LAST_STEP} steps"
THRESHOLDS = {
    "bin-fill": (PICKED, PRESSED, cm(placing.BIN[2]), f"{bin_fill.DROP_Z_M:g} m"),
    "pick-xtimes": (PICKED, DROPPED, ONTO, PRESSED),
    "swing-xtimes": (
        *(PICKED, DROPPED, PRESSED),
        *map(cm, (swing.WITHIN_M, swing.BELOW_M, swing.REARMED_BEYOND_M, swing.REARMED_ABOVE_M)),
    ),
    "stop-cube": (PRESSED, cm(stop_cube.WITHIN_M), f"{stop_cube.PRESS_STEPS} steps"),
    "video-unmask": UNMASKED,
    "button-unmask": (*UNMASKED, PRESSED, REVEALED),
    "video-unmask-swap": UNMASKED,
    "button-unmask-swap": (
        *(*UNMASKED, PRESSED, REVEALED),
        *(f"{steps} steps" for steps in (unmask.SWAP_AFTER_STEPS, moving.SWAP_STEPS)),
    ),
    "pick-highlight": (PICKED, DROPPED, PRESSED, LIT),
    "video-repick": (PICKED, DROPPED, PRESSED),
    "video-place-button": (PICKED, DROPPED, ONTO),
    "video-place-order": (PICKED, DROPPED, ONTO),
    "move-cube": (PICKED, DROPPED, ONTO, cm(sensing.PUSHED_WITHIN_M)),
    "insert-peg": (PICKED, cm(insert_peg.WITHIN_M), cm(insert_peg.OPENING_M), cm(insert_peg.GRASP_M)),
    "pattern-lock": (cm(pattern_lock.WITHIN_M), f"{pattern_lock.BELOW_M:.2f} m"),
    "route-stick": (cm(route_stick.WITHIN_M), f"{route_stick.BELOW_M:.2f} m", cm(route_stick.STICK[2])),
}


@pytest.mark.parametrize("task", TASK_NAMES)
def test_the_criteria_are_those_of_the_rules(task: str) -> None:
    criteria = " ".join(sections(read(task))[CRITERIA].split())

    assert [each for each in THRESHOLDS[task] if not re.search(rf"\b{re.escape(each)}\b", criteria)] == []


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("Pick up the red cube.", "a colour"),
        ("The button stands at x 0.12.", "a position"),
        ("It is at (0.1, 0.2).", "a position"),
        ("Look at pixel 214.", "a position"),
        ("There are 3 of them.", "a number without a unit"),
        ("It lies 3 to the left of 4 cm.", "a number without a unit"),
        ("Pick it up three times.", "a count"),
        ("One of five small cubes.", "a count"),
        ("In episode twelve", "a seed or episode"),
        ("On hard, wait.", "a difficulty"),
    ],
)
def test_what_a_note_must_not_say_is_found(text: str, what: str) -> None:
    assert what in told_of_an_episode(text)


@pytest.mark.parametrize(
    "text",
    [
        "Presses that counted were at z 0.037 to 0.042 m, and at z 0.045 m none had.",
        "From 10 to 100 steps after the press.",
        "Fingers that hold a cube stand 37 mm apart; 0 mm means nothing.",
        "Within 4.8 cm of it, as often as the instruction says.",
    ],
)
def test_what_a_note_may_say_is_let_pass(text: str) -> None:
    assert told_of_an_episode(text) == set()
