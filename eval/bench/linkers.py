"""What the linking benchmark runs: this project's linker, QuickUMLS and MedCAT, each in processes of its own.

One process builds an index of the written names; another opens it and links, so that its memory is that of linking.
Before texts are timed others are linked, the first of which counts as that of opening. Seconds of linking are those of
the processor, as each has one thread, and other work on the machine changes them less.

QuickUMLS: the index that its own installer makes of a MRCONSO and a MRSTY of the names, in small letters, as it finds
more so. MedCAT: its ``CDBMaker`` over a table of the names; no context is trained, so an ambiguous name stays unlinked.
For exact matching it has the tokeniser that is its default, of regular expressions; that one takes no correction of
spelling, so for the rest it has spaCy's. Where either would download a model or a corpus, it gets spaCy's blank English
pipeline and its stop words.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from core.errors import InputError
from eval.bench.planting import TYPE, DrawnLoader
from tools.knowledge import KnowledgeStore, Linker

Mention = tuple[int, int, Sequence[str]]
"""Start, end, and ids of the concepts that a linker takes it for: several where it leaves the choice open."""

HEAD = """
import json, logging, os, sys, time
logging.disable(logging.CRITICAL)
given = json.load(sys.stdin)
settings, folder = given["settings"], given["folder"]
def named(path):
    known = set()
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            concept, _, text = line.rstrip("\\n").split("\\t")
            yield concept, text, concept not in known
            known.add(concept)
def peak():
    try:
        with open("/proc/self/status") as status:
            return next(int(line.split()[1]) / 1e3 for line in status if line.startswith("VmHWM"))
    except OSError:
        return float("nan")
"""
QUICKUMLS = """
from argparse import Namespace
from types import SimpleNamespace
import nltk, spacy
from spacy.lang.en.stop_words import STOP_WORDS
nltk.corpus.stopwords = SimpleNamespace(words=lambda *_: sorted(STOP_WORDS))
from quickumls import QuickUMLS, install
def written():
    with open(f"{folder}/MRCONSO.RRF", "w", encoding="utf-8") as names, open(f"{folder}/MRSTY.RRF", "w") as types:
        for concept, text, preferred in named(given["names"]):
            flag = "Y" if preferred else "N"
            names.write(f"{concept}|ENG|P|L|PF|S|{flag}|A||||NAMES|PT|X|{text}|0|N||\\n")
            if preferred:
                types.write(f"{concept}|{given['type']}|||||\\n")
    return f"{folder}/MRCONSO.RRF", f"{folder}/MRSTY.RRF"
def build(paths):
    for name, content in (("lowercase", ""), ("language", "ENG"), ("database_backend", "unqlite")):
        with open(f"{folder}/{name}.flag", "w") as flag:
            flag.write(content)
    options = Namespace(language="ENG", lowercase=True, normalize_unicode=False)
    rows = install.extract_from_mrconso(*paths, options)
    install.parse_and_encode_ngrams(rows, f"{folder}/umls-simstring.db", f"{folder}/cui-semtypes.db", "unqlite")
def opened():
    matcher = QuickUMLS(folder, threshold=settings["threshold"], similarity_name="jaccard", spacy_component=True)
    matcher.nlp = spacy.blank("en")
    return matcher.match
def mentions(found):
    return [(m[0]["start"], m[0]["end"], [candidate["cui"] for candidate in m]) for m in found]
"""
MEDCAT = """
import pandas, spacy
from medcat.cat import CAT
from medcat.cdb import CDB
from medcat.config import Config
from medcat.model_creation.cdb_maker import CDBMaker
from medcat.vocab import Vocab
from spacy.language import Language
@Language.component("lemmas")
def lemmas(doc):
    for token in doc:
        token.lemma_ = token.lower_
    return doc
def written():
    rows = [(*row[:2], "P" if row[2] else "A", given["type"]) for row in named(given["names"])]
    return pandas.DataFrame(rows, columns=["cui", "name", "name_status", "type_ids"])
def build(table):
    config = Config()
    if settings["approximate"]:
        blank = spacy.blank("en")
        blank.add_pipe("lemmas")
        blank.to_disk(f"{folder}/en_blank")
        config.general.nlp.provider, config.general.nlp.modelname = "spacy", f"{folder}/en_blank"
    os.mkdir(f"{folder}/cdb")
    CDBMaker(config).prepare_csvs([table]).save(f"{folder}/cdb")
def opened():
    cdb = CDB.load(f"{folder}/cdb")
    cdb.config.general.spell_check = bool(settings["approximate"])
    cdb.config.components.ner.try_reverse_word_order = bool(settings["approximate"])
    return CAT(cdb, Vocab()).get_entities
def mentions(found):
    return [(m["start"], m["end"], [m["cui"]]) for m in found["entities"].values()]
"""
TAIL = """
def work():
    if given["build"]:
        rows = written()
        began = time.perf_counter()
        build(rows)
        return {"seconds": time.perf_counter() - began}
    first, *warm = given["warm"]
    began = time.perf_counter()
    link = opened()
    link(first)
    open_seconds = time.perf_counter() - began
    for text in warm:
        link(text)
    began = time.process_time()
    found = [link(text) for text in given["texts"]]
    seconds = time.process_time() - began
    held = peak()
    found = [mentions(of_text) for of_text in found]
    return {"opened": open_seconds, "seconds": seconds, "megabytes": held, "mentions": found}
