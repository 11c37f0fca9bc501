"""Whether two phrases name the same thing, or one a kind of the other's."""

from __future__ import annotations

from chains.verify.signals.antonyms import opposed
from chains.verify.statements.vocabulary import Fit, Named, Shortened, Term, Vocabulary, term_fit
from core.language.statement import Phrase
from core.language.weights import EVERYONE, REMEDIES, SEXES
from core.text import stem

ALIKE = 0.58
"""Cosine from which two phrases in other words are taken to mean the same."""
_SHORT = 3
_REMEMBERED = 20_000


def phrase_fit(
    claimed: Phrase | None, told: Phrase | None, vocabulary: Vocabulary, shortened: Shortened, light: frozenset[str]
) -> Fit | None:
    """How the phrase of a passage stands to that of a claim; None where they name different things.

    The heads must match, unless a head only carries what it holds ("the use of aspirin", "people with gout"), which
    ``light`` lists by stem; then what it holds must.
    """
    if shortened:
        return _phrase_fit(claimed, told, vocabulary, shortened, light)
    key = (claimed, told, light)
    try:
        return vocabulary.fits[key]
    except KeyError:
        fit = _phrase_fit(claimed, told, vocabulary, shortened, light)
    if len(vocabulary.fits) > _REMEMBERED:
        vocabulary.fits.clear()
    vocabulary.fits[key] = fit
    return fit


def _phrase_fit(
    claimed: Phrase | None, told: Phrase | None, vocabulary: Vocabulary, shortened: Shortened, light: frozenset[str]
) -> Fit | None:
    if claimed is None:
        return "same"
    if all(stem(lemma) in EVERYONE for lemma in claimed.lemmas):
        if sex := sexes(claimed):
            named = sexes(told) if told is not None else frozenset[int]()
            return "same" if sex <= named else None if named else "broader"
        return "same" if told is None or all(stem(lemma) in EVERYONE for lemma in told.lemmas) else "narrower"
    if told is None or claimed.absent != told.absent:
        return None
    ours, theirs = vocabulary.named(claimed), vocabulary.named(told)
    fit = named_fit(ours, theirs, shortened, light)
    if fit is None and _may_mean(ours, theirs, shortened, light) and vocabulary.likeness(claimed, told) >= ALIKE:
        return "same"
    return fit


def sexes(phrase: Phrase) -> frozenset[int]:
    """Which of the sexes a phrase names."""
    stems = {stem(lemma) for lemma in phrase.lemmas}
    return frozenset(number for number, words in enumerate(SEXES) if stems & words)


def _may_mean(claimed: Named, told: Named, shortened: Shortened, light: frozenset[str]) -> bool:
    """Whether two phrases in other words could be the same: not where both name concepts, and these differ.

    Nor where one is of the other: gout and a gout clinic. Nor where a number, a letter or an opposite tells them apart:
    vitamin A and K, high and low.
    """
    wanted, found = weighty(claimed, light), weighty(told, light)
    ours = [term for term in wanted if _best(term, found, shortened) is None]
    theirs = [term for term in found if not any(term_fit(other, term, shortened) for other in wanted)]
    if (not ours and told.head in theirs) or (not theirs and claimed.head in ours):
        return False
    if any(term.concept for term in ours) and any(term.concept for term in theirs):
        return False
    words, others = ({one for term in terms for one in term.stems} for terms in (ours, theirs))
    if any(len(word) < _SHORT or not word.isalpha() for word in words ^ others):
        return False
    return not any(opposed(word, other) for word in words for other in others)


def named_fit(claimed: Named, told: Named, shortened: Shortened, light: frozenset[str]) -> Fit | None:
    """The same of phrases that were read into terms."""
    wanted, found = weighty(claimed, light), weighty(told, light)
    if not wanted or not found:
        return None
    fits = [_best(term, found, shortened) for term in wanted]
    back = [any(term_fit(term, other, shortened) for term in wanted) for other in found]
    if not _head_fits(claimed, wanted, fits) or not _head_found(told, found, back):
        return None
    if all(fits):
        narrower = "narrower" in fits or not all(back)
        if "broader" in fits:
            return None if narrower else "broader"
        return "narrower" if narrower else "same"
    return "broader" if all(back) and "narrower" not in fits else None


def weighty(named: Named, light: frozenset[str]) -> list[Term]:
    """The terms of a phrase that name something, rather than carry what does."""
    if not any(term.disorder for term in named.terms):
        light = light | REMEDIES
    weighty = [term for term in named.terms if term.last not in light]
    return weighty or list(named.terms)


def _best(term: Term, found: list[Term], shortened: Shortened) -> Fit | None:
    fits = [fit for other in found if (fit := term_fit(term, other, shortened))]
    order: tuple[Fit, ...] = ("same", "narrower", "broader")
    return next((fit for fit in order if fit in fits), None)


def _head_fits(named: Named, terms: list[Term], fits: list[Fit | None]) -> bool:
    if named.head not in terms:
        return any(fits)
    return fits[terms.index(named.head)] is not None


def _head_found(named: Named, terms: list[Term], back: list[bool]) -> bool:
    if named.head not in terms:
        return any(back)
    return back[terms.index(named.head)]
