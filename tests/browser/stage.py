"""A stage: the console's pages and islands, served without the console.

It answers with the examples, records what is posted, and plays the live socket by script, so that the client
side can be tested and photographed alone. What it cannot show is whether the real server says the same: that
is tested there.
"""

from __future__ import annotations

import asyncio
import io
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import uvicorn
from PIL import Image, ImageDraw
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from backend.web.pages.bar import StatusBar
from backend.web.pages.chrome import Page
from backend.web.pages.environment import environment
from backend.web.pages.episode import EpisodePage
from backend.web.pages.evidence import Evidence
from backend.web.pages.map import MapData
from backend.web.pages.plan import PlanCard
from backend.web.pages.view import View, render
from tests.web.examples import EXAMPLES, cards, episodes, evidence, forms, frame, page, queue
from tests.web.hostile import poisoned

ROOT = Path(__file__).parents[2]
POLICY = "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"
TEMPLATES = environment(ROOT / "frontend")


class Stage:
    """What is shown now. Tests change it, then `tell` the page; `posted` holds the forms that came in."""

    def __init__(self) -> None:
        self._sockets: set[WebSocket] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self.reset()

    def reset(self) -> None:
        """The first scene: plan 14 waits for approval."""
        self.opened = time.monotonic()
        self.bar: StatusBar = frame.AWAITING
        self.plan: PlanCard = cards.AWAITING
        self.map: MapData = page.LAB
        self.evidence: dict[str, Evidence] = dict(evidence.OPEN)
        self.head = frame.HEAD
        self.status = 200
        self.mute = False
        self.met_s = frame.MET_S
        self.ages_s: dict[str, float | None] = {
            "server": 0.0,
            "robot:jetrover": 0.2,
            "source:drone": 3.4,
            "planner": None,
        }
        self.resumed: list[dict[str, object]] = []
        self.posted: list[tuple[str, dict[str, str]]] = []
        self.fetched: list[str] = []
        self.connected: list[str] = []
        self.answers: list[object] = []
        self.queue: View = queue.QUEUE
        self.liked: dict[str, str] = {}
        self.poison = ""
        self.told = queue_told()

    def poisoned(self, view: View) -> View:
        """With `poison` wherever anybody outside has a say; who is signed in, and the clock, are ours."""
        if not self.poison:
            return view
        found = poisoned(view, self.poison)
        if isinstance(found, EpisodePage) and isinstance(view, EpisodePage):
            figures = {name: getattr(view.bar, name) for name in ("met", "utc", "delivered", "calls", "conn")}
            found = msgspec.structs.replace(found, bar=msgspec.structs.replace(found.bar, **figures))
        return msgspec.structs.replace(found, chrome=view.chrome) if isinstance(view, Page) else found

    def clock_ms(self) -> int:
        """The stage's own time begins at the examples' moment, whatever the day."""
        return frame.NOW_MS + int(1000 * (time.monotonic() - self.opened))

    def page(self, at: int | None, tab: str) -> EpisodePage:
        shown = page.REPLAYED if at is not None else page.LIVE
        if at is not None:
            moved = {"at": at}
            return msgspec.structs.replace(
                shown,
                head=self.head,
                replay=msgspec.structs.replace(frame.REPLAY, at=at),
                bar=msgspec.structs.replace(frame.REPLAYED, **moved),
                map=msgspec.structs.replace(page.SHELL, at=at, seq=at),
                plan=msgspec.structs.replace(cards.REPLAYED, **moved),
                evidence=msgspec.structs.replace(evidence.OPEN[tab], **moved),
                timeline=self.timeline(at),
            )
        return msgspec.structs.replace(
            shown, head=self.head, bar=self.bar, plan=self.plan, evidence=self.evidence[tab]
        )

    def timeline(self, at: int | None) -> View:
        if at is None:
            return msgspec.structs.replace(frame.LIVE_TIMELINE, seq=self.head, head=self.head)
        return msgspec.structs.replace(
            frame.TIMELINES["timeline/replayed"],
            at=at,
            seq=at,
            seq_text=f"{at:,}",
            head=self.head,
            back=at - 1 if at > 1 else None,
            forward=at + 1 if at < self.head else None,
        )

    def event(self, *panels: str, seq: int | None = None) -> None:
        """Commit something that changed `panels`, and say so."""
        self.send(self.committed(*panels, seq=seq))

    def committed(self, *panels: str, seq: int | None = None) -> dict[str, object]:
        self.head = self.head + 1 if seq is None else seq
        body = {"kind": "evidence.judged", "panels": list(panels)}
        return {"type": "event", "episode": "0417", "seq": self.head, "met_s": frame.MET_S, "body": body}

    def telemetry(self, x_m: float, y_m: float, yaw_rad: float, **readings: str) -> None:
        body = {"robot": "jetrover", "x_m": x_m, "y_m": y_m, "yaw_rad": yaw_rad, "readings": readings}
        stream = "robot:jetrover"
        self.send(
            {"type": "telemetry", "episode": "0417", "stream": stream, "met_s": frame.MET_S, "body": body}
        )

    def expire(self) -> None:
        """The session ends while pages are open."""
        assert self._loop is not None
        for at in list(self._sockets):
            asyncio.run_coroutine_threadsafe(at.close(4401), self._loop).result(5)

    def send(self, message: dict[str, object]) -> None:
        assert self._loop is not None, "no page has connected yet"
        asyncio.run_coroutine_threadsafe(self._send_all(message), self._loop).result(5)

    def flood(self, count: int, *panels: str) -> None:
        """So many events, as fast as they are taken."""
        assert self._loop is not None, "no page has connected yet"
        messages = [self.committed(*panels) for _ in range(count)]
        asyncio.run_coroutine_threadsafe(self._send_each(messages), self._loop).result(60)

    async def _send_each(self, messages: list[dict[str, object]]) -> None:
        for message in messages:
            await self._send_all(message)

    async def _send_all(self, message: dict[str, object]) -> None:
        for at in list(self._sockets):
            await at.send_json(message)

    async def live(self, at: WebSocket) -> None:
        self._loop = asyncio.get_running_loop()
        await at.accept()
        self.connected.append(at.query_params["after"])
        self._sockets.add(at)
        beat = asyncio.create_task(self._beat(at))
        try:
            for message in [] if self.mute else [self.told, *self.resumed]:
                await at.send_json(message)
            while True:
                self.answers.append(await at.receive_json())
        except WebSocketDisconnect:
            pass
        finally:
            beat.cancel()
            self._sockets.discard(at)

    async def _beat(self, at: WebSocket) -> None:
        while True:
            if not self.mute:
                await at.send_json(self._ages())
            await asyncio.sleep(1)

    def _ages(self) -> dict[str, object]:
        return {
            "type": "age",
            "episode": "0417",
            "stream": "links",
            "met_s": self.met_s,
            "body": {"server_ms": self.clock_ms(), "ages_s": self.ages_s},
        }


