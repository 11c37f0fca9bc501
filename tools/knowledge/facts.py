"""Facts of the store as English sentences, each of which names its subject and stands alone.

The evidence-only engine copies sentences into answers, so none may lean on the one before it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from core.text import content_terms
from tools.knowledge.frequency import MIN_COHORT, RANGES, Frequency
from tools.knowledge.telling import FEW, GROUPS, UNSTATED, group_of, most_telling, weight
from tools.knowledge.values import CHEBI, DRUG_NAMES, HAS_ROLE, NOT, Annotation, Entry, Name, PairFacts
from tools.knowledge.wording import article, joined, lowered, plain, sentence

LISTED = 15
_SAYING_THE_SAME = frozenset(("exact", "heading", "layperson", "abbreviation"))
DISEASES_LISTED = 8
PARENTS_LISTED = 5
SYNONYMS_BESIDE = 3
REFERENCES_NAMED = 5
_BRAND = re.compile(r"[a-z]{3,}(?:-[a-z]{3,})?(?: [a-z]{2,})?")
_WORD = re.compile(r"[a-z]{5,}")
_SUBSTANCE = re.compile(r"[a-z]{4,}(?: (?:acid|hydroxide|peroxide|sulfate))?")
_STEM = 5
"""Letters that a generic name shares with its forms in other languages: naproxen, naproxeno."""

_SOURCES = {"ORPHA": "Orphanet", "OMIM": "OMIM", "DECIPHER": "DECIPHER"}


def definition_text(entry: Entry, definition: str | None, names: Sequence[Name], parents: Sequence[Entry]) -> str:
    """Write what a term means, what else it is called, and what it is a kind of; empty where nothing is known."""
    others = synonyms(entry, names)
    wider = [parent.inline for parent in _other_than(entry, names, parents)[:PARENTS_LISTED]]
    kinds = joined(wider) if wider else ""
    lines = []
    if definition:
        beside = f" (also called {joined(others[:SYNONYMS_BESIDE], conjunction='or')})" if others else ""
        lines.append(sentence(f"{entry.concept.name}{beside}: {definition}"))
    elif kinds:
        beside = f", also called {joined(others[:SYNONYMS_BESIDE], conjunction='or')}," if others else ""
        lines.append(sentence(f"vocabularies class {entry.inline}{beside} as a kind of {kinds}"))
    elif others:
        lines.append(_naming(entry, others))
    if lines and (definition or kinds) and len(others) > SYNONYMS_BESIDE:
        lines.append(_naming(entry, others[SYNONYMS_BESIDE:]))
    if definition and kinds:
        lines.append(sentence(f"vocabularies class {entry.inline} as a kind of {kinds}"))
    return " ".join(lines)


def _other_than(entry: Entry, names: Sequence[Name], parents: Sequence[Entry]) -> list[Entry]:
    """The parents that are called neither what the entry is called nor what another of them is."""
    seen = {_words(entry.concept.name), *(_words(name.text) for name in names if name.kind in _SAYING_THE_SAME)}
    kept = []
    for parent in parents:
        if _words(parent.concept.name) not in seen:
            seen.add(_words(parent.concept.name))
            kept.append(parent)
    return kept


def _naming(entry: Entry, others: Sequence[str]) -> str:
    """Write what else a thing is called."""
    if len(others) == 1:
        return sentence(f"another name of {entry.inline} is {others[0]}")
    return sentence(f"other names of {entry.inline} are {joined(others[:LISTED], len(others))}")


def synonyms(entry: Entry, names: Sequence[Name]) -> list[str]:
    """Choose the names that say the same, lay ones first, none that differs only in its words' order or number."""
    seen = {_words(entry.concept.name)}
    chosen = []
    for name in sorted(names, key=lambda name: name.kind != "layperson"):
        if name.kind in _SAYING_THE_SAME and "," not in name.text and _words(name.text) not in seen:
            seen.add(_words(name.text))
            chosen.append(lowered(name.text))
    return chosen


def _words(name: str) -> frozenset[str]:
    """What two names share that differ only in case, punctuation, order, number or words without content."""
    return frozenset(content_terms(name)) or frozenset((plain(name),))


