"""What was answered once is answered again, without a model; what was never asked is an error."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from backend.domain.episode.events import ExchangeRecorded
from backend.domain.query.query import Attempt
from backend.planners.errors import RecordingError
from backend.planners.recorded import RecordedPlanner
from backend.planners.recording import RecordingPlanner, exchanges_of, load
from tests.planners.samples import first_query, planner, queries
from tests.support.episodes import play
from tests.support.fake_planner import FakePlanner


@pytest.mark.parametrize("api", ["responses", "chat"])
@pytest.mark.parametrize("did", ["valid", "refusal", "truncation", "garbage", "invalid_schema", "bad_entity"])
def test_a_recorded_reply_is_the_reply(tmp_path: Path, api: str, did: str) -> None:
    with FakePlanner([did]) as fake:
        told = RecordingPlanner(planner(fake.url, api=api), tmp_path / "a.jsonl").propose(first_query())

    again = RecordedPlanner(load(tmp_path / "a.jsonl")).propose(first_query())

    assert again == told


def test_tries_of_one_decision_stay_together(tmp_path: Path) -> None:
    with FakePlanner(["status_500", "valid"]) as fake:
        told = RecordingPlanner(planner(fake.url), tmp_path / "a.jsonl").propose(first_query())

    assert len(told.attempts) == 2
    assert RecordedPlanner(load(tmp_path / "a.jsonl")).propose(first_query()) == told


def test_a_whole_episode_replays_from_its_journal_without_a_server() -> None:
    with FakePlanner() as fake:
        live = play("dn-14", seed=3, planner=planner(fake.url)).run()
        asked = fake.count
    attempts = [r.event.exchange for r in live.episode.events if isinstance(r.event, ExchangeRecorded)]

    replayed = play("dn-14", seed=3, planner=RecordedPlanner(exchanges_of(attempts))).run()

    assert asked == len(attempts) > 10
    assert [r.event for r in replayed.episode.events] == [r.event for r in live.episode.events]


def test_what_was_never_asked_is_missing() -> None:
    with FakePlanner() as fake:
        told = planner(fake.url).propose(first_query())
    recorded = RecordedPlanner(exchanges_of(told.attempts))

    reply = recorded.propose(queries()[1])

    assert reply.proposal is None
    assert [attempt.verdict for attempt in reply.attempts] == ["missing"]
    assert "not among the 1 on record" in reply.attempts[0].detail
    assert (reply.decision, len(reply.metas)) == (queries()[1].decision, 1)


def test_several_answers_to_one_question_come_in_their_order_and_the_last_stays() -> None:
    with FakePlanner(["refusal", "valid"]) as fake:
        asking = planner(fake.url)
        told = [asking.propose(first_query()) for _ in range(2)]
    recorded = RecordedPlanner(exchanges_of([reply.attempts[0] for reply in told]))

    verdicts = [recorded.propose(first_query()).attempts[-1].verdict for _ in range(3)]

    assert verdicts == ["refusal", "ok", "ok"]


def attempt(verdict: str, question: str) -> Attempt:
    return Attempt(verdict=verdict, request_digest=question)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("attempts", "sizes"),
    [
        pytest.param([], [], id="none"),
        pytest.param([("ok", "a"), ("ok", "b")], [1, 1], id="two questions"),
        pytest.param([("api_error", "a"), ("timeout", "a"), ("ok", "a")], [3], id="tries of one question"),
        pytest.param([("api_error", "a"), ("ok", "b")], [1, 1], id="given up, then another question"),
        pytest.param([("refusal", "a"), ("ok", "a")], [1, 1], id="asked again after a refusal"),
    ],
)
def test_attempts_of_a_journal_are_grouped(attempts: list[tuple[str, str]], sizes: list[int]) -> None:
    grouped = exchanges_of(attempt(*each) for each in attempts)

    assert [len(exchange.attempts) for exchange in grouped] == sizes


@pytest.mark.parametrize(
    ("line", "says"),
    [
        pytest.param('{"attempts": ', r"a\.jsonl, line 2 is no recorded exchange", id="cut off"),
        pytest.param(
            '{"attempts": [{"verdict": "odd"}]}',
            "line 2 is no recorded exchange",
            id="a verdict nobody knows",
        ),
        pytest.param('{"attempts": []}', "line 2 holds no attempt", id="no attempt"),
    ],
)
def test_a_damaged_line_is_named(tmp_path: Path, line: str, says: str) -> None:
    path = tmp_path / "a.jsonl"
    with FakePlanner() as fake:
        RecordingPlanner(planner(fake.url), path).propose(first_query())
    path.write_text(path.read_text() + line + "\n")

    with pytest.raises(RecordingError, match=says):
        load(path)


def test_a_file_that_is_not_there_or_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match=r"none\.jsonl cannot be read"):
        load(tmp_path / "none.jsonl")
    with FakePlanner() as fake, pytest.raises(RecordingError, match="cannot be written"):
        RecordingPlanner(planner(fake.url), tmp_path / "no" / "folder.jsonl").propose(first_query())


def test_a_record_that_no_longer_fits_the_skills_says_so() -> None:
    """Same question, other code: the text is decoded anew and judged anew, never waved through."""
    with FakePlanner() as fake:
        told = planner(fake.url).propose(first_query())
    damaged = replace(told.attempts[0], response={"choices": [{"message": {"content": "{}"}}]})

    reply = RecordedPlanner(exchanges_of([damaged])).propose(first_query())

    assert reply.proposal is None
    assert reply.attempts[0].verdict == "invalid_schema"