def queue_told(*fresh: str, active: int = 3) -> dict[str, object]:
    """What a tab is told of the queue: the examples, and `fresh` besides."""
    known = [
        {
            "key": f"{each.episode} {each.key}",
            "episode": each.episode,
            "title": each.title,
            "text": each.text,
            "tone": each.tone,
        }
        for each in queue.ACTIVE
    ]
    new = [
        {"key": key, "episode": "0415", "title": key, "text": "Asked just now", "tone": "ask"}
        for key in fresh
    ]
    version = "-".join(("v", *fresh))
    body = {
        "version": version,
        "queue": version,
        "active": active,
        "seen": 1,
        "returned": len(queue.RETURNED),
        "tone": "alarm",
        "items": [*new, *known],
    }
    return {"type": "queue", "episode": "", "stream": "queue", "met_s": 0.0, "body": body}


def app(stage: Stage) -> Starlette:
    def html(view: View, status: int = 200) -> HTMLResponse:
        return HTMLResponse(render(TEMPLATES, view), status)

    def cursor(request: Request) -> int | None:
        return int(request.query_params["at"]) if "at" in request.query_params else None

    async def example(request: Request) -> Response:
        view = (EXAMPLES | page.COMPOSED)[request.query_params["name"]]
        return html(stage.poisoned(view))

    async def show(request: Request) -> Response:
        return html(stage.page(cursor(request), request.query_params.get("tab", "memory")))

    async def fragment(request: Request) -> Response:
        stage.fetched.append(request.url.path.removeprefix("/episodes/0417/"))
        name, at = request.path_params["name"], cursor(request)
        shown = stage.page(at, name if name in evidence.OPEN else "memory")
        if name == "plan" and request.query_params.get("cleared"):
            return html(EXAMPLES["plan/held, area clear"])
        views: dict[str, View] = {
            "bar": shown.bar,
            "map": shown.map,
            "plan": shown.plan,
            "timeline": stage.timeline(at),
            "abort": frame.ABORT,
        }
        return html(views.get(name, shown.evidence), stage.status)

    async def data(request: Request) -> Response:
        made = stage.map if request.path_params["name"] == "map" else page.TIMELINE
        if made is stage.map and cursor(request) is not None:
            route = msgspec.structs.replace(stage.map.route, asks=False)
            made = msgspec.structs.replace(stage.map, route=route)
        return Response(msgspec.json.encode(made), media_type="application/json")

    async def prefer(request: Request) -> Response:
        form = await request.form()
        stage.liked[str(form["name"])] = str(form["value"])
        return Response(status_code=204)

    async def post(request: Request) -> Response:
        form = await request.form()
        stage.posted.append((request.url.path, {key: str(value) for key, value in form.multi_items()}))
        if "HX-Request" not in request.headers:
            return RedirectResponse("/episodes/0417", 303)
        target = request.headers.get("HX-Target", "")
        if target == "queue":
            return html(stage.queue)
        if target.startswith("episode-"):
            return html(episodes.NEED[2])
        return html(stage.bar if target == "bar" else stage.plan, stage.status)

    routes = [
        Mount("/static", StaticFiles(directory=ROOT / "static")),
        Route("/stage", example),
        Route("/episodes", lambda _: html(episodes.PAGE)),
        Route("/episodes/list", lambda _: html(episodes.LIST)),
        Route("/episodes/new", lambda _: html(forms.NEW)),
        Route("/queue", lambda _: html(stage.queue)),
        Route("/queue/acknowledgements", post, methods=["POST"]),
        Route("/preferences", prefer, methods=["POST"]),
        Route("/signin", lambda _: html(forms.SIGNIN)),
        Route("/episodes/0417", show),
        Route("/episodes/0417/frames/{sha256}", lambda request: picture(request.path_params["sha256"])),
        Route("/episodes/0417/{name}.json", data),
        Route("/episodes/0417/{name}", fragment),
        Route("/episodes/{rest:path}", post, methods=["POST"]),
        WebSocketRoute("/live", stage.live),
    ]
    return Starlette(routes=routes, middleware=[Middleware(Strict)])


