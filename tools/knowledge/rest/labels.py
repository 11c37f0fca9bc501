"""The labels of relations as words: in a triple, and as the verb of an English sentence."""

from __future__ import annotations

from core.schema import Triple
from tools.knowledge.values import IS_A, NARROWER
from tools.knowledge.wording import article

_GENERAL = {
    "AQ": "can qualify",
    "CHD": NARROWER,
    "PAR": NARROWER,
    "QB": "can be qualified by",
    "RB": NARROWER,
    "RL": "is similar to",
    "RN": NARROWER,
    "RO": "is related to",
    "RQ": "is related to",
    "RU": "is related to",
    "SIB": "has the same parent as",
    "SY": "is a synonym of",
}
"""REL of the UMLS. A child (CHD) is narrower than its parent, but only ``isa`` says that it is a kind of it."""
_BROADER = ("PAR", "RB")
_UNRELATED = ("DEL", "XR")
_OF_NAMES = frozenset(
    "entry_version_of expanded_form_of has_entry_version has_expanded_form has_permuted_term has_print_name "
    "has_sort_version has_translation mapped_from mapped_to permuted_term_of primary_mapped_from primary_mapped_to "
    "print_name_of sort_version_of translation_of".split()
)
"""Labels that relate names and codes rather than what they mean."""
_SPECIFIC = ("AQ", "QB", "RL", "RO", "RQ", "RU", "SY")
_VERBS = frozenset("can does excludes has involves is may plays".split())
_DESCRIBING = frozenset(
    "adjacent due equivalent found given inferior made narrower same shown similar superior".split()
)


def said(label: str, additional: str) -> tuple[str, bool]:
    """Return a relation's words, and whether head and tail change places for them to be true.

    Args:
        label: REL, such as RO.
        additional: RELA, such as ``has_finding_site``; empty where the vocabulary gives none.
    """
    if additional in ("isa", "inverse_isa"):
        return IS_A, additional == "inverse_isa"
    if additional:
        return additional.replace("_", " "), False
    return _GENERAL.get(label, "is related to"), label in _BROADER


def rank(label: str, additional: str) -> int | None:
    """How much a relation tells, from 0, which is most; None where it relates nothing."""
    if label in _UNRELATED:
        return None
    if additional in _OF_NAMES:
        return 3
    if label in _SPECIFIC:
        return 0 if additional else 2
    return 4 if label == "SIB" else 1


def clause(triple: Triple) -> str:
    """Return a triple as an English clause that names its subject: "pneumonia has the finding site lung"."""
    return f"{triple.head.name} {verb(triple.relation)} {triple.tail.name}"


def verb(relation: str) -> str:
    """Return a relation's words as a verb phrase: "finding site of" becomes "is a finding site of"."""
    if relation == IS_A:
        return "is a kind of"
    words = relation.split()
    # NCI names the kind of the subject first ("disease has associated anatomic site"): the sentence names it itself.
    start = next((n for n, word in enumerate(words) if word in _VERBS), None)
    if start is not None:
        return _with_article(words[start:])
    if words[-1:] == ["of"] and not _describes(words[-2:-1]):
        return f"is {article(words[0])} {relation}"
    if _describes(words):
        return f"is {relation}"
    if any(word.endswith("s") and not word.endswith(("ss", "us")) for word in words[:2]):
        return relation
    return f"is related ({relation}) to" if words else "is related to"


def _with_article(words: list[str]) -> str:
    if words[0] == "has" and words[1:2] and words[1] not in ("a", "an", "the"):
        return " ".join(["has the", *words[1:]])
    return " ".join(words)


def _describes(words: list[str]) -> bool:
    """Whether the words say how the subject is, by a participle or an adjective, rather than what it does."""
    return any(word.endswith("ed") or word in _DESCRIBING for word in words)
