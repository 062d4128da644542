"""When to ask again: the server's wish, in any of its forms, and a pause that doubles."""

import pytest

from backend.planners.waiting import asked_wait_s, backoff_s


@pytest.mark.parametrize(
    ("headers", "wait_s"),
    [
        pytest.param({}, None, id="nothing asked"),
        pytest.param({"retry-after": "2.5"}, 2.5, id="seconds"),
        pytest.param({"retry-after": "-3"}, 0.0, id="no time at all"),
        pytest.param({"retry-after-ms": "1500", "retry-after": "2"}, 1.5, id="milliseconds first"),
        pytest.param(
            {"retry-after": "Mon, 02 Nov 2026 10:00:30 GMT", "date": "Mon, 02 Nov 2026 10:00:00 GMT"},
            30.0,
            id="a date, by the server's own clock",
        ),
        pytest.param(
            {"retry-after": "Mon, 02 Nov 2026 10:00:30 GMT"}, None, id="a date with nothing to hold it to"
        ),
        pytest.param({"retry-after": "soon"}, None, id="no time that we know"),
    ],
)
def test_what_the_server_asks_for(headers: dict[str, str], wait_s: float | None) -> None:
    assert asked_wait_s(headers) == wait_s


def test_the_pause_doubles() -> None:
    assert [backoff_s(0.5, tries) for tries in (1, 2, 3)] == [0.5, 1.0, 2.0]
