"""Storage over HTTP: everyone sees, an admin lets go, and only what was shown and confirmed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

import pytest
from sqlalchemy import update
from starlette.testclient import TestClient

from backend.persistence.connect import writing
from backend.persistence.errors import UnknownEpisode
from backend.persistence.tables.episodes import episodes
from backend.web.builders.storage import size_of
from tests.support.sent import stored
from tests.web.stand import HERE, Stand

RULES = {"keep_days": "30"}


@pytest.fixture(scope="module")
def boss(stand: Stand) -> Iterator[TestClient]:
    with stand.client("boss") as client:
        yield client


def old(stand: Stand) -> str:
    episode = stored(stand.engine, stand.frames)
    with writing(stand.engine) as connection:
        this = update(episodes).where(episodes.c.episode == episode)
        connection.execute(this.values(updated_utc="2020-01-01T00:00:00.000Z"))
    return episode


def digest(page: str) -> str:
    [found] = re.findall(r'name="digest" value="([0-9a-f]+)"', page)
    return str(found)


def test_what_was_shown_goes_once_the_box_is_ticked(stand: Stand, boss: TestClient) -> None:
    running, episode = stand.play("s-6").tick(3).episode, old(stand)

    shown = boss.get("/storage", params=RULES)
    form = {**RULES, "digest": digest(shown.text)}
    unticked = boss.post("/storage/removal", data=form, headers=HERE)
    later = old(stand)
    changed = boss.post("/storage/removal", data={**form, "confirmed": "yes"}, headers=HERE)
    form["digest"] = digest(changed.text)
    done = boss.post("/storage/removal", data={**form, "confirmed": "yes"}, headers=HERE)

    assert "1 episode would go, with 2 pictures" in shown.text
    assert unescape(f'href="/episodes/{episode}"') in shown.text
    assert "has not ended" in shown.text or "is running" in shown.text
    assert (unticked.status_code, "Nothing was deleted." in unticked.text) == (422, True)
    assert (changed.status_code, "has changed since it was shown" in changed.text) == (409, True)
    assert (done.status_code, "Deleted 2 episodes." in done.text) == (200, True)
    assert "go once no runner is at work" in done.text
    for gone in (episode, later):
        with pytest.raises(UnknownEpisode):
            stand.deps().reader.episode(gone)
        assert boss.get(f"/episodes/{gone}").status_code == 404
    assert stand.deps().reader.episode(running).seq > 0


def test_everyone_sees_and_only_an_admin_deletes(stand: Stand, client: TestClient, boss: TestClient) -> None:
    episode = old(stand)

    seen = client.get("/storage", params=RULES)
    refused = client.post("/storage/removal", data={**RULES, "confirmed": "yes"}, headers=HERE)
    api = client.get("/api/v1/storage/preview", params=RULES)
    told = boss.get("/api/v1/storage/preview", params={**RULES, "keep_failed": "false"}).json()
    late = boss.post(
        "/api/v1/storage/removal", json={"keep_days": 30, "keep_failed": False, "digest": "0"}, headers=HERE
    )
    body = {"keep_days": 30, "keep_failed": False, "digest": told["digest"]}
    done = boss.post("/api/v1/storage/removal", json=body, headers=HERE)

    assert seen.status_code == 200
    assert ("By kind" in seen.text, "Let episodes go" in seen.text) == (True, False)
    assert (refused.status_code, api.status_code, late.status_code) == (403, 403, 409)
    assert [row["episode"] for row in told["rulings"] if row["goes"]] == [episode]
    assert done.json()["episodes"] == [episode]
    assert client.get("/api/v1/storage").json()["room"]["total_bytes"] > 0


@pytest.mark.parametrize("days", ["soon", "0", "nan", "99999"])
def test_days_that_cannot_be_are_named(boss: TestClient, days: str) -> None:
    page = boss.get("/storage", params={"keep_days": days})

    assert page.status_code == 422
    assert f'value="{days}"' in page.text
    assert 'aria-invalid="true"' in page.text


@pytest.mark.parametrize(
    ("count", "told"),
    [(0, "0 bytes"), (999, "999 bytes"), (1000, "1.0 kB"), (999_600, "1.0 MB"), (123_456_789, "123 MB")],
)
def test_sizes_are_told_as_disks_are_sold(count: int, told: str) -> None:
    assert size_of(count) == told
