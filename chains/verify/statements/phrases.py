"""Whether two phrases name the same thing, or one a kind of the other's."""

from __future__ import annotations

from chains.verify.statements.vocabulary import Fit, Named, Shortened, Term, Vocabulary, term_fit
from core.language.statement import Phrase


def phrase_fit(
    claimed: Phrase | None, told: Phrase | None, vocabulary: Vocabulary, shortened: Shortened, light: frozenset[str]
) -> Fit | None:
    """How the phrase of a passage stands to that of a claim; None where they name different things.

    The heads must match, unless a head only carries what it holds ("the use of aspirin", "people with gout"), which
    ``light`` lists by stem; then what it holds must.
    """
    if claimed is None:
        return "same"
    if told is None or claimed.absent != told.absent:
        return None
    return named_fit(vocabulary.named(claimed), vocabulary.named(told), shortened, light)


def named_fit(claimed: Named, told: Named, shortened: Shortened, light: frozenset[str]) -> Fit | None:
    """The same of phrases that were read into terms."""
    wanted, found = _weighty(claimed, light), _weighty(told, light)
    if not wanted or not found:
        return None
    fits = [_best(term, found, shortened) for term in wanted]
    back = [any(term_fit(term, other, shortened) for term in wanted) for other in found]
    if not _head_fits(claimed, wanted, fits, light) or not _head_found(told, found, back, light):
        return None
    if all(fits):
        narrower = "narrower" in fits or not all(back)
        if "broader" in fits:
            return None if narrower else "broader"
        return "narrower" if narrower else "same"
    return "broader" if all(back) and "narrower" not in fits else None


def _weighty(named: Named, light: frozenset[str]) -> list[Term]:
    weighty = [term for term in named.terms if term.last not in light]
    return weighty or list(named.terms)


def _best(term: Term, found: list[Term], shortened: Shortened) -> Fit | None:
    fits = [fit for other in found if (fit := term_fit(term, other, shortened))]
    order: tuple[Fit, ...] = ("same", "narrower", "broader")
    return next((fit for fit in order if fit in fits), None)


def _head_fits(named: Named, terms: list[Term], fits: list[Fit | None], light: frozenset[str]) -> bool:
    if named.head not in terms or (named.head is not None and named.head.last in light):
        return any(fits)
    return fits[terms.index(named.head)] is not None


def _head_found(named: Named, terms: list[Term], back: list[bool], light: frozenset[str]) -> bool:
    if named.head not in terms or (named.head is not None and named.head.last in light):
        return any(back)
    return back[terms.index(named.head)]
