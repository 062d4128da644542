"""What is written, and where it leads: figures, addresses, characters that deceive, JSON for reading."""

import hypothesis.strategies as st
import pytest
from hypothesis import given

from backend.web.pages import figures
from backend.web.pages.environment import url, visible
from backend.web.pages.exchange import json_tokens

# The islands tick the same figures: tests/browser/test_islands.py holds figures.js to these rows.
FIGURES = [
    ("age", 0, "0 s"),
    ("age", 12.9, "12 s"),
    ("age", 59.99, "59 s"),
    ("age", 60, "1:00"),
    ("age", 872, "14:32"),
    ("age", 3599, "59:59"),
    ("age", 3723, "1:02:03"),
    ("age", -4, "0 s"),
    ("link_age", 0.1, "0.1 s"),
    ("link_age", 0.26, "0.2 s"),
    ("link_age", 3.4, "3.4 s"),
    ("link_age", 9.99, "9.9 s"),
    ("link_age", 18.2, "18 s"),
    ("link_age", 130, "2:10"),
    ("countdown", 51.2, "0:52"),
    ("countdown", 0.01, "0:01"),
    ("countdown", 0, "0:00"),
    ("countdown", -3, "0:00"),
    ("countdown", 3600, "60:00"),
    ("met", 0, "00:00:00"),
    ("met", 872.9, "00:14:32"),
    ("met", 100_000, "27:46:40"),
    ("count", 1904, "1,904"),
]


@pytest.mark.parametrize(("name", "value", "written"), FIGURES, ids=[f"{f}({v})" for f, v, _ in FIGURES])
def test_a_figure_is_written(name: str, value: float, written: str) -> None:
    assert getattr(figures, name)(value) == written


@pytest.mark.parametrize(
    ("made", "written"),
    [
        (figures.change(46), "+46"),
        (figures.change(-1200), "−1,200"),
        (figures.change(0), "–"),
        (figures.percent(0.268, 1), "26.8 %"),
        (figures.share(0.7), "0.70"),
        (figures.place(5.337, -0.1), "5.34, -0.10 m"),
        (figures.digest("9f3ab0c2d1e4c41e"), "9f3a…c41e"),
        (figures.digest("short"), "short"),
        (figures.cost(0.0015), "$0.0015"),
        (figures.cost(1234.5), "$1,234.50"),
    ],
)
def test_what_does_not_tick(made: str, written: str) -> None:
    assert made == written


@given(st.floats(0, 1e6))
def test_nothing_looks_younger_than_a_second_or_older_than_it_is(seconds: float) -> None:
    *hours, minutes, rest = (
        int(part) for part in ("0:0:" + figures.age(seconds).removesuffix(" s")).split(":")
    )
    total = sum(part * 60**power for power, part in enumerate([rest, minutes, *reversed(hours)]))
    assert total <= seconds < total + 1


@pytest.mark.parametrize(
    ("made", "address"),
    [
        (url("episodes", "0417"), "/episodes/0417"),
        (url("episodes", "0417", at=12, tab=None), "/episodes/0417?at=12"),
        (url("episodes", "../x?y#z", q="a&b=c"), "/episodes/..%2Fx%3Fy%23z?q=a%26b%3Dc"),
        (url("episodes", "\ud800"), "/episodes/%3F"),
    ],
)
def test_an_address_is_quoted(made: str, address: str) -> None:
    assert made == address


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("can_07 – 0.42 m", "can_07 – 0.42 m"),
        ("safe\u202egnp.exe", "safe⟨U+202E⟩gnp.exe"),
        ("a\u200bb\ufeff", "a⟨U+200B⟩b⟨U+FEFF⟩"),
        ("\x00\x1b[31m", "⟨U+0000⟩⟨U+001B⟩[31m"),
        ("\ud800", "⟨U+D800⟩"),
        ("two\nlines\tkept", "two\nlines\tkept"),
        ("from a\r\nform", "from a\nform"),
        ("over\rwritten", "over⟨U+000D⟩written"),
        ("Flasche für Öl, 缶", "Flasche für Öl, 缶"),
    ],
)
def test_characters_that_deceive_are_written_out(text: str, written: str) -> None:
    assert visible(text) == written


@given(st.text())
def test_tokens_of_any_text_give_the_text_again(text: str) -> None:
    assert "".join(token.text for token in json_tokens(text)) == text


def test_json_is_told_apart() -> None:
    tokens = json_tokens('{"station": "bin", "n": 5}', frozenset({"bin"}))
    assert [(token.text, token.kind, token.is_bad) for token in tokens if token.text.strip()] == [
        ("{", "punctuation", False),
        ('"station"', "key", False),
        (":", "punctuation", False),
        ('"bin"', "string", True),
        (",", "punctuation", False),
        ('"n"', "key", False),
        (":", "punctuation", False),
        (" 5", "other", False),
        ("}", "punctuation", False),
    ]
