"""An answer made of the evidence's own sentences, each with its citation: one source told, part by part."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from chains.answer.passages import VOCABULARIES, passages
from chains.answer.sentences import Unit, units_of
from chains.relevance.subject import divided, place_in_document, read_passage
from chains.safety.reassurance import asks_of_outlook, reassures
from chains.said import Encode
from chains.understand import Understanding, read_form
from core.readers.pairs import titled
from core.schema import Claim, Draft, Evidence
from core.text import content_terms, words

Score = Callable[[str, Sequence[Unit]], Sequence[float]]
"""How likely each piece of one passage answers a question, in [0, 1]."""

Tell = Callable[[str, str, float], float]
"""How likely a text, of a passage worth that much, tells what a question asks, in [0, 1]."""

_LIKE = 0.6
_WITHIN = 0.85
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
_PADDING, _LEADING = 0.25, 0.5
"""Of the best sentence's worth, what one after it needs to be told with it, and what one before it: that would stand
before the answer."""
_APART = 0.8
"""The same of one further down, apart from the run."""
_ALSO, _ALSO_TO_PLAIN = 0.4, 0.7
"""Of the best passage's best sentence, what that of another needs to be told beside it."""
_OPENS = 0.4
"""Of the same, what that of another needs to open the answer where the best leans on a sentence left behind."""
_OTHERWISE = 0.6
"""What is left of a passage's worth under a heading that asks something else, where another's asks the same."""
_ALIKE = 0.85
"""Cosine of two sentences of two passages from which on they say the same."""
_KIN = (
    frozenset({"causes", "risk factors", "genetic changes", "inheritance"}),
    frozenset({"outlook", "complications"}),
    frozenset({"treatment", "care", "uses"}),
    frozenset({"symptoms", "diagnosis"}),
    frozenset({"prevention", "risk factors"}),
)
"""Aspects of which one tells of the other too."""
_ROOM_TO_GO_ON = 2
"""Sentences kept for the next passage of the section that opens an answer."""
_TOLD = 0.4
"""How likely a passage must tell of a side of a comparison."""
_NAMED = 0.5
"""Of the words of what a passage is about, how many the sentences must have to name it."""


