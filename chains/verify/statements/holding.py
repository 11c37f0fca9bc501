"""The second road to support: one sentence that names all that is claimed to be related.

Whether it says the claim of it, in other words, is judged by what it means beside the claim, and by nothing in it that
stands against the claim.
"""

from __future__ import annotations

from collections.abc import Sequence

from chains.verify.signals.antonyms import opposed
from chains.verify.statements.phrases import ALIKE, phrase_fit, weighty
from chains.verify.statements.relations import toward
from chains.verify.statements.vocabulary import Fit, Shortened, Vocabulary, term_fit
from core.language import lexicon
from core.language.statement import Phrase, Sentence, Statement
from core.language.weights import CARRIERS
from core.text import content_terms

_FITTING: frozenset[Fit | None] = frozenset(("same", "narrower"))
_SHORT = 3
_LONGEST = 400
"""Characters of the longest sentence that is looked at as a whole."""


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
        other = any(_of_another(one, told, vocabulary, shortened) for one in claimed for told in sentence.statements)
        if len(sentence.text) > _LONGEST or sentence.text.endswith("?") or reported or other:
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


def _of_another(claimed: Statement, told: Statement, vocabulary: Vocabulary, shortened: Shortened) -> bool:
    """Whether the claim's relation is said of one of its sides with something else: pain relieved, not cancer."""
    pairs = ((claimed.subject, told.subject), (claimed.object, told.object))
    if toward(told, claimed) == 0 or any(wanted is None or its is None for wanted, its in pairs):
        return False
    return any(
        wanted is not None
        and its is not None
        and phrase_fit(wanted, its, vocabulary, shortened, CARRIERS) is None
        and not _alike(wanted, its, vocabulary)
        for wanted, its in pairs
    )


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
