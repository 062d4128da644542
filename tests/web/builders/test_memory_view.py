"""The memory tab as it is looked at: found, filtered, sorted, in pages; settings tried, scores, a record."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from backend.domain.command.intents import Correct
from backend.domain.decide.blast import Blast
from backend.domain.decide.correcting import rehearse
from backend.domain.memory.attention import retrieve
from backend.domain.memory.configuration import AttentionSettings, Weights
from backend.domain.memory.corrections import Correction, Lock, Move, Remove, named
from backend.domain.memory.what_if import what_if
from backend.web.builders.memory_asked import asked_of
from backend.web.builders.memory_panel import Remembered, memory_panel
from backend.web.builders.score_chart import MOMENTS, Sampled, score_data
from tests.support.drill import Drill
from tests.web.builders.test_card import SEEN, drilled
from tests.web.moments import ADA, WATCHER, Screen, said


def panel(drill: Drill, record: str = "", at: int | None = None, user: Any = ADA, **query: str) -> Any:
    return memory_panel(Screen(drill).moment(at, user), Remembered(asked=asked_of(query, record)))


def corrected(drill: Drill, correction: Correction) -> Drill:
    blast = rehearse(drill.state, correction, "ada", drill.met_s)
    assert isinstance(blast, Blast)
    seen = {each: drill.state.memory.records[each].revision for each in named(correction)}
    drill.intent(Correct(correction=correction, seen=seen, blast=blast.digest, reason="I see it."))
    return drill


def known() -> Drill:
    return drilled(*SEEN, ("evidence", 5))


def names(rows: Any) -> list[str]:
    return [row.entity for row in rows]


def test_what_is_looked_for_is_found_by_name_class_source_and_status() -> None:
    drill = known()
    assert names(panel(drill, find="can").shown) == ["can_1"]
    assert names(panel(drill, find="BOTTLE_2").shown) == ["bottle_2"]
    assert panel(drill, find="nobody").empty.title == "No record is like that"


@pytest.mark.parametrize(
    ("sort", "key"),
    [
        ("entity", lambda record: record.id),
        ("confidence", lambda record: -record.confidence),
        ("age", lambda record: -record.stamp_s),
    ],
    ids=["name", "confidence", "newest"],
)
def test_rows_stand_in_the_order_that_is_asked_for(sort: str, key: Any) -> None:
    drill = known()
    wanted = sorted(drill.state.memory.ordered(), key=key)
    made = panel(drill, sort=sort)
    assert names(made.shown) == [record.id for record in wanted]
    assert made.kline is None


def test_a_filter_shows_what_people_said_what_is_disputed_and_what_is_gone() -> None:
    drill = corrected(known(), Lock(entity="bottle_1", field="pose"))
    corrected(drill, Remove(entity="can_1"))
    drill.move("evidence", 1)
    assert names(panel(drill, show="said").shown) == ["bottle_1", "can_1"]
    assert names(panel(drill, show="gone").shown) == ["can_1"]
    assert names(panel(drill, show="disputed").shown) == ["can_1"]
    [line] = panel(drill).disputes
    assert "says status observed" in said(line.told)
    assert "ada’s word stands" in said(line.told)


def test_two_thousand_records_come_a_page_at_a_time() -> None:
    screen = Screen(drilled(*SEEN))
    moment = screen.moment()
    record = moment.state.memory.records["bottle_1"]
    many = {f"bottle_{n}": replace(record, id=f"bottle_{n}", order=n) for n in range(2000)}
    state = replace(moment.state, memory=replace(moment.state.memory, records=many))
    moment = replace(moment, state=state, head=state)
    first = memory_panel(moment, Remembered(asked=asked_of({})))
    assert (len(first.shown), len(first.below), first.earlier) == (8, 100, None)
    later = memory_panel(moment, Remembered(asked=asked_of(first.later)))
    assert later.below[0].rank == "109"
    found = memory_panel(moment, Remembered(asked=asked_of({"find": "bottle_1999"})))
    assert names(found.shown) == ["bottle_1999"]


def test_other_settings_say_what_would_enter_and_leave_and_touch_nothing() -> None:
    drill = known()
    before = drill.state
    made = panel(drill, view="try", k="1")
    first, *others = names(panel(drill).shown)
    assert said(made.tried.told) == f"Would leave: {', '.join(others)}. "
    assert (made.k, names(made.shown)) == ("K 1", [first])
    assert [row.moves for row in made.below] == ["leaves"] * len(others)
    assert drill.state is before
    assert panel(drill, view="try").tried.told == ()
    assert said(panel(drill, view="try", k="5").tried.told).startswith("The same records would be sent")


@pytest.mark.parametrize(
    ("name", "typed"), [("k", "1.5"), ("k", "0"), ("decay_s", "nan"), ("threshold", "2"), ("w_aerial", "-1")]
)
def test_settings_that_are_none_are_refused_beside_the_field(name: str, typed: str) -> None:
    made = panel(known(), view="try", **{name: typed})
    [error] = made.tried.errors
    assert error.field == name
    assert error.remedy.startswith("Write a")
    assert [field.value for field in made.tried.fields if field.field == name] == [typed]


def test_a_threshold_is_asked_of_what_records_rest_on() -> None:
    state = drilled(("evidence", 2), ("evidence", 7)).state
    records, configuration = state.memory.records, state.mission.memory
    assert [record.supported for record in records.values()] == [True, False]
    place, now_s, metric = state.robot.pose, state.met_s, state.site.metric

    def shown(threshold: float) -> Any:
        settings = AttentionSettings(threshold=threshold)
        return what_if(state.memory, configuration, settings, metric, place, now_s)

    assert (shown(0.2).enters, shown(0.2).leaves) == (("can_1",), ())
    assert (shown(0.8).enters, shown(0.8).leaves) == ((), ("bottle_2",))
    same = shown(0.55)
    assert same.retrieval == retrieve(state.memory, configuration, metric, place, now_s)


def test_weights_rerank() -> None:
    state = known().state
    settings = AttentionSettings(weights=Weights(aerial=0.01, onboard=0.01))
    then = what_if(
        state.memory, state.mission.memory, settings, state.site.metric, state.robot.pose, state.met_s
    )
    assert {each.weight for each in then.retrieval.scored} <= {0.01, 1.0}


def test_samples_are_few_in_order_and_end_at_the_state() -> None:
    drill, sampled = known(), Sampled()
    for second in range(3000):
        sampled.add(replace(drill.state, seq=second + 1, met_s=float(second)))
    samples = sampled.until(replace(drill.state, seq=2000, met_s=1999.0))
    assert len(samples) <= MOMENTS + 1
    assert [sample.seq for sample in samples] == sorted({sample.seq for sample in samples})
    assert samples[-1].seq == 2000
    data = score_data(drill.state, samples, ["bottle_1", "nobody"])
    assert len(data.met_s) == len(data.kth) == len(data.series[0].score)
    assert set(data.series[1].score) == {None}


def test_a_score_between_two_events_only_decays() -> None:
    drill, sampled = known(), Sampled()
    sampled.add(replace(drill.state, seq=1))
    later = replace(drill.state, seq=2, met_s=drill.state.met_s + 30)
    data = score_data(later, sampled.until(later), ["bottle_1"])
    first, last, _ = data.series[0].score
    assert first > last > 0


def test_a_record_says_whose_word_each_field_is_and_what_may_be_done() -> None:
    drill = corrected(known(), Move(entity="can_1", x_m=5.0, y_m=5.0, lock=True))
    sheet = panel(drill, "can_1").sheet
    [pose] = [field for field in sheet.fields if field.name == "pose"]
    assert (pose.is_locked, pose.lock["do"]) == (True, "unlock")
    assert pose.said.startswith("said by ada at ")
    assert pose.said.endswith(": I see it.")
    assert [deed.do for deed in sheet.deeds] == ["move", "reclass", "set_status", "merge", "split", "remove"]
    watched = panel(drill, "can_1", user=WATCHER).sheet
    assert (watched.deeds, watched.why_not) == ((), "You may watch and hold. An operator decides.")
    assert panel(drill, "nobody").sheet is None


def test_what_is_terminal_offers_less() -> None:
    drill = corrected(known(), Remove(entity="can_1"))
    assert [deed.do for deed in panel(drill, "can_1").sheet.deeds] == ["set_status"]
    assert said(panel(drill, "can_1").sheet.standing) == "Not sent: removed by a person."


def test_what_is_asked_survives_being_asked_again() -> None:
    asked = asked_of(
        {"find": "can", "sort": "age", "view": "try", "k": "3", "do": "move", "x_m": "1", "junk": "x"}
    )
    assert asked_of(asked.query) == asked
    assert "do" not in asked.looking()
    assert asked_of({"show": "junk", "do": "junk", "start": "-1"}) == asked_of({"start": "-1"})
