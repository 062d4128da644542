"""Strings of a megabyte: pages cut them and say by how much; what was typed comes back whole."""

from __future__ import annotations

import re

import pytest

from backend.web.pages.environment import LONGEST, environment, url
from backend.web.pages.view import render
from tests.support.checkout import ROOT
from tests.web.examples import EXAMPLES
from tests.web.hostile import poisoned

TEMPLATES = environment(ROOT / "frontend")
HUGE = "x" * 1_000_000
READ = 200_000
"""Of a request or reply, which one opens to read it."""
ONE_EACH = {type(view): name for name, view in EXAMPLES.items()}


@pytest.mark.parametrize("name", ONE_EACH.values())
def test_no_page_prints_a_megabyte(name: str) -> None:
    html = render(TEMPLATES, poisoned(EXAMPLES[name], HUGE))
    read = re.sub("(?s)<textarea.*?</textarea>", "", html)
    runs = [len(run) for run in re.findall("x{1000,}", read)]
    bound = READ if "<pre" in html else LONGEST
    assert max(runs, default=0) <= bound
    assert runs.count(LONGEST) == read.count("… and 975,000 more characters")


@pytest.mark.parametrize(
    ("template", "length", "shown"),
    [
        ("{{ text }}", LONGEST, "x" * LONGEST),
        ("{{ text }}", LONGEST + 1234, "x" * LONGEST + "… and 1,234 more characters"),
        ("{{ text | upto(30) }}", 31, "x" * 30 + "… and 1 more characters"),
        ("{{ text | upto(30000) }}", 30_000, "x" * 30_000),
        ("{{ text | whole }}", 1_000_000, HUGE),
    ],
    ids=["what is usual", "what is longer", "its own bound", "more than usual", "what was typed"],
)
def test_how_much_of_a_text_is_shown(template: str, length: int, shown: str) -> None:
    assert TEMPLATES.from_string(template).render(text="x" * length) == shown


def test_what_is_longer_than_usual_is_text_all_the_same() -> None:
    made = TEMPLATES.from_string("{{ text | whole }}").render(text="<script>\u202e")
    assert made == "&lt;script&gt;⟨U+202E⟩"


def test_whatever_is_typed_comes_back_whole() -> None:
    typed = {
        path.name: re.findall(
            "(?s)<textarea[^>]*?>(.*?)</textarea>", re.sub("{%.*?%}|{{ parts.*?}}", "", text)
        )
        for path in (ROOT / "frontend").rglob("*.html")
        if "<textarea" in (text := path.read_text("utf-8"))
    }
    assert len(typed) >= 5
    for name, fields in typed.items():
        assert all(not field or field.endswith("| whole }}") for field in fields), name


def test_an_address_is_never_longer_than_any_browser_takes() -> None:
    assert len(url("episodes", HUGE, q=HUGE)) < 5_000
