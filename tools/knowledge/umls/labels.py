"""What a row of MRREL says: REL and RELA as the words of a sentence from its second concept to its first.

"REL: relationship of second concept or atom to first" (UMLS Reference Manual, chapter 3). Every statement is there
twice, once from each end; both ends give one sentence here, so that one of them can be dropped. A statement that
something is not so has the words of its opposite and is ``negative``: ``disease_excludes_finding`` is "disease has
finding", stated not to hold.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from tools.knowledge.umls.release import Release
from tools.knowledge.umls.rows import MRDOC
from tools.knowledge.values import IS_A, NARROWER

FINDING_CONTEXTS = ("finding context of", "procedure context of")
OF_SITUATIONS = ("associated finding of", "associated procedure of")
"""SNOMED CT says "no cough" as a situation with the associated finding cough in the finding context "known absent"."""
ABSENT = frozenset((b"Known absent", b"Definitely NOT present", b"Not done"))

_GENERAL = {
    "CHD": (NARROWER, False),
    "RN": (NARROWER, False),
    "PAR": (NARROWER, True),
    "RB": (NARROWER, True),
    "RO": ("related to", None),
    "RL": ("similar to", None),
}
"""REL without RELA: words, and whether the concepts change places; None where either order says the same. The others
(siblings, qualifiers, synonyms, "unrelated", deleted) state nothing of their concepts."""
_NOTHING = frozenset(
    "entry_version_of expanded_form_of has_entry_version has_expanded_form has_permuted_term has_print_name "
    "has_sort_version has_translation mapped_from mapped_to moved_from moved_to permuted_term_of "
    "possibly_equivalent_to possibly_replaced_by possibly_replaces primary_mapped_from primary_mapped_to "
    "print_name_of replaced_by replaces same_as sort_version_of translation_of was_a inverse_was_a".split()
)
"""RELA of names, codes and their history rather than of what they mean."""
_POSITIVE = {
    "absence": "presence", "absent": "present", "exclude": "have", "excluded": "included", "excludes": "has",
    "exclusion": "inclusion", "lacks": "has", "not": "",
}  # fmt: skip
_PASSIVE = {"treats": "treated_by", "causes": "caused_by", "induces": "induced_by", "prevents": "prevented_by"}
_INVERSES = {
    "may_treat": "may_be_treated_by",
    "may_prevent": "may_be_prevented_by",
    "may_diagnose": "may_be_diagnosed_by",
    "contraindicated_with_disease": "has_contraindicated_drug",
    "cause_of": "due_to",
    "occurs_in": "has_occurrence",
    **_PASSIVE,
}
_BY_RULE = _INVERSES | {b: a for a, b in _INVERSES.items()}
_FRAMES = (
    ("disease_has_", "", "is_", "_of_disease"),
    ("disease_may_have_", "", "may_be_", "_of_disease"),
    ("disease_excludes_", "", "is_not_", "_of_disease"),
    ("has_", "", "", "_of"),
)


class Sentence(NamedTuple):
    """Words between head and tail; the first concept of the row is the head where ``swapped``, the second otherwise.

    Where ``symmetric``, either may be.
    """

    words: str
    swapped: bool = False
    symmetric: bool = False
    negative: bool = False


def inverses(release: Release) -> dict[str, str]:
    """Return the RELA that says the same from the other end, by RELA, as MRDOC lists them."""
    found: dict[str, str] = {}
    for parsed in release.small(MRDOC):
        rows = zip(*parsed.columns, strict=True)
        found |= {value.decode(): said.decode() for key, value, type_, said in rows if (key, type_) == _OF_MRDOC}
    return found


_OF_MRDOC = (b"RELA", b"rela_inverse")


def sentence(label: str, additional: str, inverse_of: Mapping[str, str]) -> Sentence | None:
    """Return what REL and RELA say; None where they say nothing of what their concepts mean."""
    if not additional:
        words, swapped = _GENERAL.get(label, (None, None))
        return Sentence(words, bool(swapped), swapped is None) if words else None
    if additional in ("isa", "inverse_isa"):
        return Sentence(IS_A, additional == "inverse_isa")
    if additional in _NOTHING or additional.startswith("sib_") or additional.startswith("sibling_"):
        return None
    other = inverse_of.get(additional) or _inverse_by_rule(additional)
    said = min((additional, other), key=_indirectness) if other else additional
    tokens = said.split("_")
    words = " ".join(filter(None, (_POSITIVE.get(token.lower(), token) for token in tokens)))
    return Sentence(
        words.replace("included from", "included in"),
        swapped=said != additional,
        symmetric=other == additional,
        negative=any(token.lower() in _POSITIVE for token in tokens),
    )


def _inverse_by_rule(additional: str) -> str | None:
    if additional in _BY_RULE:
        return _BY_RULE[additional]
    for start, end, other_start, other_end in _FRAMES:
        for a, b, c, d in ((start, end, other_start, other_end), (other_start, other_end, start, end)):
            if additional.startswith(a) and additional.endswith(b) and len(additional) > len(a + b):
                other = c + additional[len(a) : len(additional) - len(b)] + d
                return None if other.endswith("_of_of") else other
    return None


def _indirectness(additional: str) -> tuple[bool, ...] | tuple[bool | str, ...]:
    """Sorts the two ways of saying a statement: the active one, and "X of" before "has X"."""
    tokens = additional.lower().split("_")
    passive = "by" in tokens or "be" in tokens
    return "inverse" in tokens, passive, "not" in tokens, tokens[0] == "is", tokens[0] == "has", additional
