"""Costs come from a dated table, or not at all."""

import datetime
from pathlib import Path

import pytest

from backend.domain.query.query import Usage
from backend.planners.asking import Asker, ask
from backend.planners.errors import PlannerConfigurationError
from backend.planners.prices import load_prices
from backend.planners.question import question_of
from backend.planners.settings import Endpoint
from tests.planners.samples import MODEL, first_query, settings
from tests.support.fake_planner import FakePlanner

USAGE = Usage(
    input_tokens=2553, cached_tokens=1408, output_tokens=596, reasoning_tokens=384, total_tokens=3149
)


@pytest.mark.parametrize(
    ("model", "usage", "dollars"),
    [
        pytest.param(
            MODEL, USAGE, (1145 * 0.25 + 1408 * 0.025 + 596 * 2.0) / 1e6, id="cached input is cheaper"
        ),
        pytest.param(
            MODEL, Usage(input_tokens=1000, output_tokens=10), 0.00027, id="nothing said of a cache"
        ),
        pytest.param(MODEL, Usage(input_tokens=1000), None, id="not counted"),
        pytest.param("a-model-of-mine", USAGE, None, id="not in the table"),
        pytest.param(
            "gpt-6-astra", Usage(input_tokens=10, output_tokens=1), 0.00015, id="the other paper's model"
        ),
        pytest.param(
            "gpt-6-astra", Usage(input_tokens=300_000, output_tokens=1), None, id="past the flat price"
        ),
    ],
)
def test_what_an_attempt_cost(model: str, usage: Usage, dollars: float | None) -> None:
    cost = load_prices().cost_usd(model, usage)

    assert cost == (None if dollars is None else pytest.approx(dollars))


def test_the_table_says_when_and_whence() -> None:
    prices = load_prices()

    assert prices.as_of >= datetime.date(2026, 11, 1)
    assert prices.source.startswith("https://")


def test_only_what_openai_answers_is_charged_for() -> None:
    with FakePlanner() as fake:
        made = settings(fake.url)
        costs = [
            ask(question_of(first_query()), Asker(settings=made, endpoint=endpoint, prices=load_prices()))[0]
            for endpoint in (at(fake.url, is_openai=True), at(fake.url, is_openai=False))
        ]

    assert costs[0].attempt.cost_usd == load_prices().cost_usd(MODEL, costs[0].attempt.usage)
    assert costs[0].attempt.cost_usd is not None
    assert costs[0].attempt.prices_as_of == load_prices().as_of.isoformat()
    assert costs[1].attempt.prices_as_of == ""
    assert costs[1].attempt.cost_usd is None


def at(url: str, *, is_openai: bool) -> Endpoint:
    return Endpoint(base_url=url, api_key="k", api="responses", is_openai=is_openai)


@pytest.mark.parametrize(
    "text",
    [
        None,
        "as_of = ",
        'as_of = 2026-11-05\nsource = "x"\n[models.m]\ninput = 1',
        'as_of = "soon"\nsource = "x"',
    ],
    ids=["no file", "no TOML", "half a price", "no date"],
)
def test_a_table_that_cannot_be_read(tmp_path: Path, text: str | None) -> None:
    path = tmp_path / "mine.toml"
    if text is not None:
        path.write_text(text)

    with pytest.raises(
        PlannerConfigurationError, match=r"mine\.toml is unreadable: .*Mend it, or unset it\."
    ):
        load_prices(path)