def medicine_text(
    entry: Entry, roles: Iterable[Sequence[Entry]], names: Sequence[Name], within: Entry | None = None
) -> str:
    """Write what a medicine acts against by its roles, and under which names it is sold; empty where neither is known.

    "Naproxen is a medicine that acts against pain and inflammation, fever and gout, according to ChEBI." Each role
    comes with what it is a kind of, nearest first; the first of these that tells a use counts. What ChEBI calls it by
    another word stands beside its name. ``within`` is what combines it with others, maybe for something else.
    """
    read, left_out = medicines(), _not_against(entry).union(_not_against(within) if within else ())
    told = [[read.against[c] for wider in role for c in wider.curies if c in read.against] for role in roles]
    against = {use: None for first in told for use in first[:1] if use not in left_out}
    kept = [use for use in against if not any(use != other and f" {use} " in f" {other} " for other in against)]
    sold, combined = _brands(entry, names), combined_in(entry)
    lines = []
    if combined and sold:
        named = f"{joined(sold)} {'is a name' if len(sold) == 1 else 'are names'}"
        return sentence(f"{named} of a medicine that combines {joined(combined)}, according to {DRUG_NAMES}")
    if kept:
        beside = "".join(f" ({name})" for name in _by_chebi(entry, names))
        lines.append(f"{entry.inline}{beside} is a medicine that acts against {joined(kept)}, according to {CHEBI}")
    if sold:
        called = f"{'also ' if kept else 'a medicine '}known as {joined(sold, conjunction='or')}"
        lines.append(f"{entry.inline} is {called}, according to {DRUG_NAMES}")
    return " ".join(map(sentence, lines))


def combined_in(entry: Entry) -> list[str]:
    """The medicines that one with several in its name combines: fluticasone, salmeterol; empty for any other."""
    parts = re.split(r", and | and |, ", entry.concept.name)
    return parts if len(parts) > 1 and all(_SUBSTANCE.fullmatch(part) for part in parts) else []


def class_text(entry: Entry, kinds: Iterable[Entry], roles: Iterable[Sequence[Entry]]) -> str:
    """Write of which classes a medicine is; empty where none is known.

    "Amoxicillin is one of the penicillins and the antibiotics, according to ChEBI."
    """
    classes = [f"the {name}" for name in medicine_classes(entry, kinds, roles)]
    return sentence(f"{entry.inline} is one of {joined(classes)}, according to {CHEBI}") if classes else ""


def medicine_classes(entry: Entry, kinds: Iterable[Entry], roles: Iterable[Sequence[Entry]]) -> list[str]:
    """The classes of medicines that this one is of, by what it is a kind of and by its roles: "beta blockers"."""
    read = medicines()
    left_out = {name for curie in entry.curies for name in read.not_of_class.get(curie, ())}
    return [name for name in _named(read.classes, entry, kinds, roles) if name not in left_out]


def medicine_kinds(entry: Entry, kinds: Iterable[Entry], roles: Iterable[Sequence[Entry]]) -> list[str]:
    """Of which medicines pages tell that this one is one of, by what it is a kind of and by its roles: "statins"."""
    return _named(medicines().kinds, entry, kinds, roles)


def _named(
    table: Mapping[str, str], entry: Entry, kinds: Iterable[Entry], roles: Iterable[Sequence[Entry]]
) -> list[str]:
    """The names in a table of what a medicine is a kind of and of its roles, but those of what it is not used for."""
    read, left_out = medicines(), _not_against(entry)
    curies = {c for one in chain((entry,), kinds, *roles) for c in one.curies if read.against.get(c) not in left_out}
    return list(dict.fromkeys(name for curie, name in table.items() if curie in curies))


def _not_against(entry: Entry) -> set[str]:
    return {use for curie in entry.curies for use in medicines().not_against.get(curie, ())}


def _by_chebi(entry: Entry, names: Sequence[Name]) -> list[str]:
    """What ChEBI calls a medicine, where that is another word: paracetamol, which is acetaminophen."""
    called = [name.text for name in names if name.vocabulary == CHEBI and _WORD.fullmatch(name.text)]
    return [name for name in called if plain(name)[:_STEM] != plain(entry.concept.name)[:_STEM]]


def _brands(entry: Entry, names: Sequence[Name]) -> list[str]:
    """Names of a medicine that are neither those of its salts and codes nor what it is called in other languages."""
    own = [plain(name.text)[:_STEM] for name in names if name.kind in ("preferred", "heading")]
    own.append(plain(entry.concept.name)[:_STEM])
    sold = [name.text for name in names if name.vocabulary == DRUG_NAMES and _BRAND.fullmatch(name.text)]
    left_out = {name for curie in entry.curies for name in medicines().not_called.get(curie, ())}
    brands = [
        " ".join(word.capitalize() for word in name.split())
        for name in sold
        if not any(word.startswith(stem) for stem in own for word in name.replace("-", " ").split())
    ]
    return [brand for brand in brands if brand not in left_out][:LISTED]


