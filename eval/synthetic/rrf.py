"""A made-up UMLS release in Rich Release Format, of any size, the same for the same seed; written as it is made.

``python -m eval.synthetic.rrf OUT --names 2000000 --relations 10000000 --seed 0`` writes OUT/META and OUT/NET. Names
are medical words put together at random, some 30,000 different ones, and mean nothing. As in a real release, rows are
sorted by concept, a concept has names of several vocabularies, some of them in Spanish, suppressed or obsolete, and
each relation is there twice, once from each end.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

RELEASE = "2024AA"
_NAMES_A_CONCEPT = 4
_LAST_CUI = 6_000_000
_LINES = 20_000

_QUALITIES = """acute chronic recurrent congenital familial benign malignant atypical primary secondary diffuse focal
    bilateral juvenile idiopathic refractory transient progressive""".split()
_SITES = """hepatic renal cardiac gastric cerebral pulmonary ocular dermal splenic bronchial retinal aortic femoral
    pancreatic thyroid adrenal cervical lumbar tracheal colonic""".split()
_ROOTS = """arthr nephr hepat cardi gastr encephal pneum dermat splen bronch retin angi oste my neur thyroid aden
    chondr col cyst""".split()
_DISORDERS = "itis osis opathy algia oma ectasia osclerosis oplasia omalacia orrhage".split()
_SYLLABLES = "ba be bo ka ke ko la le lo ma me mo na ne no ra re ro sa se so ta te to va ve vo za ze zo".split()
_TYPES = (
    ("T047", "Disease or Syndrome"),
    ("T184", "Sign or Symptom"),
    ("T121", "Pharmacologic Substance"),
    ("T023", "Body Part, Organ, or Organ Component"),
    ("T061", "Therapeutic or Preventive Procedure"),
)
_SOURCES = (
    # SAB, TTY, LAT, SUPPRESS, how its codes begin
    ("SNOMEDCT_US", "PT", "ENG", "N", ""), ("SNOMEDCT_US", "SY", "ENG", "N", ""), ("MSH", "MH", "ENG", "N", "D"),
    ("MSH", "ET", "ENG", "N", "D"), ("NCI", "PT", "ENG", "N", "C"), ("NCI", "AB", "ENG", "N", "C"),
    ("CHV", "SY", "ENG", "N", ""), ("HPO", "SY", "ENG", "N", "HP:"), ("ICD10CM", "PT", "ENG", "N", "Q"),
    ("MSHSPA", "MH", "SPA", "N", "D"), ("SNOMEDCT_US", "OAP", "ENG", "O", ""), ("MSH", "PM", "ENG", "Y", "D"),
)  # fmt: skip
_RELATIONS = (
    # SAB; REL and RELA of a statement; REL and RELA of the same from its other end
    ("SNOMEDCT_US", "CHD", "isa", "PAR", "inverse_isa"),
    ("SNOMEDCT_US", "RO", "finding_site_of", "RO", "has_finding_site"),
    ("SNOMEDCT_US", "RO", "causative_agent_of", "RO", "has_causative_agent"),
    ("MSH", "CHD", "", "PAR", ""),
    ("MSH", "SIB", "", "SIB", ""),
    ("NCI", "RO", "disease_has_finding", "RO", "is_finding_of_disease"),
    ("NCI", "RO", "disease_excludes_finding", "RO", "is_not_finding_of_disease"),
    ("NCI", "RO", "may_treat", "RO", "may_be_treated_by"),
    ("HPO", "RO", "", "RO", ""),
)
_NETWORK = (
    ("T121", "T154", "T047"),
    ("T061", "T154", "T047"),
    ("T184", "T150", "T047"),
    ("T047", "T158", "T023"),
)
_NETWORK_NAMES = {"T150": "manifestation_of", "T154": "treats", "T158": "location_of", **dict(_TYPES)}


def write_release(out: Path, names: int, relations: int, seed: int = 0) -> Path:
    """Write a release with this many rows of MRCONSO and MRREL (fewer by what does not divide evenly).

    Returns:
        Its META folder.
    """
    meta, net = out / "META", out / "NET"
    meta.mkdir(parents=True, exist_ok=True)
    net.mkdir(exist_ok=True)
    concepts = max(2, names // _NAMES_A_CONCEPT)
    _write(meta / "MRCONSO.RRF", _names(concepts, seed))
    _write(meta / "MRSTY.RRF", _types(concepts))
    _write(meta / "MRDEF.RRF", _definitions(concepts))
    _write(meta / "MRREL.RRF", _relations(concepts, relations, seed))
    _write(meta / "MRDOC.RRF", (row for r in _RELATIONS for row in _documented(r[2], r[4])))
    sources = dict.fromkeys(source[0] for source in _SOURCES)
    _write(meta / "MRSAB.RRF", (_source(name) for name in sources))
    meta.joinpath("release.dat").write_text(f"umls.release.name={RELEASE}\n", encoding="utf-8")
    kinds = {name: "STY" if name in dict(_TYPES) else "RL" for name in _NETWORK_NAMES}
    _write(net / "SRDEF", ((kinds[ui], ui, name, *[""] * 7) for ui, name in _NETWORK_NAMES.items()))
    _write(net / "SRSTRE1", _NETWORK)
    _write(net / "SRSTR", ((*(_NETWORK_NAMES[ui] for ui in row), "D") for row in _NETWORK))
    return meta


def cui(concept: int, concepts: int) -> str:
    """Return the CUI of one of so many concepts: they are spread over the numbers that real ones have."""
    return f"C{5 + concept * max(1, _LAST_CUI // concepts):07}"


def concept_name(concept: int, seed: int) -> str:
    """Return the preferred name of a concept."""
    choice = random.Random(f"{seed} {concept}")
    coined = "".join(choice.choices(_SYLLABLES, k=2))
    pattern = concept % 4
    if pattern == 0:
        return f"{choice.choice(_QUALITIES)} {choice.choice(_ROOTS)}{choice.choice(_DISORDERS)} type {coined.title()}"
    if pattern == 1:
        return f"{coined.title()} {choice.choice(_SITES)} syndrome {concept}"
    if pattern == 2:
        return f"{coined}{choice.choice(_ROOTS)}ine {concept % 1000} mg"
    return f"{choice.choice(_SITES)} {coined}{choice.choice(_DISORDERS)} {choice.choice(_QUALITIES)}"


def _names(concepts: int, seed: int) -> Iterator[Sequence[str]]:
    atom = 0
    for concept in range(concepts):
        identifier, name = cui(concept, concepts), concept_name(concept, seed)
        texts = (name, name.capitalize(), ", ".join(reversed(name.split(" ", 1))), f"{name} disorder")
        for n in range(_NAMES_A_CONCEPT):
            vocabulary, term_type, language, suppress, begin = _SOURCES[(concept + n * 5) % len(_SOURCES) if n else 0]
            text = "".join(word[0] for word in name.split()).upper() if term_type == "AB" else texts[n]
            atom += 1
            status = ("P", "PF", "Y") if not n else ("S", "PF" if n == 1 else "VO", "N")
            ts, stt, ispref = status
            unique = f"A{atom:08}"
            yield (identifier, language, ts, f"L{atom:07}", stt, f"S{atom:07}", ispref, unique, "", "", "", vocabulary,
                   term_type, f"{begin}{concept:07}", text, "0", suppress, "")  # fmt: skip


def _types(concepts: int) -> Iterator[Sequence[str]]:
    for concept in range(concepts):
        tui, name = _TYPES[(0, 1, 2, 0)[concept % 4]]
        yield cui(concept, concepts), tui, "A1", name, f"AT{concept:08}", ""


def _definitions(concepts: int) -> Iterator[Sequence[str]]:
    for concept in range(0, concepts, 10):
        text = f"A made-up condition, number {concept}, that serves to try an import."
        yield cui(concept, concepts), f"A{concept:08}", f"AT{concept:08}", "", "NCI", text, "N", ""


def _relations(concepts: int, relations: int, seed: int) -> Iterator[Sequence[str]]:
    """Concept i is related to i + d for fixed distances d, so that both rows of a statement are sorted as they come."""
    distances = random.Random(seed).sample(range(1, concepts), min(concepts - 1, relations // (2 * concepts) or 1))
    number = 0
    for concept in range(concepts):
        here = cui(concept, concepts)
        for n, distance in enumerate(distances):
            for other, first in (((concept + distance) % concepts, True), ((concept - distance) % concepts, False)):
                if number >= relations:
                    return
                start = concept if first else other
                vocabulary, rel, rela, back, inverse = _RELATIONS[(start + n) % len(_RELATIONS)]
                said = (back, inverse) if first else (rel, rela)
                number += 1
                suppress = "N" if number % 50 else "O"
                yield (here, f"A{number:08}", "AUI", said[0], cui(other, concepts), f"A{number + 1:08}", "AUI",
                       said[1], f"R{number:08}", "", vocabulary, vocabulary, "", "", suppress, "")  # fmt: skip


def _documented(one: str, other: str) -> Iterator[Sequence[str]]:
    if one:
        yield "RELA", one, "rela_inverse", other
        yield "RELA", other, "rela_inverse", one


def _source(name: str) -> Sequence[str]:
    row = [""] * 25
    row[2], row[3], row[4], row[6], row[13], row[24] = f"{name}_2024", name, f"{name} (made up)", "2024", "0", "made up"
    return row


def _write(path: Path, rows: Iterable[Sequence[str]]) -> None:
    lines = ("|".join(row) + "|\n" for row in rows)
    with path.open("w", encoding="utf-8", newline="\n") as file:
        while part := list(islice(lines, _LINES)):
            file.write("".join(part))


def main(arguments: Sequence[str] | None = None) -> None:
    """Write a release."""
    parser = argparse.ArgumentParser(prog="python -m eval.synthetic.rrf", description="Write a made-up UMLS release.")
    parser.add_argument("out", type=Path, metavar="OUT")
    parser.add_argument("--names", type=int, default=20_000, help="rows of MRCONSO")
    parser.add_argument("--relations", type=int, default=100_000, help="rows of MRREL")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)
    print(write_release(given.out, given.names, given.relations, given.seed))


if __name__ == "__main__":
    main()
