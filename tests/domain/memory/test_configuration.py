"""The named memories, as the design tabulates them."""

import pytest
from msgspec.structs import replace

from backend.domain.memory.configuration import NAMED

SWITCHES = ("entities", "log", "notes", "frames", "demonstration")
TABLE = {
    "attention": ("attention", "full", "history", "off", "off"),
    "unfiltered": ("unfiltered", "full", "history", "off", "off"),
    "static": ("static", "full", "history", "off", "off"),
    "none": ("none", "full", "history", "off", "off"),
    "oracle": ("oracle", "full", "history", "off", "off"),
    "execution_grounded": ("none", "full", "history", "gated", "skim_inspect"),
    "note_only": ("none", "last_8", "latest", "all", "stride"),
    "no_log": ("none", "last_8", "history", "gated", "skim_inspect"),
    "no_notes": ("none", "full", "latest", "gated", "skim_inspect"),
    "no_gating": ("none", "full", "history", "all", "skim_inspect"),
    "no_inspect": ("none", "full", "history", "gated", "stride"),
}


@pytest.mark.parametrize(("name", "switches"), TABLE.items(), ids=TABLE.keys())
def test_a_named_memory_is_one_point_of_the_space(name: str, switches: tuple[str, ...]) -> None:
    memory = NAMED[name]

    assert tuple(getattr(memory, switch) for switch in SWITCHES) == switches
    assert memory.name == name


def test_every_named_memory_is_in_the_table() -> None:
    assert set(NAMED) == set(TABLE)


def test_the_defaults_are_those_of_the_paper() -> None:
    settings = NAMED["attention"].attention

    assert (settings.k, settings.decay_s, settings.threshold) == (8, 18.0, 0.55)
    assert (settings.weights.aerial, settings.weights.onboard, settings.weights.initial) == (0.8, 1.0, 1.0)
    assert replace(NAMED["attention"], name="custom").entities == "attention"
