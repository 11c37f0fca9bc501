"""Plays the Hugging Face hub: one repository, listed and served file by file."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import urlsplit

COMMIT = "1" * 40


@contextmanager
def playing_hub(repository: str, files: Mapping[str, bytes]) -> Iterator[tuple[str, list[str]]]:
    """Serve the files on a loopback port; yields the address, and the names of the files that were fetched."""
    fetched: list[str] = []
    listing = [{"type": "file", "path": name, "size": len(body), "oid": "2" * 40} for name, body in files.items()]
    replies = {
        f"/api/models/{repository}/revision/main": {"id": repository, "sha": COMMIT, "siblings": []},
        f"/api/models/{repository}/tree/{COMMIT}": listing,
    }

    class Hub(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = urlsplit(self.path).path
            name = path.removeprefix(f"/{repository}/resolve/{COMMIT}/")
            found = name in files or path in replies
            body = files[name] if name in files else json.dumps(replies.get(path, {})).encode()
            self.send_response(200 if found else 404)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("ETag", f'"{hashlib.sha1(path.encode()).hexdigest()}"')  # the cache has a file for each
            self.send_header("X-Repo-Commit", COMMIT)
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(body)
                fetched.extend([name] if name in files else [])

        do_HEAD = do_GET

        def log_message(self, *_: object) -> None:
            """Keep what tests print clean."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", fetched
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
