"""The filmstrip over frames that a real camera recorded: gated otherwise, one in full, what changed."""

import io

import numpy as np
import pytest
from PIL import Image
from starlette.testclient import TestClient

from backend.bridge.pictures import pixels_of
from backend.domain.command.policy import Policy
from backend.domain.episode.events import FramesRecorded, Recorded
from backend.domain.execution.frames import WatchedFrames
from backend.domain.execution.gating import changed_pixels
from backend.domain.plans.plan import Watch
from backend.persistence.journal import SqlJournal
from backend.persistence.reader import SqlReader
from backend.usecases.framing import FrameKeeper
from backend.usecases.ports import Picture
from tests.web.html import elements
from tests.web.stand import HX, Played, Stand

HERE = Watch(((150.0, 100.0),), "front")


def png(mark_px: tuple[int, int] | None) -> bytes:
    """What a camera of 640 × 480 px sees: grey, with a white square at `mark_px`."""
    picture = Image.new("RGB", (640, 480), (90, 90, 90))
    if mark_px is not None:
        x, y = mark_px
        picture.paste((255, 255, 255), (x - 20, y - 20, x + 20, y + 20))
    file = io.BytesIO()
    picture.save(file, "PNG")
    return file.getvalue()


@pytest.fixture(scope="module")
def filmed(stand: Stand) -> Played:
    return stand.play(policy=Policy(mode="auto")).until(lambda state: len(state.log) >= 1)


@pytest.fixture(scope="module")
def found(stand: Stand, filmed: Played) -> tuple[str, int, WatchedFrames]:
    """An action whose camera saw something come to the watched point, and stay: 187, 125 in its pixels."""
    pngs = [png(None), png((500, 400)), png((187, 125)), png((187, 125)), png((187, 125))]
    pictures = tuple(Picture(camera="front", step=4 * n, png=each) for n, each in enumerate(pngs))
    film = FrameKeeper(stand.frames.put, pixels_of)(pictures, HERE, "gated")
    assert film is not None
    state = filmed.state
    recorded = Recorded(
        seq=state.seq + 1,
        met_s=state.met_s,
        actor="robot",
        event=FramesRecorded(dispatch_id="d1", watched=film),
    )
    SqlJournal(stand.engine, filmed.lease).append([recorded])
    return filmed.episode, len(state.log), film


def test_the_strip_shows_each_frame_with_its_own_picture(
    client: TestClient, found: tuple[str, int, WatchedFrames]
) -> None:
    episode, action, film = found
    page = client.get(f"/episodes/{episode}/frames?chosen={action}", headers=HX).text
    frames = [each for each in elements(page) if each.get("id").startswith(f"frame-{action}-")]

    assert [each.get("id") for each in frames] == [
        f"frame-{action}-{index}-{frame.sha256[:16]}" for index, frame in enumerate(film.frames)
    ]
    pictures = [each.get("href") for each in elements(page) if each.tag == "image"]
    assert pictures == [f"/episodes/{episode}/frames/{frame.sha256}" for frame in film.frames]


def test_set_otherwise_it_says_so_and_changes_nothing(
    stand: Stand, client: TestClient, found: tuple[str, int, WatchedFrames]
) -> None:
    episode, action, film = found
    before = SqlReader(stand.engine).episode(episode).seq
    asked = f"chosen={action}&radius_px=28&level=30&share_percent=100"
    page = client.get(f"/episodes/{episode}/frames?{asked}", headers=HX).text

    assert f"0 of {len(film.frames)} would be returned" in page
    assert f"it was {sum(frame.returned for frame in film.frames)}" in page
    assert "in fact returned" in page
    panel = next(each for each in elements(page) if each.get("id") == "evidence")
    assert "share_percent=100" in str(panel.get("hx-get")), (
        "a panel that is fetched again keeps what was asked"
    )
    assert SqlReader(stand.engine).episode(episode).seq == before


def test_the_usual_settings_say_what_happened(
    client: TestClient, found: tuple[str, int, WatchedFrames]
) -> None:
    episode, action, _ = found
    asked = f"chosen={action}&radius_px=28&level=30&share_percent=5"
    page = client.get(f"/episodes/{episode}/frames?{asked}", headers=HX).text

    assert "the same as it was" in page
    assert "in fact" not in page


def test_a_frame_that_is_gone_leaves_nothing_to_try(
    stand: Stand, client: TestClient, found: tuple[str, int, WatchedFrames]
) -> None:
    episode, action, film = found
    kept = stand.frames.get(film.frames[0].sha256)
    stand.frames.remove(film.frames[0].sha256)
    try:
        page = client.get(f"/episodes/{episode}/frames?chosen={action}&radius_px=9", headers=HX).text
    finally:
        stand.frames.put(kept)

    assert "nothing can be compared" in page


def test_what_changed_is_a_picture_of_the_frame_s_size(
    stand: Stand, client: TestClient, found: tuple[str, int, WatchedFrames]
) -> None:
    episode, _, film = found
    index = next(n for n, frame in enumerate(film.frames) if (frame.share or 0) > 0.05)
    before, now = film.frames[index - 1].sha256, film.frames[index].sha256
    answer = client.get(f"/episodes/{episode}/frames/{now}/difference?before={before}&level=30")

    mask = np.asarray(Image.open(io.BytesIO(answer.content)))
    pixels = [
        np.asarray(Image.open(io.BytesIO(stand.frames.get(each))).convert("RGB")) for each in (before, now)
    ]
    assert answer.headers["content-type"] == "image/png"
    assert "immutable" in answer.headers["cache-control"]
    assert ((mask > 0) == changed_pixels(*pixels, 30)).all()
    assert (mask > 0).any()


@pytest.mark.parametrize(
    ("query", "status"),
    [("before=x", 404), (f"before={'0' * 64}", 404), ("", 422), (f"before={'0' * 64}&level=256", 422)],
    ids=["no hash", "no such frame", "nothing to compare with", "no such level"],
)
def test_what_cannot_be_compared_is_said(
    client: TestClient, found: tuple[str, int, WatchedFrames], query: str, status: int
) -> None:
    episode, _, film = found
    answer = client.get(f"/episodes/{episode}/frames/{film.frames[0].sha256}/difference?{query}")

    assert answer.status_code == status


def test_a_frame_in_full_names_what_it_shows(
    client: TestClient, found: tuple[str, int, WatchedFrames]
) -> None:
    episode, action, film = found
    page = client.get(f"/episodes/{episode}/frames?chosen={action}:1d", headers=HX).text
    [shown] = [each for each in elements(page) if each.get("id").startswith("full-") and each.tag == "svg"]
    pictures = [each.get("href") for each in elements(page) if each.tag == "image"]

    assert film.frames[1].sha256[:16] in str(shown.get("id"))
    assert str(shown.get("aria-label")).startswith(f"front, frame 1 of action {action}")
    assert pictures == [
        f"/episodes/{episode}/frames/{film.frames[1].sha256}",
        f"/episodes/{episode}/frames/{film.frames[1].sha256}/difference?before={film.frames[0].sha256}&level=30",
    ]


def test_without_scripts_the_form_and_its_links_lead_to_the_page(
    client: TestClient, found: tuple[str, int, WatchedFrames]
) -> None:
    episode, action, _ = found
    answer = client.get(f"/episodes/{episode}/frames?chosen={action}&radius_px=40")
    assert answer.status_code == 303
    assert "radius_px=40" in answer.headers["location"]

    page = client.get(
        f"/episodes/{episode}?tab=frames&chosen={action}&radius_px=40&level=30&share_percent=5"
    ).text
    assert "would be returned" in page
