"""The conn in the status bar: who has it, and what each person may do about it as time goes on."""

from collections.abc import Mapping

import pytest
from msgspec.structs import replace

from backend.domain.command.conn import ASKED_FOR_S, GRACE_S, Conn, ConnRequest
from backend.web.builders.conn import conn
from backend.web.pages.chrome import User
from tests.support.drill import NOW_S
from tests.web.builders.test_card import drilled
from tests.web.moments import ADA, BOB, WATCHER, Screen, said

CAROL = User(name="carol", initials="CA", role="operator")
BOSS = User(name="boss", initials="BO", role="admin")
ASKED = ConnRequest(by="bob", seq=9, asked_s=NOW_S, reason="I see it")


def shown(viewer: User, later_s: float, kept: bool = False) -> Mapping[str, object]:
    moment = Screen(drilled(("take", 0))).moment(user=viewer)
    asked = replace(ASKED, kept=True, reason="Nearly done") if kept else ASKED
    held = Conn(holder="ada", since_seq=3, expires_s=NOW_S + 1000, asked=asked)
    now = replace(moment.now, now_s=NOW_S + later_s)
    made = conn(replace(moment, head=replace(moment.head, conn=held), now=now))
    request = made.request
    return {
        "offers": made.offers,
        "says": said(request.text) if request else "",
        "request": request.offers if request else (),
        "again": request.look_again_s if request else None,
    }


CASES = {
    "its holder": (
        ADA,
        3.0,
        False,
        ("give_up",),
        "bob asks for the conn: “I see it”",
        ("hand_over", "keep"),
        12,
    ),
    "its holder, late": (
        ADA,
        GRACE_S,
        False,
        ("give_up",),
        "bob asks for the conn: “I see it” They may take it over now.",
        ("hand_over", "keep"),
        None,
    ),
    "who asked": (BOB, 0.5, False, (), "You asked ada for the conn.", (), 15),
    "who asked, late": (BOB, GRACE_S, False, (), "ada did not answer.", ("take_over",), None),
    "who asked, too late": (BOB, GRACE_S + ASKED_FOR_S, False, ("ask",), "", (), None),
    "who was refused": (BOB, 9.0, True, (), "ada keeps the conn: “Nearly done”", ("ask",), None),
    "who was refused, long ago": (BOB, GRACE_S + ASKED_FOR_S, True, ("ask",), "", (), None),
    "another operator": (CAROL, 3.0, False, (), "bob has asked ada for the conn.", (), None),
    "an admin": (BOSS, 3.0, False, ("take_over",), "bob has asked ada for the conn.", (), None),
    "a viewer": (WATCHER, 3.0, False, (), "", (), None),
}


@pytest.mark.parametrize(
    ("viewer", "later_s", "kept", "offers", "says", "request_offers", "again"),
    CASES.values(),
    ids=CASES.keys(),
)
def test_what_each_sees_of_a_request(
    viewer: User,
    later_s: float,
    kept: bool,
    offers: tuple[str, ...],
    says: str,
    request_offers: tuple[str, ...],
    again: int | None,
) -> None:
    assert shown(viewer, later_s, kept) == {
        "offers": offers, "says": says, "request": request_offers, "again": again
    }  # fmt: skip