class Medicines(NamedTuple):
    """What medicines of a role act against and are called, by its id; of substances, what is not told of them."""

    against: Mapping[str, str]
    kinds: Mapping[str, str]
    classes: Mapping[str, str]
    not_against: Mapping[str, Sequence[str]]
    not_called: Mapping[str, Sequence[str]]
    not_of_class: Mapping[str, Sequence[str]]


@lru_cache(maxsize=1)
def medicines() -> Medicines:
    """What ``medicines.toml`` has."""
    return Medicines(**tomllib.loads(Path(__file__).with_name("medicines.toml").read_text(encoding="utf-8")))


def features_text(disease: Entry, annotations: Iterable[Annotation]) -> str:
    """Write the recorded features of a disease, one sentence for each class of frequency, most frequent first."""
    groups: dict[str, list[Annotation]] = {group: [] for group in GROUPS}
    for annotation in most_telling(annotations, lambda a: a.feature):
        groups[group_of(annotation.frequency)].append(annotation)
    return " ".join(_features_sentence(disease, group, found) for group, found in groups.items() if found)


def _features_sentence(disease: Entry, group: str, found: Sequence[Annotation]) -> str:
    listed = [a.feature.inline + (_counted(a.frequency) if group == FEW else "") for a in found[:LISTED]]
    items = joined(listed, len(found))
    one = len(found) == 1
    if group == FEW:
        verb = "a feature" if one else "features"
        return sentence(
            f"{verb} of {disease.inline} known from reports of fewer than {MIN_COHORT} individuals "
            f"{'is' if one else 'are'} {items}"
        )
    if group == UNSTATED:
        return sentence(
            f"{'a feature' if one else 'features'} of {disease.inline} recorded without a frequency "
            f"{'is' if one else 'are'} {items}"
        )
    if one:
        return sentence(f"{article(group)} {group} feature of {disease.inline} is {items}")
    return sentence(f"{group} features of {disease.inline} are {items}")


def excluded_text(disease: Entry, annotations: Iterable[Annotation]) -> str:
    """Write the features recorded as absent in a disease; empty where there are none."""
    absent = list(dict.fromkeys(a.feature.inline for a in annotations if a.excluded))
    if not absent:
        return ""
    return sentence(
        f"recorded as not present in {disease.inline} {'is' if len(absent) == 1 else 'are'} "
        f"{joined(absent[:LISTED], len(absent))}"
    )


def inheritance_text(disease: Entry, annotations: Iterable[Annotation]) -> str:
    """Write how a disease is inherited; empty where nothing is recorded."""
    modes = list(dict.fromkeys(a.feature.inline for a in annotations if not a.excluded))
    if not modes:
        return ""
    return sentence(f"the inheritance recorded for {disease.inline} is {joined(modes)}")


def course_text(disease: Entry, annotations: Iterable[Annotation]) -> str:
    """Write onset and course of a disease; empty where nothing is recorded."""
    courses = list(dict.fromkeys(a.feature.inline for a in annotations if not a.excluded))
    return sentence(f"the onset and course recorded for {disease.inline}: {joined(courses)}") if courses else ""


def diseases_text(feature: Entry, annotations: Iterable[Annotation], with_kinds: int) -> str:
    """Write the diseases that have a feature; ``with_kinds`` counts those that have it or a kind of it."""
    # Diseases in which most people were seen with the feature come first: the best documented.
    found = sorted(
        most_telling(annotations, lambda a: a.disease), key=lambda a: -((a.frequency and a.frequency.count) or 0)
    )
    lines = []
    if found:
        named = [a.disease.inline + _class_beside(a.frequency) for a in found[:DISEASES_LISTED]]
        if len(found) == 1:
            lines.append(f"{feature.inline} is recorded as a feature of one disease: {named[0]}")
        elif len(found) <= DISEASES_LISTED:
            lines.append(f"{feature.inline} is recorded as a feature of {len(found)} diseases: {joined(named)}")
        else:
            lines.append(
                f"{feature.inline} is recorded as a feature of {len(found):,} diseases, among them {joined(named)}"
            )
    if with_kinds > len(found):
        lines.append(
            f"counting the more specific kinds of {feature.inline}, "
            f"{feature.inline} is recorded in {with_kinds:,} disease{'' if with_kinds == 1 else 's'}"
        )
    return " ".join(map(sentence, lines))


