"""The rule of support: what one statement says of another, and a passage's statements of a claim.

A passage supports a claim where one of its statements, which the text itself asserts or shows, has the claim's relation
between the claim's subject and object, with the same polarity and direction, as surely, in its scope and with its
numbers, and nothing beside it takes it back. It contradicts where such a statement has the opposite polarity,
direction, quantity or an exclusive value. Otherwise it says nothing, and the reason is kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from chains.verify.signals.antonyms import opposed
from chains.verify.statements.conditions import Reason, doubt, frame, often, quantity, scope, set_by
from chains.verify.statements.leaning import leaning
from chains.verify.statements.phrases import phrase_fit
from chains.verify.statements.relations import SYMMETRIC, toward
from chains.verify.statements.stand import NOTHING_SAID, UNREADABLE, Stand
from chains.verify.statements.vocabulary import Fit, Shortened, Vocabulary, akin
from core.language import lexicon
from core.language.statement import Modality, Phrase, Reading, Sentence, Statement
from core.language.weights import CARRIERS
from core.text import content_terms

_FITTING: frozenset[Fit | None] = frozenset(("same", "narrower"))
_SHELLS = frozenset({"other", "happen", "be", "have"})
"""Relations that often only carry another: "it is used to treat", "there is evidence that", "X is the best way to"."""
_ABLE = frozenset({"can", "could", "may", "might"})
_DENYING: frozenset[Fit | None] = frozenset(("same", "broader"))


@dataclass(frozen=True, slots=True)
class Known:
    """What comparing draws on: names, the passage's abbreviations, and the words of its title."""

    vocabulary: Vocabulary
    shortened: Shortened
    scene: frozenset[str] = frozenset()
    claim: frozenset[str] = frozenset()
    """The stems of the claim: where a role of its relation is not filled, a sentence must have all of them."""


@dataclass(frozen=True, slots=True)
class Held:
    """What one statement says of one claimed statement: +1 for it, −1 against it, 0 nothing, and why.

    ``match`` tells how much of the claim's relation it has, in [0, 1]: one half where subject and object are the
    claim's and the relation is another, 1 where all three are.
    """

    toward: int
    match: float
    reason: Reason | None = None
    sentence: Sentence | None = None


def claimed_statements(claim: Reading) -> tuple[Statement, ...]:
    """What a claim states, or a yes to a question: its main clauses, or what it has where it has none."""
    main = tuple(s for s in claim.statements if s.main) or claim.statements
    telling = tuple(s for s in main if s.kind not in _SHELLS and s.subject and s.object)
    within = tuple(s for s in claim.statements if s.kind not in _SHELLS and s.subject and s.object)
    main = telling or within or tuple(s for s in main if s.subject and s.object) or main
    able = any(word.lemma in _ABLE for sentence in claim.sentences for word in sentence.words[:2])
    return tuple(_affirmed(_plain(s), able) if s.modality == "asked" else _plain(s) for s in main)


def _affirmed(asked: Statement, able: bool) -> Statement:
    """What a yes to a question states: of "Can X cause Y?" and of "Isn't X a cause of Y?" that X can, that X is."""
    modality: Modality = "possible" if able else "asserted"
    return replace(asked, modality=modality, negated=False, attribution="stated")


def stand(claimed: Sequence[Statement], passage: Iterable[Reading], known: Known) -> Stand:
    """What the statements of a passage, read in one or more runs of sentences, say of a claim.

    It supports the claim where it supports all that is claimed, and contradicts it where it contradicts any of it.
    """
    told = [(sentence, statement) for reading in passage for sentence, statement in _told(reading)]
    found = [_judged(one, told, known) for one in claimed]
    if not found:
        return UNREADABLE
    against = next((held for _, held in found if held is not None), None)
    best = [held for held, _ in found]
    least = min(best, key=lambda held: (held.toward, held.match))
    supports = all(held.toward > 0 for held in best)
    deciding = [held.sentence for held in (*best, against) if held is not None and held.toward and held.sentence]
    reason = (against.reason if against else None) or least.reason
    return Stand(
        supports,
        against is not None,
        sum(held.match for held in best) / len(best),
        None if supports or reason is None else reason.obstacle,
        "" if supports and not against else reason.why if reason else _default(against, least),
        tuple(dict.fromkeys(deciding)),
        unsettled=any(_unsettled(held) for held in best),
        leaning=leaning(claimed, [statement for _, statement in told], known.vocabulary, known.shortened, known.scene),
    )


def held(told: Statement, claimed: Statement, known: Known) -> Held:
    """What one statement says of another."""
    sides = _sides(told, claimed, known)
    value = toward(told, claimed)
    if value == 0 or sides is None:
        exclusive = _exclusive(told, claimed, known)
        if exclusive:
            return exclusive
        return Held(0, 0.5 if sides else 0.0, None)
    denying = told.negated or value < 0
    if not sides <= (_DENYING if denying else _FITTING):
        wide = Reason(
            "lacks", "it speaks of something wider" if "broader" in sides else "it denies only a part of this"
        )
        return Held(0, 0.7, wide)
    return _with_conditions(value, told, claimed, known)


