"""The second road to support: a sentence that holds all that is claimed, in a relation that entails the claim's.

Where the rule finds the claim's relation with one of its two sides, the other may stand in the same sentence in a
form that is no side of its own: "a clot formed during atrial fibrillation". It is then held there, unless the sentence
gives it another part.
"""

from __future__ import annotations

from collections.abc import Sequence

from chains.verify.signals.antonyms import opposed
from chains.verify.statements.phrases import ALIKE, phrase_fit, weighty
from chains.verify.statements.vocabulary import Fit, Shortened, Vocabulary, term_fit
from core.language import lexicon
from core.language.statement import Phrase, Sentence, Statement
from core.language.weights import CARRIERS
from core.text import content_terms

_FITTING: frozenset[Fit | None] = frozenset(("same", "narrower"))
_SHORT = 3
_LONGEST = 400
"""Characters of the longest sentence that is looked at as a whole."""
SURE_ALIKE = 0.7
"""Cosine from which a phrase of the sentence is taken to mean one of the claim's, beside a relation that fits."""


def covered(
    claimed: Statement,
    told: Statement,
    sentence: Sentence,
    vocabulary: Vocabulary,
    shortened: Shortened,
) -> bool:
    """Whether one side is the claim's and the sentence holds the other within the other side of the same statement."""
    if claimed.subject is None or claimed.object is None or len(sentence.text) > _LONGEST:
        return False
    around = (*told.arguments, *(limit.phrase for limit in told.scopes))
    pairs = (
        (claimed.subject, (told.subject, *around), claimed.object, told.object),
        (claimed.object, (told.object, *around), claimed.subject, told.subject),
    )
    for wanted, own, other, its in pairs:
        met = any(
            one is not None and phrase_fit(wanted, one, vocabulary, shortened, CARRIERS) in _FITTING for one in own
        )
        if met and _held(other, its, told, sentence, vocabulary, shortened):
            return True
    return False


def holding(
    claimed: Sequence[Statement], sentences: Sequence[Sentence], vocabulary: Vocabulary, shortened: Shortened
) -> Sentence | None:
    """The first sentence that names all that is claimed to be related, in no report of what somebody believes."""
    if not claimed or any(one.subject is None or one.object is None for one in claimed):
        return None
    wanted = [
        part
        for one in claimed
        for part in (one.subject, one.object, *one.arguments, *(limit.phrase for limit in one.scopes))
        if part is not None
    ]
    believed = lexicon.words("report", "believed")
    for sentence in sentences:
        reported = any(word.lemma in believed for word in sentence.words)
        if len(sentence.text) > _LONGEST or sentence.text.endswith("?") or reported:
            continue
        named = [
            phrase
            for told in sentence.statements
            for phrase in (told.subject, told.object, *told.arguments, *(limit.phrase for limit in told.scopes))
            if phrase is not None
        ]
        if all(
            _names(side, sentence, vocabulary, shortened) or any(_alike(side, other, vocabulary) for other in named)
            for side in wanted
        ):
            return sentence
    return None


def _alike(wanted: Phrase, other: Phrase, vocabulary: Vocabulary) -> bool:
    """Whether two phrases mean nearly the same, and no number, letter or opposite tells them apart."""
    ours, theirs = set(content_terms(wanted.text)), set(content_terms(other.text))
    if wanted.absent != other.absent or any(len(word) < _SHORT or not word.isalpha() for word in ours ^ theirs):
        return False
    if any(opposed(word, against) for word in ours - theirs for against in theirs - ours):
        return False
    return vocabulary.likeness(wanted, other) >= ALIKE


def _names(wanted: Phrase, sentence: Sentence, vocabulary: Vocabulary, shortened: Shortened) -> bool:
    """Whether a sentence has all terms of a phrase somewhere."""
    lemmas = tuple(word.lemma for word in sentence.words)
    found = vocabulary.named(Phrase(sentence.text, sentence.start, sentence.end, "", lemmas)).terms
    needed = weighty(vocabulary.named(wanted), CARRIERS)
    return all(any(term_fit(term, other, shortened) in _FITTING for other in found) for term in needed)


def _held(
    wanted: Phrase,
    side: Phrase | None,
    told: Statement,
    sentence: Sentence,
    vocabulary: Vocabulary,
    shortened: Shortened,
) -> bool:
    """Whether what is wanted stands in the sentence, and is no side of another statement there."""
    if side is not None and side.absent != wanted.absent:
        return False
    part = (told.kind, told.lemma, told.subject, told.object)
    for other in sentence.statements:
        if (other.kind, other.lemma, other.subject, other.object) != part and _takes(
            other, wanted, vocabulary, shortened
        ):
            return False
    if _names(wanted, sentence, vocabulary, shortened):
        return True
    return side is not None and vocabulary.likeness(wanted, side) >= SURE_ALIKE


def _takes(statement: Statement, wanted: Phrase, vocabulary: Vocabulary, shortened: Shortened) -> bool:
    sides: Sequence[Phrase | None] = (statement.subject, statement.object)
    return any(
        side is not None and phrase_fit(wanted, side, vocabulary, shortened, CARRIERS) is not None for side in sides
    )