class Strict:
    """Every answer under the strictest policy that the console claims to pass."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def sealed(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"].append((b"content-security-policy", POLICY.encode()))
                message["headers"].append((b"cache-control", b"no-store"))
            await send(message)

        await self.app(scope, receive, sealed)


def picture(name: str) -> Response:
    """A frame of sorts: a gripper above a bottle, lower with each frame."""
    drop = 40 + 14 * int("".join(filter(str.isdigit, name)) or 0)
    image = Image.new("RGB", (512, 512), "#8d9092")
    draw = ImageDraw.Draw(image)
    draw.polygon([(0, 286), (512, 300), (512, 512), (0, 512)], fill="#6f7173")
    draw.rounded_rectangle((226, 276, 286, 404), 14, fill="#b9c6c9", outline="#4b5355", width=4)
    draw.rectangle((192, 0, 320, drop), fill="#2b2e30")
    draw.rounded_rectangle((168, drop, 344, drop + 30), 6, fill="#2b2e30")
    for x in (166, 324):
        draw.rounded_rectangle((x, drop + 26, x + 22, drop + 120), 5, fill="#191b1c")
    stored = io.BytesIO()
    image.save(stored, "PNG")
    return Response(stored.getvalue(), media_type="image/png")


class Theatre:
    """The stage behind a port that stays the same while the server goes down and comes back."""

    def __init__(self) -> None:
        self.stage = Stage()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = int(free.getsockname()[1])
        self.url = f"http://127.0.0.1:{self.port}"
        self._server: uvicorn.Server | None = None
        self._thread: threading.Thread | None = None

    def up(self) -> None:
        config = uvicorn.Config(
            app(self.stage),
            "127.0.0.1",
            self.port,
            log_level="critical",
            lifespan="off",
            timeout_graceful_shutdown=0,
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, daemon=True)
        self._thread.start()
        deadline = time.monotonic() + 10
        while not self._server.started and time.monotonic() < deadline:
            time.sleep(0.01)  # until uvicorn listens

    def down(self) -> None:
        assert self._server is not None
        assert self._thread is not None
        self._server.should_exit = True
        self._server.force_exit = True
        self._thread.join(10)


@contextmanager
def open_theatre() -> Iterator[Theatre]:
    theatre = Theatre()
    theatre.up()
    try:
        yield theatre
    finally:
        theatre.down()
