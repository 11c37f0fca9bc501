"""An answer made of the evidence's own sentences, each with its citation: one source told, part by part."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from chains.answer.headings import by_heading
from chains.answer.joining import with_sentence
from chains.answer.passages import VOCABULARIES, passages, tell_apart
from chains.answer.repeated import repeats, unsaid
from chains.answer.runs import (
    Candidate,
    beginning,
    best_run,
    by_passage,
    fitting,
    goes_on,
    length,
    passage_of,
    worth_of,
)
from chains.answer.sentences import Unit, units_of
from chains.relevance.subject import divided, place_in_document, read_passage
from chains.safety.reassurance import asks_of_outlook, reassures
from chains.understanding import Understanding
from core.embeddings import Encode
from core.schema import Draft, Evidence
from core.text import content_terms, words

Score = Callable[[str, Sequence[Unit]], Sequence[float]]
"""How likely each piece of one passage answers a question, in [0, 1]."""

Tell = Callable[[str, str, float], float]
"""How likely a text, of a passage worth that much, tells what a question asks, in [0, 1]."""

_NEAR = 0.5
"""Of the best passage's likelihood, what another needs to be told beside it."""
_FIRST = 0.7
"""The same of the one that opens the answer: what stands under a weak opening is withheld with it."""
_LEAST_OF_PART = 4
_PASSAGES = 4
"""Passages of one question that are read for sentences."""
_RUN_WORDS, _RUN_WORDS_OF_PLAIN = 60, 110
"""Words of a run of sentences: to a plain question one source is told fully before another has its say; what asks for
more than an aspect is answered by few sentences, and by several sources."""
_MORE_THAN_PLAIN = 2
"""Words beside its subject and what says how it is asked, up to which a question of an aspect is plain."""
_ALSO, _ALSO_TO_PLAIN = 0.4, 0.7
"""Of the best passage's best sentence, what that of another needs to be told beside it."""
_OPENS = 0.4
"""Of the same, what that of another needs to open the answer where the best leans on a sentence left behind."""
_ROOM_TO_GO_ON = 2
"""Sentences kept for the next passage of the section that opens an answer."""
_TOLD = 0.4
"""How likely a passage must tell of a side of a comparison."""
_NAMED = 0.5
"""Of the words of what a passage is about, how many the sentences must have to name it."""


class Part(NamedTuple):
    """One of the questions that were asked, and how likely each piece of evidence answers it."""

    understanding: Understanding
    relevance: Mapping[str, float]