def _with_conditions(value: int, told: Statement, claimed: Statement, known: Known) -> Held:
    """The same once its frame, sureness, scope and numbers are looked at."""
    for reason in (frame(told, claimed), doubt(told, claimed)):
        if reason:
            return Held(0, 1.0, reason)
    limits = scope(told, claimed, known.scene, known.vocabulary, known.shortened)
    if limits:
        return Held(0, 0.9, limits)
    lacking = _lacking(told, claimed, known)
    if lacking:
        return Held(0, 0.8, lacking)
    if value < 0 and told.negated and told.frequency and told.frequency != claimed.frequency:
        return Held(0, 0.8, Reason("often", f"it denies this only of {told.frequency}"))
    for reason in (often(told, claimed), quantity(told, claimed)):
        if reason and value > 0:
            return Held(-1 if reason.against else 0, 1.0, reason)
    return Held(value, 1.0)


def _sides(told: Statement, claimed: Statement, known: Known) -> frozenset[Fit | None] | None:
    """How subject and object stand to the claim's; None where one of them is something else."""
    orders = [(told.subject, told.object)]
    if told.kind in SYMMETRIC or claimed.kind in SYMMETRIC:
        orders.append((told.object, told.subject))
    for subject, object_ in orders:
        fits = (_fit(claimed.subject, subject, known), _fit(claimed.object, object_, known))
        if None not in fits:
            return frozenset(fits)
    return None


def _fit(claimed: Phrase | None, told: Phrase | None, known: Known) -> Fit | None:
    return phrase_fit(claimed, told, known.vocabulary, known.shortened, CARRIERS)


def _exclusive(told: Statement, claimed: Statement, known: Known) -> Held | None:
    """A statement that gives the subject an opposite value: dominant where the claim says recessive."""
    if told.kind != claimed.kind or claimed.object is None or told.object is None or told.negated or claimed.negated:
        return None
    if _fit(claimed.subject, told.subject, known) not in _DENYING or frame(told, claimed) or doubt(told, claimed):
        return None
    wanted, found = set(content_terms(claimed.object.text)), set(content_terms(told.object.text))
    ours, theirs = wanted - found, found - wanted
    if not ours or not theirs or len(ours) > 1:
        return None
    if any(opposed(one, other) for one in ours for other in theirs):
        return Held(-1, 1.0, Reason("lacks", f"it says “{told.object.text}”, not “{claimed.object.text}”"))
    return None


def _lacking(told: Statement, claimed: Statement, known: Known) -> Reason | None:
    """What else the claim's relation takes that the statement does not have."""
    theirs = [p for p in (told.subject, told.object, *told.arguments, *(s.phrase for s in told.scopes)) if p]
    for argument in claimed.arguments:
        if not any(_fit(argument, other, known) in _FITTING for other in theirs) and not set_by(argument, known.scene):
            return Reason("lacks", f"it does not speak of “{argument.text}”")
    return None


def _told(reading: Reading) -> Iterable[tuple[Sentence, Statement]]:
    """The statements of a text; what the next sentence takes back is refuted, and a refuted statement denied."""
    following = (*reading.sentences[1:], None)
    for sentence, after in zip(reading.sentences, following, strict=True):
        back = after is not None and after.takes_back
        for statement in sentence.statements:
            yield sentence, _plain(replace(statement, attribution="refuted") if back else statement)


def _plain(statement: Statement) -> Statement:
    """A refuted statement as the denial that it is, and bringing fewer of something as lowering it."""
    if statement.kind == "cause" and statement.object is not None:
        first = statement.object.text.split(" ", 1)[0].lower()
        if first in lexicon.words("direction", "down"):
            statement = replace(statement, kind="lower", direction=-1)
        statement = _harming(statement)
    if statement.attribution != "refuted":
        return statement
    return replace(statement, attribution="shown", negated=not statement.negated, modality="asserted")


def _harming(statement: Statement) -> Statement:
    """Bringing about damage to something as harming it."""
    what = statement.object
    harm = lexicon.frames("noun").get(what.head, ()) if what is not None else ()
    if what is None or len(what.lemmas) < 2 or all(frame.kind != "worsen" for frame in harm):
        return statement
    rest = tuple(lemma for lemma in what.lemmas if lemma != what.head)
    return replace(statement, kind="worsen", object=replace(what, text=" ".join(rest), head=rest[-1], lemmas=rest))


def _judged(claimed: Statement, told: Sequence[tuple[Sentence, Statement]], known: Known) -> tuple[Held, Held | None]:
    """The best that a passage says for one claimed statement, and what it says against it."""
    best, against = Held(0, 0.0), None
    for sentence, statement in told:
        if (claimed.subject is None or claimed.object is None) and not _all_words(known.claim, sentence):
            continue
        found = replace(held(statement, claimed, known), sentence=sentence)
        if found.toward < 0:
            against = against or found
        if (found.toward > 0, found.match) > (best.toward > 0, best.match) or best.sentence is None:
            best = found
    return best, against


def _unsettled(held: Held) -> bool:
    """Whether the sentence says that this is not known; a mere question, or an aim, does not say so."""
    if held.sentence is None or held.reason is None or held.reason.obstacle != "frame":
        return False
    unknown = lexicon.words("ask", "adjective") | lexicon.words("hedge", "weak")
    return not held.sentence.text.endswith("?") and any(word.lemma in unknown for word in held.sentence.words)


def _all_words(claim: frozenset[str], sentence: Sentence) -> bool:
    here = content_terms(sentence.text)
    return all(any(akin(one, other) for other in here) for one in claim - CARRIERS)


def _default(against: Held | None, least: Held) -> str:
    if against:
        return "it says the opposite"
    return "it relates them in another way" if least.match >= 0.5 else NOTHING_SAID.why
