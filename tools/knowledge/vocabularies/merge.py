"""Which records of several vocabularies mean the same thing, and which id that thing has.

Two records are one concept where one names the other's id, or both name one CUI, or both prefer one name, and where
nobody else does so: what one vocabulary keeps apart stays apart, so a concept never has two records of one vocabulary.
A chemical is also what MeSH has among its entry terms or supplementary records (paracetamol is its Acetaminophen).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from tools.knowledge.linking.forms import singular_of
from tools.knowledge.linking.names import uninverted
from tools.knowledge.semantics import SEMANTIC_TYPES
from tools.knowledge.vocabularies.diseases import normalise_plain
from tools.knowledge.vocabularies.records import Record

RULES = "2"
"""Tells stores that were merged by other rules."""
_SUPPLEMENTARY, _CHEMICAL = "MESH:C", "T103"
_ALIASES = {"MSH": "MESH"}
_NAMED_ALIKE = frozenset(("HP", "OMIM", "ORPHA", "DECIPHER", "MONDO", "DOID", "MESH", "CHEBI", "MEDLINEPLUS", "NHS"))


def merge(records: Sequence[Record]) -> list[list[int]]:
    """Group records by what they mean: places of the records, groups and members in the order of their first."""
    named = {canonical(curie) for record in records for curie in record.same}
    related = [n for n, record in enumerate(records) if not _alone(record, named)]
    chosen = [records[n] for n in related]
    groups = _Groups([frozenset(map(prefix, record.curies)) for record in chosen])
    for pairs in (_by_id(chosen), _by_shared(_cuis(chosen)), _by_shared(_preferred(chosen)), _by_entry_term(chosen)):
        for a, b in pairs:
            groups.join(a, b)
    joined = [[related[n] for n in group] for group in groups.all()]
    apart = set(range(len(records))) - set(related)
    return sorted([*joined, *([n] for n in apart)])


def _alone(record: Record, named: set[str]) -> bool:
    """Whether nothing can make a record one with others: most of MeSH's supplementary records."""
    return not record.same and record.curies[0].startswith(_SUPPLEMENTARY) and record.curies[0] not in named


def contested(records: Iterable[Record]) -> set[tuple[str, str]]:
    """Return the CUIs that several records of one vocabulary name, with the vocabulary's prefix: they name none."""
    claims = Counter((prefix(r.curies[0]), cui) for r in records if r.same and (cui := sole_cui(r)))
    return {claim for claim, count in claims.items() if count > 1}


def cui_of(group: Iterable[Record], shared: set[tuple[str, str]], taken: set[str]) -> str | None:
    """Return the CUI that most of the group's records name as their only one, if no other concept has it."""
    named = [record for record in group if record.same]
    if not named:
        return None
    votes = Counter(cui for r in named if (cui := sole_cui(r)) is not None and (prefix(r.curies[0]), cui) not in shared)
    free = sorted((-count, cui) for cui, count in votes.items() if cui not in taken)
    return free[0][1] if free else None


def sole_cui(record: Record) -> str | None:
    """Return the CUI that a record names, if it names exactly one."""
    found = {same[5:] for same in record.same if same.startswith("UMLS:")}
    return found.pop() if len(found) == 1 else None


def prefix(curie: str) -> str:
    """Return the space that a CURIE is of, MeSH's always as MESH."""
    space = curie.partition(":")[0]
    return _ALIASES.get(space, space)


def canonical(curie: str) -> str:
    """Return a CURIE with the prefix that records use."""
    space, colon, rest = curie.partition(":")
    return f"{_ALIASES[space]}{colon}{rest}" if space in _ALIASES else curie


