"""A receiver of LangSmith's traces on a loopback socket, which keeps every byte that it gets."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager

import zstandard

from tests.emulators.http import Emulator, Reply, Request

_INFO = {
    "version": "0.10.0",
    "batch_ingest_config": {
        "use_multipart_endpoint": True,
        "size_limit": 100,
        "size_limit_bytes": 20_000_000,
        "scale_up_qsize_trigger": 1000,
        "scale_up_nthreads_limit": 1,
        "scale_down_nempty_trigger": 4,
    },
    "instance_flags": {"zstd_compression_enabled": True},
}


class Receiver(Emulator):
    """What it was sent, and the environment in which a program traces to it."""

    @property
    def environment(self) -> dict[str, str]:
        return {"LANGSMITH_ENDPOINT": self.url, "LANGSMITH_API_KEY": "test", "LANGSMITH_PROJECT": "test"}

    @property
    def runs(self) -> str:
        """Every byte of a trace: addresses, headers and bodies, unpacked."""
        sent = [r for r in self.requests if r.method == "POST"]
        return "\n".join(f"{r.path} {dict(r.query)} {dict(r.headers)} {unpacked(r)}" for r in sent)

    def wait_for(self, text: str, seconds: float = 30.0) -> str:
        """The traces, once this text is in them."""
        deadline = time.monotonic() + seconds
        while text not in self.runs:
            assert time.monotonic() < deadline, f"{text!r} was not traced"
            time.sleep(0.2)
        return self.runs


@contextmanager
def receiving_traces() -> Iterator[Receiver]:
    """A receiver, while the block runs."""
    receiver = Receiver(answer)
    try:
        yield receiver
    finally:
        receiver.close()


def answer(request: Request) -> Reply:
    """What it says to a trace: that it is taken."""
    body = json.dumps(_INFO if request.path.endswith("/info") else {}).encode()
    return Reply(200 if request.method == "GET" else 202, body, {"content-type": "application/json"})


def unpacked(request: Request) -> str:
    """A body as text."""
    if request.headers.get("content-encoding") == "zstd":
        return zstandard.ZstdDecompressor().decompressobj().decompress(request.body).decode(errors="replace")
    return request.body.decode(errors="replace")
