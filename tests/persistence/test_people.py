"""Who saw what needs a person, and how each person likes the console."""

from __future__ import annotations

from sqlalchemy import Engine

from backend.persistence import accounts
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
