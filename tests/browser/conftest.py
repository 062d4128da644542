"""A theatre for the module, and a page on its stage that fails on any complaint of the browser."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page

from tests.browser.stage import Stage, Theatre, open_theatre
from tests.support.chromium import PATIENCE_MS, VIEWPORT

# What a browser says of a lost connection, and of the answers that the tests ask for.
EXPECTED = ("ERR_CONNECTION", "ERR_EMPTY_RESPONSE", "WebSocket", "409", "422", "503", "htmx:")


@pytest.fixture(scope="module")
def theatre() -> Iterator[Theatre]:
    with open_theatre() as theatre:
        yield theatre


@pytest.fixture
def stage(theatre: Theatre) -> Stage:
    """A fresh scene; the server stays up."""
    theatre.stage.reset()
    return theatre.stage


@pytest.fixture
def console(chromium: Browser, theatre: Theatre, stage: Stage) -> Iterator[Page]:
    """The episode console, live. A script error or breach of policy fails the test; a lost link does not."""
    context = chromium.new_context(
        viewport=VIEWPORT, locale="en-GB", timezone_id="UTC", reduced_motion="reduce", base_url=theatre.url
    )
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    complaints: list[str] = []

    def listen(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not any(w in message.text for w in EXPECTED):
            complaints.append(message.text)

    page.on("console", listen)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto("/episodes/0417")
    page.wait_for_selector("html:not(.is-cut) .map-mark.is-told")
    yield page
    context.close()
    assert not complaints
