from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from core.errors import InputError, StoreError
from tools.repository import Repository

Make = Callable[..., Repository]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A real Chroma server on a free port of the loopback interface."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folder = tmp_path_factory.mktemp("server")
    chroma = str(Path(sys.executable).with_name("chroma"))
    command = [chroma, "run", "--host", "127.0.0.1", "--port", str(port), "--path", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder) as process:
        url = f"http://127.0.0.1:{port}"
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            try:
                if httpx.get(f"{url}/api/v2/heartbeat").is_success:
                    break
            except httpx.TransportError:
                time.sleep(0.1)
        yield url
        process.terminate()


def test_collections_live_on_the_server(make_repository: Make, server: str, docs: Path, tmp_path: Path) -> None:
    repository = make_repository(chroma_url=server)
    assert repository.index([docs], "notes").documents == 3
    assert repository.search("notes", ["urate"], 1)[0].id == "repository:notes/gout.txt#0"
    assert not (tmp_path / "home" / "chroma").exists()
    elsewhere = make_repository(chroma_url=server, home=tmp_path / "elsewhere")
    assert elsewhere.search("notes", ["urate"], 1)[0].id == "repository:notes/gout.txt#0"
    (docs / "gout.txt").write_text("Febuxostat lowers urate.")
    elsewhere.index([docs], "notes")
    assert repository.search("notes", ["urate"], 1)[0].text == "Febuxostat lowers urate."
    repository.delete("notes")
    assert elsewhere.collections() == []


def test_collection_of_another_program_is_left_alone(make_repository: Make, server: str, docs: Path) -> None:
    httpx.post(
        f"{server}/api/v2/tenants/default_tenant/databases/default_database/collections", json={"name": "foreign"}
    ).raise_for_status()
    repository = make_repository(chroma_url=server)
    assert "foreign" not in [c.name for c in repository.collections()]
    with pytest.raises(InputError, match="another program"):
        repository.index([docs], "foreign")


def test_server_that_is_not_there_is_named(make_repository: Make, docs: Path) -> None:
    with pytest.raises(StoreError, match=r"Chroma server at .*:9 does not do as asked"):
        make_repository(chroma_url="http://127.0.0.1:9").index([docs], "notes")
    with pytest.raises(InputError, match="MEDATTEST_CHROMA_URL"):
        make_repository(chroma_url="localhost").collections()