def answer_open(
    parts: Sequence[Part],
    evidence: Sequence[Evidence],
    *,
    score: Score,
    max_sentences: int,
    max_words: int | None = None,
    told: Sequence[str] = (),
    compared: bool = False,
    same: bool = False,
    tell: Tell = lambda question, text, worth: worth,
    encode: Encode | None = None,
    sober: bool = False,
) -> Draft:
    """A short answer of verbatim sentences to each part of a question; empty where no evidence qualifies.

    Every sentence is one claim that cites its evidence; a list counts as one sentence. ``max_words`` bounds the whole;
    the best sentence that fits is always given. ``told`` are sentences that the reader is given already. Where the last
    two parts are ``compared``, a draft has both or is empty: one side alone answers nothing, nor does what fails to
    tell them apart, unless it is asked whether they are the ``same``. ``tell`` says how well what would be told of a
    passage answers: the best opens the answer. ``encode`` finds what says the same in other words. Nothing in a
    ``sober`` draft reassures, unless that is asked for.
    """
    if compared and not all(_told_of(part, evidence) for part in parts[-2:]):
        return Draft(text="", reasoning=("Of two things that are compared, only one is told of.",))
    share = max(_LEAST_OF_PART, -(-max_sentences // len(parts))) if len(parts) > 1 else max_sentences
    share = min(share, max_sentences)
    given: list[list[Unit]] = []
    known = [_stems(text) for text in told]
    left = 10**9 if max_words is None else max_words
    for part in (_by_its_headings(part, evidence) for part in parts):
        candidates = _candidates(part, evidence, score, known)
        if sober and not asks_of_outlook(part.understanding.told):
            candidates = [candidate for candidate in candidates if not reassures(candidate.unit.text)]
        picked = _answer_part(part, candidates, tell, encode, share, left)
        known += [unit.stems for unit in picked]
        left -= sum(len(words(unit.text)) for unit in picked)
        given.append(picked)
    if compared and not same and not tell_apart((unit.evidence, unit.text) for picked in given for unit in picked):
        return Draft(text="", reasoning=("What is told of the two that are compared does not tell them apart.",))
    return _draft([picked for picked in given if picked], left)


def _by_its_headings(part: Part, evidence: Sequence[Evidence]) -> Part:
    return part._replace(relevance=by_heading(part.understanding.aspect, part.relevance, evidence))


def _told_of(part: Part, evidence: Sequence[Evidence]) -> bool:
    """Whether any passage is likely enough to answer a part."""
    return any(part.relevance.get(e.id, 0.0) >= _TOLD for e in evidence)


def _answer_part(
    part: Part, candidates: Sequence[Candidate], tell: Tell, encode: Encode | None, most: int, max_words: int
) -> list[Unit]:
    """The runs of sentences that carry the answer: of the passage that tells it best, and of others that say more."""
    plain = _is_plain(part.understanding)
    most_words = _RUN_WORDS_OF_PLAIN if plain else _RUN_WORDS
    also = _ALSO_TO_PLAIN if plain else _ALSO
    runs = [best_run(group, most_words) for group in by_passage(candidates)]
    likeliest = max((_likely(run, part) for run in runs), default=0.0)
    leading = [run for run in runs if _likely(run, part) >= _FIRST * likeliest]
    first = passage_of(beginning(max(leading, key=lambda run: _told_by(run, part, tell)), leading)) if runs else ""
    runs.sort(key=lambda run: (passage_of(run) != first, -worth_of(run)))
    # What needs a sentence left behind opens no answer where another run does, and stands beside none.
    standing = [run for run in runs if not run[0].unit.dangling]
    opens = bool(standing) and worth_of(standing[0]) >= _OPENS * worth_of(runs[0])
    runs = standing if opens else [*runs[:1], *standing]
    first = passage_of(runs[0]) if runs else ""
    runs = [run for run in runs if worth_of(run) >= also * worth_of(runs[0])]
    continued = any(goes_on(run, runs[0]) for run in runs[1:])
    picked: list[Candidate] = []
    left = max_words
    for run in runs:
        once = {c.unit.text: c for c in reversed(run)}.values()
        new = unsaid(list(reversed(once)), picked, encode)
        room = most - len(picked) - (_ROOM_TO_GO_ON if continued and not picked and most > _LEAST_OF_PART else 0)
        chosen = fitting(new, room, left, needed=not picked)
        picked += chosen
        left -= sum(map(length, chosen))
    # The direct answer stands first, then what else is told, as it is written.
    return [c.unit for c in sorted(picked, key=lambda c: (c.unit.evidence.id != first, c.place))]


def _is_plain(asked: Understanding) -> bool:
    """Whether a question asks for an aspect of its subject and hardly more: "what causes gout", "gout treatment"."""
    beside = _stems(asked.told) - _stems(asked.subject)
    return bool(asked.aspect) and len(beside) <= _MORE_THAN_PLAIN


def _told_by(run: Sequence[Candidate], part: Part, tell: Tell) -> float:
    units = [candidate.unit for candidate in run]
    text = _named(units) + " ".join(unit.text for unit in units)
    return tell(part.understanding.told, text, _likely(run, part))


def _likely(run: Sequence[Candidate], part: Part) -> float:
    return part.relevance.get(passage_of(run), 0.0)


def _candidates(
    part: Part, evidence: Sequence[Evidence], score: Score, known: Sequence[frozenset[str]]
) -> list[Candidate]:
    """The pieces of the likeliest passages, documents by likelihood, passages and pieces as they are written."""
    ranked = passages(part.understanding, evidence, part.relevance)
    near = [(e, p) for e, p in ranked if p >= _NEAR * ranked[0][1]][:_PASSAGES]
    if near and near[0][0].source not in VOCABULARIES:
        near = [(e, p) for e, p in near if e.source not in VOCABULARIES]
    documents = list(dict.fromkeys(read_passage(e).document for e, _ in near))
    near.sort(key=lambda pair: (documents.index(read_passage(pair[0]).document), place_in_document(pair[0])))
    found: list[Candidate] = []
    for passage, p in near:
        units = [u for u in units_of(passage) if not u.boilerplate]
        # What is recorded of one thing says nothing of another, however alike the words are.
        told = operator.eq if passage.source in VOCABULARIES else repeats
        units = [u for u in units if not any(told(u.stems, stems) for stems in known)]
        scores = score(part.understanding.told, units) if units else ()
        for unit, value in zip(units, scores, strict=True):
            found.append(Candidate(unit, len(found), p / ranked[0][1] * value))
    return found


def _named(run: Sequence[Unit]) -> str:
    """What a run is about, to stand before it, where its sentences do not name it: the question may be of another."""
    subject, _ = divided(run[0].evidence.title)
    stems = _stems(subject)
    said = frozenset[str]().union(*(unit.stems for unit in run))
    return f"{subject}: " if len(stems & said) < _NAMED * len(stems) else ""


def _between(before: Unit) -> str:
    """What parts a sentence from the one before it: a list ends its line."""
    return "\n" if before.items and "\n" in before.text else " "


def _stems(text: str) -> frozenset[str]:
    return frozenset(content_terms(text))


def _draft(given: Sequence[Sequence[Unit]], left: int) -> Draft:
    """What answers each part, as paragraphs.

    A name stays with the sentence that it leads; names take no more words than are ``left``.
    """
    draft = Draft(text="")
    for picked in given:
        before: Unit | None = None
        for _, group in groupby(picked, key=lambda unit: divided(unit.evidence.title)[0]):
            name = _named(run := list(group))
            lead = name if len(words(name)) <= left else ""
            left -= len(words(lead))
            for unit in run:
                between = _between(before) if before else "\n\n"
                draft = with_sentence(draft, unit.text, unit.evidence.id, between, lead)
                before, lead = unit, ""
    return draft
