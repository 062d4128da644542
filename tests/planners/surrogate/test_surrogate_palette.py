"""The detector's colours are data of its own: they are the world's, name for name."""

from backend.planners.surrogate.seeing.palette import PALETTE
from robot_bridge.tabletop.colours import RGB

NOT_LOOKED_FOR = {"background", "table"}


def test_the_colours_are_those_of_the_tabletop() -> None:
    assert {name: rgb for name, rgb in RGB.items() if name not in NOT_LOOKED_FOR} == PALETTE
