"""What a sentence takes up from those before it: a pronoun's antecedent, and whether it takes back what was said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.language import lexicon
from core.language.statement import Phrase, Sentence, Statement

_DETERMINED = 3
_AUXILIARIES = frozenset("is was are were do does did has have had can could".split())


def resolved(text: str, title: str, given: Sequence[Sentence]) -> tuple[Sentence, ...]:
    """The sentences with their pronouns resolved, and with what a later sentence rejects marked as refuted."""
    found: list[Sentence] = []
    topic = _titled(title)
    for sentence in given:
        back = takes_back(sentence)
        if back and found:
            found[-1] = replace(found[-1], statements=tuple(_refuted(each) for each in found[-1].statements))
        told = []
        for each in sentence.statements:
            told.append(_resolve(each, topic, sentence))
        sentence = replace(sentence, statements=tuple(told), takes_back=back)
        topic = _topic(sentence) or topic
        found.append(sentence)
    return tuple(found)


def _titled(title: str) -> Phrase | None:
    words = [word for word in title.replace("-", " ").split() if any(c.isalnum() for c in word)]
    if not words or len(words) > 12:
        return None
    lemmas = tuple(word.strip("(),.:;").lower() for word in words)
    return Phrase(title, -1, -1, lemmas[-1], lemmas)


def _refuted(given: Statement) -> Statement:
    return given if given.attribution == "shown" and given.negated else replace(given, attribution="refuted")


def takes_back(sentence: Sentence) -> bool:
    """Whether a sentence rejects what the one before it says."""
    lowered = [word.text.lower() for word in sentence.words]
    lemmas = [word.lemma for word in sentence.words]
    if not lowered or lowered[-1] == "?":
        return False
    if _elided(lowered) or _reversed(lowered):
        return True
    refers = any(_refers(lowered, lemmas, n) for n in range(len(lowered)))
    if not refers:
        return False
    denied = any(word in lexicon.words("negation", "adverb") | {"no", "without", "little"} for word in lowered)
    support = (
        lexicon.words("report", "support")
        | lexicon.words("report", "shown_noun")
        | {"case", "find", "show"}
        | lexicon.words("report", "true_adjective")
    )
    if denied and any(lemma in support for lemma in lemmas):
        return True
    refuting = (
        lexicon.words("report", "refuted")
        | lexicon.words("report", "refuted_adjective")
        | lexicon.words("report", "refuted_noun")
        | lexicon.words("report", "unproven_adjective")
    )
    if any(lemma in refuting or word in refuting for lemma, word in zip(lemmas, lowered, strict=True)):
        return not denied
    return any(each.attribution == "refuted" for each in sentence.statements) and not denied


def _elided(lowered: Sequence[str]) -> bool:
    """Whether it ends in "It was not." or "They found that it did not."."""
    for n in range(len(lowered) - 2):
        told = lowered[n] in ("it", "they", "this", "these") and lowered[n + 1] in _AUXILIARIES
        ended = n + 3 >= len(lowered) or lowered[n + 3] in (".", ":", ";")
        if told and ended and lowered[n + 2] in ("not", "n't", "n’t"):
            return n == 0 or len(lowered) - n <= 5
    return False


def _reversed(lowered: Sequence[str]) -> bool:
    """Whether it says that trials showed the opposite."""
    return any(
        lowered[n] == "the"
        and lowered[n + 1] in ("opposite", "reverse", "contrary")
        and lowered[n + 2] in (".", ":", ";")
        for n in range(len(lowered) - 2)
    )


def _refers(lowered: Sequence[str], lemmas: Sequence[str], at: int) -> bool:
    word = lowered[at]
    if at == 0 and word in ("it", "this", "that", "these", "they"):
        following = lowered[at + 1] if at + 1 < len(lowered) else ""
        if word == "it" and {"that", "to", "whether"} & set(lowered[2:9]):
            return False  # "It is a myth that": what comes, not what was
        return following in ("is", "was", "has", "have", "are", "were", "claim", "idea") or (
            lemmas[at + 1 : at + 2] != [] and lemmas[at + 1] in lexicon.words("anaphor", "discourse")
        )
    if word in ("this", "that", "these", "such", "the", "those", "it", "any"):
        near = lemmas[at + 1 : at + _DETERMINED]
        if word in ("the", "any"):
            near = near[:1]
            return (
                bool(near)
                and near[0] in ("idea", "claim", "belief", "notion", "theory", "hypothesis")
                and not (at + 2 < len(lowered) and lowered[at + 2] in ("that", "of"))
            )
        if any(lemma in lexicon.words("anaphor", "discourse") for lemma in near):
            return True
        return (
            word in ("this", "it", "that")
            and at > 0
            and (at + 1 >= len(lowered) or lowered[at + 1] in (".", ",", "is", "was", "to"))
        )
    return False


def _resolve(given: Statement, topic: Phrase | None, sentence: Sentence) -> Statement:
    subject, object_ = (
        _antecedent(phrase, topic, sentence) if phrase is not None and _is_anaphor(phrase, sentence, named) else phrase
        for phrase, named in ((given.subject, True), (given.object, given.kind != "be"))
    )
    if subject is not None and subject == object_:
        object_ = given.object
    return replace(given, subject=subject, object=object_)


def _antecedent(pronoun: Phrase, topic: Phrase | None, sentence: Sentence) -> Phrase:
    """What a pronoun stands for: what its own sentence named first before it, or else the topic of those before."""
    before = [
        phrase
        for each in sentence.statements
        for phrase in (each.subject, each.object)
        if phrase is not None and 0 <= phrase.end <= pronoun.start and not _is_empty(phrase, sentence)
    ]
    if pronoun.text.lower() in ("it", "its", "this"):
        before = [phrase for phrase in before if phrase.head not in lexicon.words("scope", "population")]
    if before and pronoun.text.lower() in lexicon.words("anaphor", "pronoun"):
        return min(before, key=lambda each: each.start)
    return topic or pronoun


def _is_empty(given: Phrase, sentence: Sentence) -> bool:
    return given.text.lower() in lexicon.words("anaphor", "person") or _is_anaphor(given, sentence)


def _is_anaphor(given: Phrase, sentence: Sentence, named: bool = True) -> bool:
    """Whether a phrase is a pronoun or, where it may be, a name such as "this drug"."""
    lowered = given.text.lower()
    if lowered in lexicon.words("anaphor", "pronoun"):
        return True
    if not named or len(given.lemmas) != 1 or given.head not in lexicon.words("anaphor", "noun"):
        return False
    place = max(0, given.start - sentence.start)
    before = sentence.text[max(0, place - 20) : place].lower().split()[-1:]
    return bool(before) and before[0] in lexicon.words("anaphor", "determiner")


def _topic(sentence: Sentence) -> Phrase | None:
    """What a sentence is about: what its first main statement with a name in it names first."""
    for each in sentence.statements:
        named = [
            phrase for phrase in (each.subject, each.object) if phrase is not None and not _is_empty(phrase, sentence)
        ]
        if each.main and named:
            return min(named, key=lambda phrase: phrase.start)
    return None
