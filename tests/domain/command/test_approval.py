"""What an approval pins, and that its digest changes with every part of it."""

import pytest
from msgspec.structs import replace

from backend.domain.command.approval import Pin, Pins
from backend.domain.command.policy import Risk
from backend.domain.memory.record import Field

PINS = Pins(
    plan_digest="a" * 64,
    fields=(Pin("can_1", Field.POSE, 4), Pin("can_1", Field.STATUS, 7)),
    site_version=1,
    catalogue_digest="b" * 64,
    held=None,
    risks=(Risk("confidence_below", 0, "Weak belief", "can_1"),),
)


def test_equal_pins_have_equal_digests() -> None:
    assert PINS.digest == replace(PINS).digest
    assert len(PINS.digest) == 64


OTHERS = {
    "another plan": replace(PINS, plan_digest="c" * 64),
    "another version of a field": replace(PINS, fields=(Pin("can_1", Field.POSE, 5), PINS.fields[1])),
    "another field": replace(PINS, fields=(Pin("can_2", Field.POSE, 4), PINS.fields[1])),
    "one field less": replace(PINS, fields=PINS.fields[:1]),
    "another version of the site": replace(PINS, site_version=2),
    "other skills": replace(PINS, catalogue_digest="c" * 64),
    "another object held": replace(PINS, held="can_2"),
    "another risk": replace(PINS, risks=()),
}


@pytest.mark.parametrize("other", OTHERS.values(), ids=OTHERS.keys())
def test_a_digest_tells_what_was_shown_from_what_was_not(other: Pins) -> None:
    assert other.digest != PINS.digest
