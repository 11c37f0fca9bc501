"""A scripted HTTP/1.1 server on a loopback socket, in threads of its own."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit


@dataclass(frozen=True)
class Request:
    """What a client sent; ``at`` is the monotonic time of its arrival."""

    method: str
    path: str
    query: Mapping[str, list[str]]
    headers: Mapping[str, str]
    body: bytes
    at: float


@dataclass(frozen=True)
class Reply:
    """What the server answers: ``cut`` sends only so many bytes of the body, then hangs up, or stalls if ``stall``."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    cut: int | None = None
    stall: bool = False


Answer = Callable[[Request], Reply]


class Emulator:
    """A running server: where it listens and what it was asked."""

    def __init__(self, answer: Answer) -> None:
        self.requests: list[Request] = []
        self.closing = threading.Event()
        self._answer = answer
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self._server.server_port}"

    @property
    def url(self) -> str:
        return f"http://{self.host}"

    def close(self) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        emulator = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            timeout = 5

            def do_GET(self) -> None:
                at = time.monotonic()
                parts = urlsplit(self.path)
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                headers = {name.lower(): value for name, value in self.headers.items()}
                request = Request(self.command, parts.path, parse_qs(parts.query), headers, body, at)
                emulator.requests.append(request)
                self._send(emulator._answer(request))

            do_POST = do_GET

            def _send(self, reply: Reply) -> None:
                emulator.closing.wait(reply.delay)
                self.send_response(reply.status)
                for name, value in {"content-length": str(len(reply.body)), **reply.headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(reply.body[: reply.cut])
                if reply.cut is not None:
                    if reply.stall:
                        emulator.closing.wait(30)
                    self.close_connection = True

            def handle(self) -> None:
                try:
                    super().handle()
                except OSError:  # the client went away: timeouts and limits are what is tested
                    self.close_connection = True

            def log_message(self, format: str, *args: object) -> None:
                """Keep the tests' output quiet."""

        return Handler


def scripted(replies: Sequence[Reply]) -> Answer:
    """Answer with each reply in turn, and with the last one ever after."""
    lock, left = threading.Lock(), list(replies)

    def answer(request: Request) -> Reply:
        with lock:
            return left.pop(0) if len(left) > 1 else left[0]

    return answer


@contextmanager
def serving(*replies: Reply, answer: Answer | None = None) -> Iterator[Emulator]:
    """A server that follows a script, or answers as a function says, while the block runs."""
    emulator = Emulator(answer or scripted(replies or (Reply(),)))
    try:
        yield emulator
    finally:
        emulator.close()


@contextmanager
def never_accepting() -> Iterator[str]:
    """The address of a socket that listens, with a full backlog, and accepts nobody: connecting to it times out."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        fillers = [socket.socket() for _ in range(4)]
        for filler in fillers:
            filler.setblocking(False)
            filler.connect_ex(listener.getsockname())
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            for filler in fillers:
                filler.close()
