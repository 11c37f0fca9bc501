"""Which disease records of OMIM, Orphanet and DECIPHER are one disease."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable

from tools.knowledge.linking.names import uninverted
from tools.knowledge.values import DISEASE_DATABASES
from tools.knowledge.vocabularies.hpoa import Association

_NO_WORD = re.compile(r"[\W_]+")


def normalise_plain(name: str) -> str:
    """Return a name in small letters without punctuation: what two names share only when they are the same name."""
    return _NO_WORD.sub(" ", name.lower()).strip()


def group_diseases(rows: Iterable[Association]) -> list[tuple[list[str], list[str]]]:
    """Group disease ids that one name shows to be one disease: (CURIEs, OMIM's first; names, the preferred first).

    Ids are one disease where they come from different databases and share a name, or its uninverted reading, that no
    second id of one of these databases has: what one database keeps apart stays apart.
    """
    names: dict[str, list[str]] = defaultdict(list)
    for (curie, name), _ in sorted(
        Counter((row.disease, row.name) for row in rows).items(), key=lambda i: (-i[1], i[0])
    ):
        names[curie].append(name)
    groups: dict[str, list[str]] = {curie: [curie] for curie in sorted(names, key=_rank)}
    for shared in _claims(names).values():
        merged = sorted({member for curie in shared for member in groups[curie]}, key=_rank)
        if len({_database(curie) for curie in merged}) == len(merged):
            groups.update(dict.fromkeys(merged, merged))
    return [
        (group, list(dict.fromkeys(name for member in group for name in names[member])))
        for curie, group in groups.items()
        if curie == group[0]
    ]


def _claims(names: dict[str, list[str]]) -> dict[str, list[str]]:
    """Which ids have a name, for the names, plain or uninverted, that several have."""
    claims: dict[str, set[str]] = defaultdict(set)
    for curie, given in names.items():
        for name in given:
            claims[normalise_plain(name)].add(curie)
            if other := uninverted(name):
                claims[normalise_plain(other)].add(curie)
    return {name: sorted(curies, key=_rank) for name, curies in sorted(claims.items()) if len(curies) > 1}


def _database(curie: str) -> str:
    return curie.partition(":")[0]


def _rank(curie: str) -> tuple[int, str]:
    database = _database(curie)
    known = database in DISEASE_DATABASES
    return DISEASE_DATABASES.index(database) if known else len(DISEASE_DATABASES), curie
