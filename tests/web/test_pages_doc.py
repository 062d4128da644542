"""docs/reference/pages.md names every address, and none that is not there; live.md names every close code."""

import re

from backend.web.app import create_app
from backend.web.guard import origin, session
from backend.web.pages.live import PanelName
from backend.web.routes import live
from tests.support.checkout import ROOT
from tests.web.stand import Stand
from tests.web.walk import addresses

PAGES = (ROOT / "docs" / "reference" / "pages.md").read_text("utf-8")
LIVE = (ROOT / "docs" / "reference" / "live.md").read_text("utf-8")


def test_every_address_is_named_and_no_other(stand: Stand) -> None:
    named = re.findall(r"^\| `(GET|POST|PUT|DELETE|WEBSOCKET) (/\S*)` \|", PAGES, re.MULTILINE)
    assert len(named) == len(set(named))
    assert set(named) == set(addresses(create_app(stand.deps())))


def test_open_addresses_are_marked(stand: Stand) -> None:
    marked = set(re.findall(r"^\| `\w+ (/\S*)` \|.*\*Open\.\*", PAGES, re.MULTILINE))
    assert marked == set(session.OPEN)


def test_every_close_code_is_explained() -> None:
    codes = (session.SIGNED_OUT, origin.FOREIGN, live.UNKNOWN, live.BEHIND, live.TRY_AGAIN)
    assert [code for code in codes if str(code) not in LIVE] == []


def test_every_panel_of_an_event_is_named() -> None:
    [listed] = re.findall(r"of `([a-z ]+)`\. The page fetches those again", LIVE)
    assert tuple(listed.split()) == PanelName.__args__
