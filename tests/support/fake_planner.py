"""A planner server that is none: real HTTP, both APIs, answers by script. For tests, and for trying out.

As a program: python -m tests.support.fake_planner --port 0 --script FILE

It prints its address and serves until it is ended. FILE is a JSON list with one entry per request: the name
of a behaviour, an object such as {"do": "slow", "seconds": 3}, or a list of those for the tries of one
decision. When it is used up, every answer is `valid`. The start-up probe is answered apart, and uses up none.
`GET /requests` lists what was received; `POST /script` takes a new script.
"""

import argparse
import json
import signal
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.support.fake_plans import Reader
from tests.support.fake_replies import chat_reply, responses_reply, said, schema_of, user_text

Entry = str | dict[str, Any] | list[Any]

BEHAVIOURS = (
    "valid", "bad_entity", "bad_station", "empty_plan", "invalid_schema", "garbage", "garbage_body",
    "refusal", "truncation", "content_filter", "failed", "no_usage", "reasoning_field", "slow", "trickle",
    "drop", "status_400", "status_401", "status_404", "status_429", "status_500",
)  # fmt: skip
ERRORS = {
    400: ("invalid_request_error", "Unknown parameter."),
    401: ("invalid_api_key", "Incorrect API key provided."),
    404: ("model_not_found", "The model does not exist."),
    429: ("rate_limit_exceeded", "Rate limit reached."),
    500: ("server_error", "The server had an error."),
}


@dataclass(frozen=True)
class Received:
    """One request: its path, what was done with it, headers in lower case, and its body."""

    number: int
    path: str
    did: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def text(self) -> str:
        return user_text(self.body)


@dataclass
class FakePlanner:
    """`with FakePlanner(["refusal", "valid"]) as fake:` serves at `fake.url`. `enforces`: heeds schemas.

    `models`: those that it knows; any, where none are named.
    """

    script: Iterable[Entry] = ()
    port: int = 0
    enforces: bool = True
    models: tuple[str, ...] = ()
    received: list[Received] = field(default_factory=list)
    probes: int = 0

    def __post_init__(self) -> None:
        self.closing = threading.Event()
        self.lock = threading.Lock()
        self.reader = Reader()
        self._script = list(flat(self.script))
        self._server = _Server(("127.0.0.1", self.port), _Handler)
        self._server.fake = self
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    @property
    def count(self) -> int:
        """Requests for a plan so far."""
        return len(self.received)

    def rewrite(self, script: Iterable[Entry]) -> None:
        """Another script from the next request on."""
        entries = list(flat(script))
        with self.lock:
            self._script = entries

    def take(self, path: str, headers: dict[str, str], body: dict[str, Any]) -> dict[str, Any]:
        """Note a request, and say what to do with it."""
        with self.lock:
            if schema_of(body)["name"] == "probe":
                self.probes += 1
                return {"do": "probe"}
            entry = self._script.pop(0) if self._script else {"do": "valid"}
            self.received.append(Received(len(self.received) + 1, path, entry["do"], headers, body))
            return entry

    def __enter__(self) -> "FakePlanner":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def flat(script: Iterable[Entry]) -> Iterator[dict[str, Any]]:
    for entry in script:
        if isinstance(entry, list):
            yield from flat(entry)
            continue
        made = {"do": entry} if isinstance(entry, str) else entry
        if made.get("do") not in BEHAVIOURS:
            raise ValueError(f"{entry!r} is no behaviour; choose one of {', '.join(BEHAVIOURS)}")
        yield made


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    fake: FakePlanner


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_GET(self) -> None:
        fake = self.server.fake
        if self.path != "/requests":
            return self._send(404, {"error": {"message": "There is GET /requests."}})
        with fake.lock:
            rows = [{"number": r.number, "path": r.path, "did": r.did, "body": r.body} for r in fake.received]
        return self._send(200, {"count": len(rows), "probes": fake.probes, "requests": rows})

    def do_POST(self) -> None:
        fake = self.server.fake
        body = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))) or b"{}")
        if self.path == "/script":
            fake.rewrite(body)
            return self._send(200, {"entries": len(body)})
        if self.path not in ("/v1/responses", "/v1/chat/completions"):
            return self._send(404, {"error": {"message": f"There is no {self.path}."}})
        if fake.models and body.get("model") not in fake.models:
            return self._fail(404, {})
        headers = {name.lower(): value for name, value in self.headers.items()}
        return self._act(fake.take(self.path, headers, body), body)

    def _act(self, entry: dict[str, Any], body: dict[str, Any]) -> None:
        fake, did = self.server.fake, entry["do"]
        if did == "drop":
            self.close_connection = True
            return None
        if did == "slow":
            fake.closing.wait(entry.get("seconds", 2.0))
        if did.startswith("status_"):
            return self._fail(int(did.removeprefix("status_")), entry)
        if did == "garbage_body":
            return self._send_bytes(200, b"<html>Please sign in.</html>", "text/html")
        reply = self._reply(did, body)
        if did == "trickle":
            return self._trickle(json.dumps(reply).encode(), entry.get("seconds", 0.05))
        return self._send(200, reply)

    def _reply(self, did: str, body: dict[str, Any]) -> dict[str, Any]:
        fake = self.server.fake
        with fake.lock:
            text = said(did, body, fake.reader, fake.enforces)
        reply = (
            responses_reply(did, text, body) if self.path == "/v1/responses" else chat_reply(did, text, body)
        )
        if did == "no_usage":
            del reply["usage"]
        return reply

    def _fail(self, status: int, entry: dict[str, Any]) -> None:
        code, message = ERRORS[status]
        extra = {"Retry-After": str(entry.get("retry_after", 0))} if status == 429 else {}
        self._send(status, {"error": {"message": message, "type": "error", "code": code}}, extra)

    def _send(self, status: int, body: Any, extra: dict[str, str] | None = None) -> None:
        self._send_bytes(status, json.dumps(body).encode(), "application/json", extra)

    def _send_bytes(
        self, status: int, content: bytes, kind: str, extra: dict[str, str] | None = None
    ) -> None:
        self._start(status, len(content), kind, extra)
        self._write(content)

    def _trickle(self, content: bytes, pause_s: float) -> None:
        """A byte at a time: no read ever times out, and the answer takes for ever."""
        self._start(200, len(content), "application/json")
        for position in range(len(content)):
            if self.server.fake.closing.wait(pause_s) or not self._write(content[position : position + 1]):
                self.close_connection = True
                return

    def _start(self, status: int, length: int, kind: str, extra: dict[str, str] | None = None) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(length))
        self.send_header("x-request-id", f"req_{self.server.fake.count}")
        for name, value in (extra or {}).items():
            self.send_header(name, value)
        self.end_headers()

    def _write(self, content: bytes) -> bool:
        try:
            self.wfile.write(content)
            self.wfile.flush()
        except OSError:
            return False
        return True

    def log_message(self, format: str, *args: Any) -> None:
        """Quiet."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.support.fake_planner")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--script", type=Path)
    parser.add_argument("--ignore-schemas", action="store_true")
    options = parser.parse_args()
    script = json.loads(options.script.read_text("utf-8")) if options.script else []
    ended = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: ended.set())
    with FakePlanner(script, port=options.port, enforces=not options.ignore_schemas) as fake:
        print(fake.url, flush=True)
        ended.wait()


if __name__ == "__main__":
    main()
