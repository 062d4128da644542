"""A real browser for tests: Debian's Chromium, headless, driven by Playwright.

Module-scoped, because Playwright's loop occupies the thread: no test beside it could call `asyncio.run`.
"""

import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Playwright, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome")
FEATURES_OFF = (
    # Playwright's own, which the switch below replaces.
    "AimEnabled",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
    # These make pages of the browser's own windows ready, in processes of their own, that nobody sees.
    "PreloadTopChromeWebUI",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxPopup",
)
QUIET = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    f"--disable-features={','.join(FEATURES_OFF)}",
)
VIEWPORT = {"width": 1600, "height": 1000}
PATIENCE_MS = 15_000


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """One browser process for the module; open a context of your own where `page` is not enough."""
    with sync_playwright() as playwright:
        browser = launch(playwright)
        yield browser
        browser.close()


def launch(playwright: Playwright) -> Browser:
    return playwright.chromium.launch(executable_path=executable(), chromium_sandbox=False, args=list(QUIET))


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """A page with cookies of its own, UTC and no animations; an uncaught script error fails the test."""
    context = chromium.new_context(
        viewport=VIEWPORT, locale="en-GB", timezone_id="UTC", reduced_motion="reduce"
    )
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert not errors, f"the page's scripts failed: {errors}"


def executable() -> str:
    """The Chromium to drive: `QUARTERDECK_CHROMIUM`, else the first one on the path."""
    named = os.environ.get("QUARTERDECK_CHROMIUM")
    found = next(filter(None, map(shutil.which, [named] if named else NAMES)), None)
    if found is None:
        pytest.fail(f"no Chromium found as {named or ' or '.join(NAMES)}; run: make browser", pytrace=False)
    return found
