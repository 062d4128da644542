"""The browser fixture itself: a real page, a real click, and script errors that fail the test."""

import pytest
from playwright.sync_api import Page, expect

COUNTER = """<button onclick="this.textContent = Number(this.textContent) + 1">0</button>"""


def test_a_click_runs_the_page_s_script(page: Page) -> None:
    page.set_content(COUNTER)

    page.get_by_role("button").click()

    expect(page.get_by_role("button")).to_have_text("1")


def test_the_clock_of_the_page_is_utc(page: Page) -> None:
    assert page.evaluate("new Date().getTimezoneOffset()") == 0


def test_a_script_error_fails_the_test(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        "def test_it(page):\n    page.set_content('<script>setTimeout(() => nonsense(), 0)</script>')\n"
        "    page.wait_for_timeout(50)\n"
    )

    result = pytester.runpytest_subprocess("-p", "tests.support.chromium", "-p", "no:cacheprovider")

    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(["*the page's scripts failed*nonsense is not defined*"])