class _Candidate(NamedTuple):
    """A piece of a passage with its place among all candidates and what it is worth."""

    unit: Unit
    place: int
    worth: float


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
    tell: Tell = lambda question, text, worth: worth,
    encode: Encode | None = None,
    sober: bool = False,
) -> Draft:
    """A short answer of verbatim sentences to each part of a question; empty where no evidence qualifies.

    Every sentence is one claim that cites its evidence; a list counts as one sentence. ``max_words`` bounds the whole;
    the best sentence that fits is always given. ``told`` are sentences that the reader is given already. Where the last
    two parts are ``compared``, a draft has both or is empty: one side alone answers nothing. ``tell`` says how well
    what would be told of a passage answers: the best opens the answer. ``encode`` finds what says the same in other
    words. Nothing in a ``sober`` draft reassures, unless
    that is asked for.
    """
    if compared and not all(_told_of(part, evidence) for part in parts[-2:]):
        return Draft(text="", reasoning=("Of two things that are compared, only one is told of.",))
    share = max(_LEAST_OF_PART, -(-max_sentences // len(parts))) if len(parts) > 1 else max_sentences
    share = min(share, max_sentences)
    given: list[list[Unit]] = []
    known = [_stems(text) for text in told]
    left = 10**9 if max_words is None else max_words
    for part in (_by_heading(part, evidence) for part in parts):
        candidates = _candidates(part, evidence, score, known)
        if sober and not asks_of_outlook(part.understanding.told):
            candidates = [candidate for candidate in candidates if not reassures(candidate.unit.text)]
        picked = _answer_part(part, candidates, tell, encode, share, left)
        known += [unit.stems for unit in picked]
        left -= sum(len(words(unit.text)) for unit in picked)
        given.append(picked)
    return _draft([picked for picked in given if picked], left)


def _told_of(part: Part, evidence: Sequence[Evidence]) -> bool:
    """Whether any passage is likelier than not to answer a part."""
    return any(part.relevance.get(e.id, 0.0) >= _TOLD for e in evidence)


def _answer_part(
    part: Part, candidates: Sequence[_Candidate], tell: Tell, encode: Encode | None, most: int, max_words: int
) -> list[Unit]:
    """The runs of sentences that carry the answer: of the passage that tells it best, and of others that say more."""
    plain = _is_plain(part.understanding)
    most_words = _RUN_WORDS_OF_PLAIN if plain else _RUN_WORDS
    also = _ALSO_TO_PLAIN if plain else _ALSO
    runs = [_best_run(group, most_words) for group in _by_passage(candidates)]
    likeliest = max((_likely(run, part) for run in runs), default=0.0)
    leading = [run for run in runs if _likely(run, part) >= _FIRST * likeliest]
    first = _id(_beginning(max(leading, key=lambda run: _told_by(run, part, tell)), leading)) if runs else ""
    runs.sort(key=lambda run: (run[0].unit.evidence.id != first, -_worth(run)))
    # What needs a sentence left behind opens no answer where another run does, and stands beside none.
    standing = [run for run in runs if not run[0].unit.dangling]
    opens = bool(standing) and _worth(standing[0]) >= _OPENS * _worth(runs[0])
    runs = standing if opens else [*runs[:1], *standing]
    first = _id(runs[0]) if runs else ""
    runs = [run for run in runs if _worth(run) >= also * _worth(runs[0])]
    goes_on = any(_goes_on(run, runs[0]) for run in runs[1:])
    picked: list[_Candidate] = []
    left = max_words
    for run in runs:
        once = {c.unit.text: c for c in reversed(run)}.values()
        new = _unsaid(list(reversed(once)), picked, encode)
        room = most - len(picked) - (_ROOM_TO_GO_ON if goes_on and not picked and most > _LEAST_OF_PART else 0)
        chosen = _fitting(new, room, left, needed=not picked)
        picked += chosen
        left -= sum(map(_length, chosen))
    # The direct answer stands first, then what else is told, as it is written.
    return [c.unit for c in sorted(picked, key=lambda c: (c.unit.evidence.id != first, c.place))]


def _is_plain(asked: Understanding) -> bool:
    """Whether a question asks for an aspect of its subject and hardly more: "what causes gout", "gout treatment"."""
    beside = _stems(asked.told) - _stems(asked.subject)
    return bool(asked.aspect) and len(beside) <= _MORE_THAN_PLAIN


def _id(run: Sequence[_Candidate]) -> str:
    return run[0].unit.evidence.id


def _goes_on(run: Sequence[_Candidate], before: Sequence[_Candidate]) -> bool:
    """Whether a run is of another passage of the same document under the same heading."""
    one, other = run[0].unit.evidence, before[0].unit.evidence
    same = (one.title, read_passage(one).document) == (other.title, read_passage(other).document)
    return same and one.id != other.id and bool(divided(one.title)[1])


def _beginning(run: list[_Candidate], leading: Sequence[list[_Candidate]]) -> list[_Candidate]:
    """The run with which the section begins that a run is of, where that is among those that may open."""
    section = [other for other in leading if _goes_on(other, run) and _worth(other) >= _ALSO_TO_PLAIN * _worth(run)]
    return min([run, *section], key=lambda other: other[0].place)


def _unsaid(run: Sequence[_Candidate], picked: Sequence[_Candidate], encode: Encode | None) -> list[_Candidate]:
    """What of a run the answer does not say already, in these words or others."""
    new = [c for c in run if not any(_repeats(c.unit.stems, other.unit.stems) for other in picked)]
    if not new or not picked or encode is None:
        return new
    vectors = encode([_under_subject(c.unit) for c in (*new, *picked)])
    alike = (vectors[: len(new)] @ vectors[len(new) :].T).max(axis=1)
    return [c for c, nearest in zip(new, alike, strict=True) if nearest < _ALIKE]


def _under_subject(unit: Unit) -> str:
    """A sentence under what its passage is about, as sentences are weighed: so it is embedded once."""
    return titled(divided(unit.evidence.title)[0], unit.text)


def _told_by(run: Sequence[_Candidate], part: Part, tell: Tell) -> float:
    units = [candidate.unit for candidate in run]
    text = _named(units) + " ".join(unit.text for unit in units)
    return tell(part.understanding.told, text, _likely(run, part))


def _likely(run: Sequence[_Candidate], part: Part) -> float:
    return part.relevance.get(_id(run), 0.0)


def _best_run(candidates: Sequence[_Candidate], most_words: int) -> list[_Candidate]:
    """The sentences around the best one, the better neighbour first, as many as a run has room for.

    One that leans on the sentence before it stands after that. What answers about as well further down is told too.
    What a vocabulary lists is a run as a whole.
    """
    if candidates[0].unit.evidence.source in VOCABULARIES:
        return list(candidates)
    start = best = max(range(len(candidates)), key=lambda place: candidates[place].worth)
    end = best + 1
    while start > 0 and candidates[start].unit.dangling:
        start -= 1
    left = most_words - sum(map(_length, candidates[start:end]))

    def fits(place: int) -> bool:
        if not 0 <= place < len(candidates) or _length(candidates[place]) > left:
            return False
        return candidates[place].worth >= (_LEADING if place < best else _PADDING) * candidates[best].worth

    while neighbours := list(filter(fits, (start - 1, end))):
        place = max(neighbours, key=lambda place: candidates[place].worth)
        left -= _length(candidates[place])
        start, end = min(start, place), max(end, place + 1)
    while end - start > 1 and candidates[start].unit.dangling:  # what it leans on is not in the passage
        start += 1
    run = list(candidates[start:end])
    for later in candidates[end:]:
        if later.worth >= _APART * candidates[best].worth and not later.unit.dangling and _length(later) <= left:
            run.append(later)
            left -= _length(later)
    return run


def _fitting(run: Sequence[_Candidate], most: int, max_words: int, *, needed: bool) -> list[_Candidate]:
    """A run without as much of its worse end as is too much; where nothing fits and it is ``needed``, its best."""
    kept = list(run)
    while kept and (len(kept) > most or sum(map(_length, kept)) > max_words):
        leads = len(kept) > 1 and kept[1].unit.dangling
        kept.pop(0 if kept[0].worth < kept[-1].worth and not leads else -1)
    if kept or not needed:
        return kept
    fitting = [candidate for candidate in run if _length(candidate) <= max_words]
    return [max(fitting or run, key=lambda candidate: candidate.worth)]


def _worth(run: Sequence[_Candidate]) -> float:
    return max(candidate.worth for candidate in run)


def _length(candidate: _Candidate) -> int:
    return len(words(candidate.unit.text))


def _by_passage(candidates: Sequence[_Candidate]) -> list[list[_Candidate]]:
    return [list(group) for _, group in groupby(candidates, key=lambda c: c.unit.evidence.id)]


def _candidates(
    part: Part, evidence: Sequence[Evidence], score: Score, known: Sequence[frozenset[str]]
) -> list[_Candidate]:
    """The pieces of the likeliest passages, documents by likelihood, passages and pieces as they are written."""
    ranked = passages(part.understanding, evidence, part.relevance)
    near = [(e, p) for e, p in ranked if p >= _NEAR * ranked[0][1]][:_PASSAGES]
    if near and near[0][0].source not in VOCABULARIES:
        near = [(e, p) for e, p in near if e.source not in VOCABULARIES]
    documents = list(dict.fromkeys(read_passage(e).document for e, _ in near))
    near.sort(key=lambda pair: (documents.index(read_passage(pair[0]).document), place_in_document(pair[0])))
    found: list[_Candidate] = []
    for passage, p in near:
        units = [u for u in units_of(passage) if not u.boilerplate]
        units = [u for u in units if not any(_repeats(u.stems, stems) for stems in known)]
        scores = score(part.understanding.told, units) if units else ()
        for unit, value in zip(units, scores, strict=True):
            found.append(_Candidate(unit, len(found), p / ranked[0][1] * value))
    return found


def _by_heading(part: Part, evidence: Sequence[Evidence]) -> Part:
    """The part with what is under another heading less likely, where something likely is under the one asked for."""
    asked, likely = part.understanding.aspect, part.relevance
    told = {e.id: _aspect_of(e) for e in evidence if e.id in likely}
    least = _NEAR * max((likely[piece] for piece in told), default=0.0)
    if not any(aspect == asked and likely[piece] >= least for piece, aspect in told.items()):
        return part
    kin = frozenset({asked, ""}).union(*(kin for kin in _KIN if asked in kin))
    off = {piece for piece, aspect in told.items() if aspect not in kin}
    return part._replace(relevance={piece: p * (_OTHERWISE if piece in off else 1.0) for piece, p in likely.items()})


def _aspect_of(passage: Evidence) -> str:
    """The aspect that a passage's heading asks of its subject; empty where it asks none that is known."""
    heading = divided(passage.title)[1]
    form = read_form(heading) if heading else None
    return form.aspect if form else ""


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


def _repeats(one: frozenset[str], other: frozenset[str]) -> bool:
    common = len(one & other)
    union, smaller = len(one | other), min(len(one), len(other))
    return not smaller or common / union >= _LIKE or common / smaller >= _WITHIN


def _draft(given: Sequence[Sequence[Unit]], left: int) -> Draft:
    """What answers each part, as paragraphs.

    A name stays with the sentence that it leads; names take no more words than are ``left``.
    """
    text = ""
    claims: list[Claim] = []
    for picked in given:
        before: Unit | None = None
        for _, group in groupby(picked, key=lambda unit: divided(unit.evidence.title)[0]):
            name = _named(run := list(group))
            lead = name if len(words(name)) <= left else ""
            left -= len(words(lead))
            for unit in run:
                text += _between(before) if before else "\n\n" if text else ""
                span = len(text), len(text) + len(lead) + len(unit.text)
                claims.append(Claim(text=unit.text, span=span, cited=(unit.evidence.id,)))
                text += lead + unit.text
                before, lead = unit, ""
    citations = tuple(dict.fromkeys(c.cited[0] for c in claims))
    return Draft(text=text, citations=citations, claims=tuple(claims))
