"""The arm's skills as the contract has them, and the executor's words."""

import pytest

from robot_bridge import contract
from robot_bridge.tabletop.catalogue import CATALOGUES, PHRASES


@pytest.mark.parametrize(
    ("executor", "skills"),
    [("direct", ["locate", "move", "wait", "sequence"]), ("delegate", ["locate", "wait", "delegate"])],
)
def test_each_executor_has_its_skills(executor: str, skills: list[str]) -> None:
    catalogue = CATALOGUES[executor]

    contract.CATALOGUE(catalogue, "catalogue")
    assert [skill["name"] for skill in catalogue["skills"]] == skills
    assert [skill["name"] for skill in catalogue["skills"] if not skill["may_watch"]] == ["locate"]


@pytest.mark.parametrize(
    ("phrase", "kind"),
    [
        ("pick up the red cube", "pick"),
        ("place it on the target", "place"),
        ("put it into the bin", "bin"),
        ("put it down", "drop"),
        ("press the button", "press"),
        ("press the left button", "press"),
        ("move to the right target", "move"),
        ("push the cube to the target", "push"),
        ("insert the peg from the left", "insert"),
        ("go round the stick on the right", "circle"),
        ("insert the peg from above", None),
        ("Pick up the red cube!", None),
    ],
)
def test_a_phrase_is_of_one_kind_or_none(phrase: str, kind: str | None) -> None:
    assert [name for name, pattern in PHRASES.items() if pattern.fullmatch(phrase)] == (
        [kind] if kind else []
    )