result = work()
with open(given["out"], "w") as out:
    json.dump(result, out)
"""

ENVIRONMENT = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MEDCAT_DISABLE_VERSION_CHECK": "true"}
"""One thread each; and MedCAT does not ask PyPI for its newest version when it is imported."""


class Run(NamedTuple):
    """Seconds to open the index and link a first text, and to link all; megabytes at most; the mentions of each."""

    opened: float
    seconds: float
    megabytes: float
    mentions: Sequence[Sequence[Mention]]


class Contestant(Protocol):
    """A linker with its settings; those of one ``index`` share it."""

    name: str
    index: str

    def build(self, names: Path, folder: Path) -> float:
        """Build its index in an empty folder; return the seconds."""
        ...

    def link(self, names: Path, folder: Path, warm: Sequence[str], texts: Sequence[str]) -> Run:
        """Open the index in a new process and link texts, the warm ones first."""
        ...


class Ours:
    """This project's linker; ``approximate`` is all that it does, else spelling is not corrected."""

    index = "ours"

    def __init__(self, approximate: bool) -> None:
        self.name = "ours"
        self._approximate = approximate

    def build(self, names: Path, folder: Path) -> float:
        """Build a store of the names alone."""
        with _process() as pool:
            return pool.submit(build_ours, names, folder).result()

    def link(self, names: Path, folder: Path, warm: Sequence[str], texts: Sequence[str]) -> Run:
        """Link."""
        with _process() as pool:
            return pool.submit(link_ours, names, folder, warm, texts, self._approximate).result()


class Peer:
    """A linker of another interpreter: a program that builds or links, and its settings."""

    def __init__(self, name: str, index: str, python: Path, program: str, settings: dict[str, float]) -> None:
        self.name, self.index = name, index
        self._python, self._program, self._settings = python, program, settings

    def build(self, names: Path, folder: Path) -> float:
        """Have its own tools build the index."""
        return float(self._run({"build": True, "names": str(names), "folder": str(folder), "type": TYPE})["seconds"])

    def link(self, names: Path, folder: Path, warm: Sequence[str], texts: Sequence[str]) -> Run:
        """Link."""
        return Run(**self._run({"build": False, "folder": str(folder), "warm": [*warm], "texts": [*texts]}))

    def _run(self, given: dict[str, object]) -> dict[str, Any]:
        with tempfile.TemporaryDirectory() as scratch:
            out = Path(scratch) / "out.json"
            environment = {**os.environ, **ENVIRONMENT}
            given |= {"settings": self._settings, "out": str(out)}
            command = [str(self._python.absolute()), "-P", "-c", HEAD + self._program + TAIL]
            try:
                done = subprocess.run(
                    command, input=json.dumps(given), capture_output=True, text=True, cwd=scratch, env=environment
                )
            except OSError as error:
                raise InputError(
                    f"{self._python} cannot be run ({error}): --peer-python names an interpreter"
                ) from error
            if done.returncode:
                last = done.stderr.strip().splitlines()[-1:] or [f"exit status {done.returncode}"]
                raise InputError(f"{self.name} failed in {self._python}: {last[0]}")
            found: dict[str, Any] = json.loads(out.read_text("utf-8"))
            return found


def quickumls(python: Path, threshold: float) -> Peer:
    """QuickUMLS at a threshold of its Jaccard similarity; the rest as it is by default."""
    return Peer(f"QuickUMLS, {threshold}", "QuickUMLS", python, QUICKUMLS, {"threshold": threshold})


def medcat(python: Path, approximate: bool) -> Peer:
    """MedCAT, with its correction of spelling and of the order of words or without."""
    index = "MedCAT (spaCy)" if approximate else "MedCAT"
    return Peer(index, index, python, MEDCAT, {"approximate": approximate})


def build_ours(names: Path, folder: Path) -> float:
    """Build a store of the names alone; return the seconds."""
    began = time.perf_counter()
    KnowledgeStore.open(folder, loaders=[DrawnLoader(names)]).close()
    return time.perf_counter() - began


def link_ours(names: Path, folder: Path, warm: Sequence[str], texts: Sequence[str], approximate: bool) -> Run:
    """Link in this process."""
    first, *others = warm
    began = time.perf_counter()
    store = KnowledgeStore.open(folder, loaders=[DrawnLoader(names)])
    linker = Linker(store, approximate)
    linker.link(first)
    opened = time.perf_counter() - began
    for text in others:
        linker.link(text)
    began = time.process_time()
    found = [linker.link(text) for text in texts]
    seconds = time.process_time() - began
    megabytes = _peak()
    store.close()
    return Run(opened, seconds, megabytes, [[(m.start, m.end, [m.concept.id]) for m in of_text] for of_text in found])


def _process() -> ProcessPoolExecutor:
    """A new process, which has nothing of this one in its memory."""
    return ProcessPoolExecutor(1, mp_context=get_context("spawn"))


def _peak() -> float:
    """Megabytes that this process has held at most; ``getrusage`` would count those of the process that began it."""
    try:
        status = Path("/proc/self/status").read_text("utf-8")
    except OSError:  # no Linux
        return math.nan
    return next(int(line.split()[1]) / 1e3 for line in status.splitlines() if line.startswith("VmHWM"))
