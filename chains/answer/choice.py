"""A multiple-choice question answered from evidence alone: every option weighed by what the evidence says of it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from chains.answer.joining import with_sentence
from chains.answer.yesno import Understood
from chains.verify.passage import Passage, Window, read_passage
from chains.verify.signals.containment import share
from chains.verify.signals.negation import polarity
from chains.verify.statements.near import read
from core.embeddings import Encode
from core.errors import InputError
from core.rarity import Rarity
from core.schema import Draft, Evidence, Question
from core.text import content_terms

_EXCEPT = re.compile(
    r"(?i:\bexcept\b)|\bNOT\b|"
    r"(?i:\b(?:is|are) not (?:true|a|an|the|associated|seen|caused|used|correct|characteristic|found)\b)|"
    r"(?i:\b(?:false|incorrect|least likely|not true)\b)"
)
_ALL = re.compile(r"^\s*(?:all|both|any) of (?:the|these)\b.*|^\s*all (?:the )?above\b.*", re.IGNORECASE)
_NONE = re.compile(r"^\s*none\b.*|^\s*neither\b.*", re.IGNORECASE)
_LEAST = 0.3
_MARGIN = 0.05
_EMBEDDED = 12
_SECOND = 0.2
_WORDS, _TOGETHER, _SIMILAR = 0.35, 0.35, 0.3


@dataclass(frozen=True, eq=False)
class _Place:
    """A window of evidence that may speak of the question or of an option."""

    evidence: Evidence
    passage: Passage
    window: Window
    asked: float


@dataclass(frozen=True, eq=False)
class Weighing:
    """An option with its score, in [−1, 1], and the window that gave it; None where no window speaks of it."""

    letter: str
    option: str
    score: float
    place: _Place | None


def answer_choice(
    question: Question,
    understanding: Understood,
    evidence: Sequence[Evidence],
    *,
    encode: Encode,
    rarity: Rarity,
    relevance: Mapping[str, float] | None = None,
) -> Draft:
    """Choose the option that the evidence speaks for most.

    An option's score joins three things of one window of evidence: the share of the option's own words in it, the
    same times the share of the question's words (so that both must meet in one place), and its similarity to question
    and option together. A window that denies the option counts against it. Questions such as "all … EXCEPT" ask for
    the option of the lowest score.

    Args:
        question: with its options; InputError where it has none.
        understanding: tells the subject.
        evidence: retracted pieces take no part.
        encode: embeds texts to unit vectors; called once.
        rarity: what a stem tells.
        relevance: id of evidence to the probability that it answers the question; weighs its windows.

    Returns:
        A draft whose text is letter and option, then the deciding window verbatim, which is its claim; choice None and
        no text where the evidence does not tell the options apart.
    """
    if not question.options:
        raise InputError("a choice needs options: give each as --option LETTER=TEXT")
    stem = understanding.text or question.question
    inverted = bool(_EXCEPT.search(stem))
    places = _places(stem, evidence, rarity, relevance)
    weighings = _weigh(stem, question.options, places, encode, rarity)
    chosen, margin = _choose(weighings, inverted)
    steps = (
        f"Subject: {understanding.subject or stem}",
        f"Asked: {'the option that does not fit' if inverted else 'the option that fits'}",
        f"Evidence: {len({place.evidence.id for place in places})} pieces",
        *(f"{w.letter}: {w.option}: {w.score:.2f}" + _by(w) for w in weighings),
        f"Margin: {margin:.2f}" if chosen else f"Margin: {margin:.2f}: the evidence does not tell the options apart",
    )
    return _draft(chosen, weighings, inverted, steps)


def _places(
    stem: str, evidence: Sequence[Evidence], rarity: Rarity, relevance: Mapping[str, float] | None
) -> list[_Place]:
    asked = set(content_terms(stem))
    places: list[_Place] = []
    for piece in evidence:
        if piece.retracted or not piece.text.strip():
            continue
        weight = 1.0 if relevance is None else relevance.get(piece.id, 0.0)
        passage = read_passage(piece.text, piece.title)
        title = passage.title.stems
        for window in passage.windows:
            found = share(asked, rarity, lambda s, w=window, t=title: 1.0 if s in t else w.holds(s))  # type: ignore[misc]
            places.append(_Place(piece, passage, window, weight * (found or 0.0)))
    return places


def _weigh(
    stem: str, options: Mapping[str, str], places: Sequence[_Place], encode: Encode, rarity: Rarity
) -> list[Weighing]:
    """All options in their order, "all" and "none of the above" by the others."""
    own = _own_terms(stem, options)
    scored: dict[str, list[tuple[float, _Place]]] = {
        letter: [(_lexical(own[letter], place, rarity), place) for place in places]
        for letter, option in options.items()
        if not _ALL.match(option) and not _NONE.match(option)
    }
    best = {letter: sorted(found, key=lambda pair: -abs(pair[0]))[:3] for letter, found in scored.items()}
    near = dict.fromkeys(place for found in best.values() for _, place in found)
    kept = sorted(near, key=lambda place: -place.asked)[:_EMBEDDED]
    statements = {letter: f"{stem.rstrip(' ?:.')} {options[letter]}" for letter in best}
    vectors = encode([*statements.values(), *(place.window.text for place in kept)]) if kept else None
    weighings: dict[str, Weighing] = {}
    for row, (letter, found) in enumerate(best.items()):
        top: tuple[float, _Place | None] = (0.0, None)
        for lexical, place in found:
            similar = 0.0
            if vectors is not None and place in kept and lexical != 0.0:
                similar = max(0.0, float(vectors[row] @ vectors[len(statements) + kept.index(place)]))
            score = lexical + (_SIMILAR * similar if lexical >= 0 else 0.0)
            if abs(score) > abs(top[0]):
                top = (score, place)
        weighings[letter] = Weighing(letter, options[letter], *top)
    return [weighings.get(letter) or _collective(letter, option, weighings) for letter, option in options.items()]


def _own_terms(stem: str, options: Mapping[str, str]) -> dict[str, frozenset[str]]:
    """What each option says that neither the question nor every other option says; all of it where nothing is left."""
    terms = {letter: frozenset(content_terms(option)) for letter, option in options.items()}
    common = frozenset.intersection(*terms.values()) | frozenset(content_terms(stem))
    return {letter: (found - common) or found for letter, found in terms.items()}


def _lexical(own: frozenset[str], place: _Place, rarity: Rarity) -> float:
    """Words of the option in the window, and that together with the question's; negative where it is denied there."""
    held = share(own, rarity, place.window.holds) or 0.0
    score = held * (_WORDS * min(1.0, 2 * place.asked) + _TOGETHER * place.asked)
    here = [stem for stem in own if stem in place.window.stems]
    score -= _SECOND * (place.window.sentences - 1) * score
    if not here:
        return score
    denied = polarity(word for sentence in read(place.window.text).sentences for word in sentence.words)
    return -score if all(denied.get(stem, False) for stem in here) else score


