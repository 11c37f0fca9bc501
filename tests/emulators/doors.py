"""The program's two servers, as they run: ``medattest serve`` in a thread, ``langgraph dev`` in a process."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import httpx
import uvicorn

from app.server import application
from core.settings import Settings
from graphs.resources import Resources

ROOT = Path(__file__).parents[2]


@contextmanager
def serving_langserve(settings: Settings) -> Iterator[str]:
    """The address of the real server, on a loopback socket."""
    port = _free_port()
    server = uvicorn.Server(uvicorn.Config(application(Resources(settings)), port=port, log_level="error"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.05)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(20)


@contextmanager
def serving_langgraph(environment: Mapping[str, str], log: Path) -> Iterator[str]:
    """The address of the real LangGraph development server over this checkout's langgraph.json."""
    port, bin_ = _free_port(), Path(sys.executable).parent
    command = [str(bin_ / "langgraph"), "dev", "--port", str(port), "--no-browser", "--no-reload"]
    own = {"LANGGRAPH_CLI_NO_ANALYTICS": "1", "PATH": f"{bin_}:{os.environ['PATH']}"}
    with log.open("w") as sink:
        process = subprocess.Popen(
            command, cwd=ROOT, env={**os.environ, **own, **environment}, stdout=sink, stderr=sink
        )
    url, deadline = f"http://127.0.0.1:{port}", time.monotonic() + 120
    try:
        while not _is_up(url):
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < deadline, log.read_text()
            time.sleep(0.3)
        yield url
    finally:
        process.terminate()
        process.wait(20)


def _is_up(url: str) -> bool:
    try:
        return httpx.get(f"{url}/ok").is_success
    except httpx.HTTPError:
        return False


def _free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])