class _Groups:
    """A union of records that never joins two of one vocabulary."""

    def __init__(self, spaces: Sequence[frozenset[str]]) -> None:
        self._leader = list(range(len(spaces)))
        self._spaces = list(spaces)

    def join(self, a: int, b: int) -> None:
        first, second = sorted((self._find(a), self._find(b)))
        if first != second and self._spaces[first].isdisjoint(self._spaces[second]):
            self._leader[second] = first
            self._spaces[first] |= self._spaces[second]

    def all(self) -> list[list[int]]:
        groups: dict[int, list[int]] = {}
        for place in range(len(self._leader)):
            groups.setdefault(self._find(place), []).append(place)
        return list(groups.values())

    def _find(self, place: int) -> int:
        while self._leader[place] != place:
            self._leader[place] = place = self._leader[self._leader[place]]
        return place


def _by_id(records: Sequence[Record]) -> Iterator[tuple[int, int]]:
    """Pairs of which one names the other's id, as the only one of that vocabulary, and as the only one to do so."""
    owner = {curie: place for place, record in enumerate(records) for curie in (*record.former, *record.curies)}
    claims: dict[tuple[str, int], list[int]] = defaultdict(list)
    for place, record in enumerate(records):
        if not record.same:
            continue
        named: dict[str, set[int]] = defaultdict(set)
        for curie in map(canonical, record.same):
            if (other := owner.get(curie)) is not None and other != place:
                named[prefix(curie)].add(other)
        for others in named.values():
            if len(others) == 1:
                claims[prefix(record.curies[0]), others.pop()].append(place)
    return ((claimants[0], other) for (_, other), claimants in claims.items() if len(claimants) == 1)


def _by_shared(keys: Iterable[tuple[object, int, str]]) -> Iterator[tuple[int, int]]:
    """Pairs that share a key which no second record of their vocabularies has."""
    holders: dict[object, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for key, place, space in keys:
        holders[key][space].append(place)
    for spaces in holders.values():
        alone = [places[0] for places in spaces.values() if len(places) == 1]
        yield from ((alone[0], other) for other in alone[1:])


def _cuis(records: Sequence[Record]) -> Iterator[tuple[object, int, str]]:
    for place, record in enumerate(records):
        if record.same and (cui := sole_cui(record)):
            yield cui, place, prefix(record.curies[0])


def _preferred(records: Sequence[Record]) -> Iterator[tuple[object, int, str]]:
    for place, record in enumerate(records):
        space = prefix(record.curies[0])
        if space in _NAMED_ALIKE and record.types:
            group = SEMANTIC_TYPES[record.types[0]][1]
            if not record.curies[0].startswith(_SUPPLEMENTARY):
                yield (group, _plain(record.names[0][0])), place, space


def _by_entry_term(records: Sequence[Record]) -> Iterator[tuple[int, int]]:
    """Chemicals beside the MeSH record of a chemical that has their name as any of its names, both as the only one.

    A salt or hydrate of what a heading names is another thing: its name goes on where the heading ends.
    """
    called: dict[str, list[int]] = defaultdict(list)
    naming: dict[int, set[int]] = defaultdict(set)
    for place, record in enumerate(records):
        if record.types == (_CHEMICAL,) and prefix(record.curies[0]) == "CHEBI":
            called[_plain(record.names[0][0])].append(place)
    alone = {name: places[0] for name, places in called.items() if len(places) == 1}
    for place, record in enumerate(records):
        if prefix(record.curies[0]) == "MESH" and record.types and SEMANTIC_TYPES[record.types[0]][1] == "CHEM":
            heading = _plain(record.names[0][0])
            names = {_plain(text) for text, _ in record.names}
            for name in names & alone.keys():
                if not name.startswith(f"{heading} "):
                    naming[alone[name]].add(place)
    pairs = [(chemical, places.pop()) for chemical, places in naming.items() if len(places) == 1]
    claimed = Counter(place for _, place in pairs)
    return (pair for pair in pairs if claimed[pair[1]] == 1)


def _plain(name: str) -> str:
    """A name read forwards, in small letters, in the singular: what makes "Seizures" and "Seizure" one name."""
    return " ".join(map(singular_of, normalise_plain(uninverted(name) or name).split()))
