"""PubMed against langchain-community's wrapper, on one emulated service: requests, seconds, and documents lost.

The service answers after 150 ms and refuses with 429 whoever starts more than three requests in a second, as NCBI does.
Both are asked for the first ten articles on a drug, then for those on five drugs at once. Then how fast a question is
answered again, and how many records a second are read. The peer doubles a pause that it never makes shorter again, so
five of it at once may take minutes (in one run to its end 413 s, 20 of 50 documents lost): it is given up after
``--peer-seconds``, and documents that it has not got by then are lost.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from core.cache import DiskCache
from core.errors import InputError
from core.http import HttpClient
from core.source import SourceQuery
from tests.emulators.entrez import EntrezService, records_of, serving_entrez
from tests.emulators.entrez_medline import medline
from tests.emulators.entrez_records import article
from tests.emulators.http import Emulator
from tools.pubmed.client import EntrezClient
from tools.pubmed.medline import read_records
from tools.pubmed.source import PubMedSource

PEER = """
import contextlib, json, os, sys, threading, time
from langchain_community.utilities.pubmed import PubMedAPIWrapper
given = json.load(sys.stdin)
found, errors = [], []
def ask(query):
    wrapper = PubMedAPIWrapper(
        base_url_esearch=given["url"] + "/esearch.fcgi?",
        base_url_efetch=given["url"] + "/efetch.fcgi?",
        top_k_results=given["documents"],
    )
    try:
        for document in wrapper.lazy_load(query):
            found.append(document["uid"])
    except Exception as failure:
        errors.append(f"{type(failure).__name__}: {failure}")
with contextlib.redirect_stdout(sys.stderr):
    began = time.perf_counter()
    threads = [threading.Thread(target=ask, args=(query,), daemon=True) for query in given["queries"]]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(0.0, began + given["seconds"] - time.perf_counter()))
    seconds = time.perf_counter() - began
if any(thread.is_alive() for thread in threads):
    errors.append(f"given up after {given['seconds']:g} s")
json.dump({"found": len(found), "errors": errors, "seconds": seconds}, sys.stdout)
sys.stdout.flush()
os._exit(0)
"""
DRUGS = ("metformin", "losartan", "propranolol", "warfarin", "colchicine")
RECORDS = 20
LATENCY = 0.150


class Run(NamedTuple):
    """What asking took: requests in all and those refused, seconds, documents got, and what failed."""

    requests: int
    refused: int
    seconds: float
    documents: int
    errors: Sequence[str]


class Asked(NamedTuple):
    """Documents and errors of all questions, their seconds, and the seconds of asking them again."""

    documents: int
    errors: Sequence[str]
    seconds: float
    again: float


@contextmanager
def service() -> Iterator[tuple[EntrezService, Emulator, str]]:
    """The emulated service, with so many articles on each drug; a new one has seen no starts yet."""
    articles = [
        article(
            10_000_000 + 1_000 * place + n,
            f"{drug.title()} in adults: study {n}.",
            {"METHODS": f"Adults took {drug}.", "RESULTS": f"In study {n}, {drug} was better than placebo."},
        )
        for place, drug in enumerate(DRUGS)
        for n in range(RECORDS)
    ]
    emulated = EntrezService(articles, latency=LATENCY, limited=True)
    with serving_entrez(emulated) as (server, url):
        yield emulated, server, url


async def _ask(url: str, queries: Sequence[str], documents: int, folder: Path) -> Asked:
    http, cache = HttpClient(), DiskCache(folder / "pubmed.sqlite", 3600.0)
    try:
        source = PubMedSource(EntrezClient(http, cache, url=url))
        found, errors, seconds = await _timed(source, queries, documents)
        again = [await _timed(source, queries, documents) for _ in range(3)]
    finally:
        await http.close()
        cache.close()
    return Asked(found, errors, seconds, min(repeated[2] for repeated in again))


async def _timed(source: PubMedSource, queries: Sequence[str], documents: int) -> tuple[int, list[str], float]:
    began = time.perf_counter()
    asked = (source.search(SourceQuery(queries=(query,), limit=documents)) for query in queries)
    answers = await asyncio.gather(*asked, return_exceptions=True)
    seconds = time.perf_counter() - began
    found = sum(len(answer) for answer in answers if isinstance(answer, list))
    return found, [str(answer) for answer in answers if isinstance(answer, BaseException)], seconds


def ours(queries: Sequence[str], documents: int) -> tuple[Run, float]:
    """Ask a new service; also the seconds that the same questions take once more."""
    with tempfile.TemporaryDirectory() as folder, service() as (emulated, server, url):
        asked = asyncio.run(_ask(url, queries, documents, Path(folder)))
        run = Run(len(server.requests), emulated.refused, asked.seconds, asked.documents, asked.errors)
        return run, asked.again


def theirs(python: Path, queries: Sequence[str], documents: int, seconds: float) -> Run:
    """Ask a new service with the peer, in a process of the given interpreter; raise InputError where that fails."""
    with service() as (emulated, server, url):
        given = {"url": url, "queries": list(queries), "documents": documents, "seconds": seconds}
        try:
            done = subprocess.run([python, "-P", "-c", PEER], input=json.dumps(given), capture_output=True, text=True)
        except OSError as error:
            raise InputError(f"{python} cannot be run ({error}): --peer-python names an interpreter") from error
        if done.returncode:
            last = done.stderr.strip().splitlines()[-1:] or ["no message"]
            raise InputError(f"langchain-community failed in {python}: {last[0]}")
        got = json.loads(done.stdout)
        return Run(len(server.requests), emulated.refused, got["seconds"], got["found"], got["errors"])


def parsing(folder: Path | None) -> tuple[int, float, float]:
    """Records, and records a second of clock and of processor: those of a folder's files, otherwise made-up ones."""
    if folder is None:
        bodies = [records_of([article(n, "A title.", "A sentence of an abstract. " * 60) for n in range(1, 501)])]
    else:
        replies = [path.read_bytes() for path in sorted(folder.rglob("*.xml"))]
        bodies = [medline(body).encode() for body in replies if b"<PubmedArticleSet" in body[:2_000]]
        bodies += [path.read_bytes() for path in sorted(folder.rglob("*.txt"))]
        if not bodies:
            raise InputError(f"{folder} has no efetch replies (*.xml, or *.txt as MEDLINE): name them with --records")
    best, processor, count = float("inf"), float("inf"), 0
    for _ in range(3):
        began, busy = time.perf_counter(), time.process_time()
        count = sum(len(read_records(body)) for body in bodies)
        best = min(best, time.perf_counter() - began)
        processor = min(processor, time.process_time() - busy)
    return count, count / best, count / processor


