"""Who saw what needs a person, and how each person likes the console."""

from __future__ import annotations

from msgspec.structs import replace
from sqlalchemy import Engine

from backend.domain.command.alarms import Alarm, Upkeep
from backend.persistence import accounts
from backend.persistence.alarms import SqlAlarms
from backend.persistence.people import SqlAcknowledgements, SqlPreferences
from tests.persistence.episodes import new_episode


def test_who_acknowledged_first_stays_on_record(engine: Engine) -> None:
    one, other = new_episode(engine, "seen"), new_episode(engine, "unseen")
    seen = SqlAcknowledgements(engine)

    seen.acknowledge(one, "approval:a-1", "ada")
    seen.acknowledge(one, "approval:a-1", "bob")
    seen.acknowledge(one, "link:1:4", "bob")

    assert seen.of([one, other]) == {one: {"approval:a-1": "ada", "link:1:4": "bob"}}
    assert seen.of([]) == {}


def test_preferences_are_each_person_s_own_and_the_last_counts(engine: Engine) -> None:
    for name in ("pref-ada", "pref-bob"):
        accounts.add_user(engine, name, "viewer", "test")
    kept = SqlPreferences(engine)

    kept.put("pref-ada", "theme", "dark")
    kept.put("pref-ada", "theme", "light")
    kept.put("pref-bob", "sound", "on")

    assert kept.of("pref-ada") == {"theme": "light"}
    assert kept.of("pref-bob") == {"sound": "on"}
    assert kept.of("nobody") == {}


def test_an_alarm_is_kept_until_it_is_forgotten_with_who_has_seen_it(engine: Engine) -> None:
    """Whoever saw it has not seen it when it comes again, though by the same key."""
    episode = new_episode(engine, "alarmed")
    lost = Alarm(
        episode=episode,
        key="link:1:4:lost",
        condition="link",
        tone="alarm",
        icon="bad",
        title="Link lost",
        text="The robot is silent",
        raised_s=5.0,
    )
    kept = SqlAlarms(engine)

    def known() -> list[Alarm]:
        return [each for each in kept.known() if each.episode == episode]

    kept.keep(Upkeep(kept=(lost, replace(lost, key="runner:2", condition="runner:2", raised_s=4.0))))
    assert [each.key for each in known()] == ["runner:2", "link:1:4:lost"]
    kept.keep(Upkeep(kept=(replace(lost, returned_s=9.0),), forgotten=(known()[0],)))
    assert known() == [replace(lost, returned_s=9.0)]
    SqlAcknowledgements(engine).acknowledge(episode, lost.key, "ada")
    assert known() == [replace(lost, returned_s=9.0, seen_by="ada")]
    kept.keep(Upkeep(forgotten=tuple(known())))
    assert known() == []
    assert SqlAcknowledgements(engine).of([episode]) == {}
    kept.keep(Upkeep(kept=(lost,)))
    assert known() == [lost]