def _collective(letter: str, option: str, weighings: Mapping[str, Weighing]) -> Weighing:
    """Best is "all of the above" where all others are attested; "none" cannot be attested by evidence."""
    if _ALL.match(option) and weighings:
        worst = min(weighings.values(), key=lambda weighing: weighing.score)
        best = max(weighing.score for weighing in weighings.values())
        return Weighing(letter, option, best + 2 * _MARGIN if worst.score >= _LEAST else 0.0, worst.place)
    return Weighing(letter, option, 0.0, None)


def _choose(weighings: Sequence[Weighing], inverted: bool) -> tuple[Weighing | None, float]:
    ranked = sorted(weighings, key=lambda weighing: weighing.score if inverted else -weighing.score)
    margin = abs(ranked[0].score - ranked[1].score)
    attested = ranked[1].score >= _LEAST if inverted else ranked[0].score >= _LEAST
    return (ranked[0] if attested and margin >= _MARGIN else None), margin


def _by(weighing: Weighing) -> str:
    return f" ({weighing.place.evidence.id})" if weighing.place else ""


def _draft(chosen: Weighing | None, weighings: Sequence[Weighing], inverted: bool, steps: tuple[str, ...]) -> Draft:
    if chosen is None:
        return Draft(text="", reasoning=steps)
    told = [w.place for w in weighings if w.place and (w is not chosen if inverted else w is chosen)]
    draft = Draft(text=f"{chosen.letter}: {chosen.option}", choice=chosen.letter, reasoning=steps)
    for sentence, cited in {place.window.text: place.evidence.id for place in told}.items():
        draft = with_sentence(draft, sentence, cited, between="\n")
    return draft