def main(arguments: Sequence[str] | None = None) -> None:
    """Print what both need for one query and for five at once, and how fast records are read."""
    parser = argparse.ArgumentParser(prog="python -m eval.bench.pubmed", description=main.__doc__)
    parser.add_argument("--peer-python", type=Path, help="an interpreter that has langchain-community and xmltodict")
    parser.add_argument("--peer-seconds", type=float, default=60.0, help="the peer is given up after so many")
    parser.add_argument("--records", type=Path, help="a folder of efetch replies: *.xml, or *.txt as MEDLINE")
    parser.add_argument("--documents", type=int, default=10, choices=range(1, RECORDS + 1), metavar=f"1-{RECORDS}")
    given = parser.parse_args(arguments)
    count = given.documents
    print(f"{count} documents a query; {LATENCY * 1e3:.0f} ms latency, 429 above 3 starts a second\n")
    print("| at once | client | requests | refused | seconds | documents | lost |\n|---|---|---|---|---|---|---|")
    repeated: list[float] = []
    errors: list[str] = []
    for queries in (DRUGS[:1], DRUGS):
        own, again = ours(queries, count)
        repeated.append(again)
        errors += [f"ours: {error}" for error in own.errors]
        print(_row("ours", len(queries), own, count))
        if given.peer_python is not None:
            peer = theirs(given.peer_python, queries, count, given.peer_seconds)
            errors += [f"langchain-community: {error}" for error in peer.errors]
            print(_row("langchain-community", len(queries), peer, count))
            requests, seconds = peer.requests / own.requests, peer.seconds / own.seconds
            print(f"| {len(queries)} | ratio | {requests:.1f} | | {seconds:.1f} | | |")
    print("".join(f"\n{error}" for error in dict.fromkeys(errors)))
    if given.peer_python is None:
        print("langchain-community was not run: --peer-python names an interpreter that has it")
    print(f"a repeated question: {repeated[0] * 1e3:.1f} ms; five at once: {repeated[1] * 1e3:.1f} ms")
    records, clock, processor = parsing(given.records)
    print(f"{records} records read: {clock:.0f} a second of clock, {processor:.0f} a second of processor")


def _row(client: str, queries: int, run: Run, documents: int) -> str:
    lost = queries * documents - run.documents
    return f"| {queries} | {client} | {run.requests} | {run.refused} | {run.seconds:.2f} | {run.documents} | {lost} |"


if __name__ == "__main__":
    main()