def shared_text(features: Sequence[Entry], diseases: Sequence[Entry]) -> str:
    """Write which diseases have all of several features recorded."""
    subject = joined([feature.inline for feature in features])
    are = "are both recorded" if len(features) == 2 else "are all recorded"
    if len(diseases) == 1:
        return sentence(f"{subject} {are} as features of one disease: {diseases[0].inline}")
    among = ", among them" if len(diseases) > DISEASES_LISTED else ":"
    named = joined([disease.inline for disease in diseases[:DISEASES_LISTED]])
    return sentence(f"{subject} {are} as features of {len(diseases):,} diseases{among} {named}")


def pair_text(facts: PairFacts, disease: Entry) -> str:
    """Write all that is recorded of a feature in a disease, under the name given it; empty where nothing is."""
    feature = facts.feature
    lines = [
        _absent(feature, disease, a) if a.excluded else _present(feature, disease, a)
        for a in sorted(facts.direct, key=lambda a: (a.excluded, [-n for n in weight(a.frequency)]))
    ]
    if not any(not a.excluded for a in facts.direct) and facts.specific:
        kinds = most_telling(facts.specific, lambda a: a.feature)
        named = joined([a.feature.inline + _class_beside(a.frequency) for a in kinds[:LISTED]], len(kinds))
        lines.append(f"{feature.inline} is a feature of {disease.inline} in the more specific form of {named}")
    lines.extend(
        f"{feature.inline} is recorded as not present in {disease.inline}, "
        f"because it is a kind of {a.feature.inline}, which is recorded as not present"
        for a in facts.excluding
    )
    return " ".join(map(sentence, dict.fromkeys(lines)))


def _present(feature: Entry, disease: Entry, a: Annotation) -> str:
    label = a.frequency.label if a.frequency else None
    what = f"{article(label)} {label} feature" if label else "a recorded feature"
    return f"{feature.inline} is {what} of {disease.inline}{_details(a)}"


def _absent(feature: Entry, disease: Entry, a: Annotation) -> str:
    return f"{feature.inline} is recorded as not present in {disease.inline}{_details(a)}"


def _details(a: Annotation) -> str:
    parts = []
    if a.frequency and a.frequency.total is not None:
        parts.append(f"found in {a.frequency.count} of {a.frequency.total} individuals")
    elif a.frequency and a.frequency.label in RANGES and not a.excluded:
        parts.append(RANGES[a.frequency.label])
    if a.onset:
        parts.append(f"with {a.onset}" if "onset" in a.onset else f"onset: {a.onset}")
    if a.sex:
        parts.append(f"in {a.sex}s")
    source = _SOURCES.get(a.origin.partition(":")[0], "")
    named = joined(a.references[:REFERENCES_NAMED], len(a.references)) if a.references else ""
    by = f"according to {source} ({a.origin})" if source else f"according to {a.origin}"
    parts.append(f"{by}, citing {named}" if named else by)
    return ", " + ", ".join(parts)


def _counted(frequency: Frequency | None) -> str:
    return f" ({frequency.count} of {frequency.total})" if frequency else ""


def _class_beside(frequency: Frequency | None) -> str:
    return f" ({frequency.label})" if frequency and frequency.label else ""


def relations_text(subject: Entry, relation: str, others: Sequence[Entry], vocabulary: str, backwards: bool) -> str:
    """Write what a vocabulary states of a subject: that it relates to others, or, ``backwards``, that they do to it."""
    named = joined([other.inline for other in others[:LISTED]], len(others))
    head, tail = (named, subject.inline) if backwards else (subject.inline, named)
    plural = backwards and len(others) > 1
    if relation.startswith(NOT):
        plain = relation.removeprefix(NOT)
        return sentence(f"{head} and {tail}: {vocabulary} states that “{plain}” does not hold between them")
    return sentence(f"{head} {_verb(relation, plural, len(others))} {tail}, according to {vocabulary}")


def _verb(relation: str, plural: bool, count: int) -> str:
    """A relation as the verb of a sentence: "has role" counts its roles, "cause of" is preceded by a verb."""
    if relation == HAS_ROLE:
        return f"{'have' if plural else 'has'} the role{'' if count == 1 or plural else 's'} of"
    if relation.endswith((" of", " by", " with", " to", " in", " from")) and not relation.startswith(_VERBS):
        return f"{'are' if plural else 'is'} {relation}"
    return relation


_VERBS = ("is ", "has ", "may ", "can ", "does ", "occurs ", "results ", "belongs ", "isa")
