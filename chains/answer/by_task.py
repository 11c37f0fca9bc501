"""One step for every task: the form of the question decides who answers it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from langchain_core.runnables import Runnable, RunnableLambda

from chains.answer.choice import answer_choice
from chains.answer.given import AnswerInput
from chains.answer.joining import joined
from chains.answer.length import held_to_length
from chains.answer.naming import asks_of_names, said_of_names
from chains.answer.open import Part, Score, answer_open
from chains.answer.yesno import answer_yesno
from chains.answer_risk import told as likely
from chains.answer_risk import unread
from chains.relevance.windows import Read
from chains.said import said_to
from chains.verify.comparing import Learned
from chains.verify.statements.vocabulary import PLAIN, Vocabulary
from core.embeddings import Encode
from core.rarity import Rarity
from core.schema import Draft, Evidence, Outcome

LEAST_RELEVANCE = 0.05
"""A choice or a yes is decided by evidence of at least this relevance: less is about something else."""


def answerer(
    encode: Encode,
    rarity: Rarity,
    max_sentences: int,
    score: Score,
    vocabulary: Vocabulary = PLAIN,
    learned: Learned | None = None,
    read: Read | None = None,
) -> Runnable[AnswerInput, Outcome[Draft]]:
    """A Runnable from evidence to an answer made of its sentences; what was retracted takes no part."""
    deciding = partial(answer_yesno, vocabulary=vocabulary, learned=learned)

    def write(found: AnswerInput) -> Outcome[Draft]:
        given = found._replace(evidence=[e for e in found.evidence if not e.retracted])
        return Outcome(value=held_to_length(answer(given), given.asked.max_words))

    def answer(given: AnswerInput) -> Draft:
        if given.understanding.task == "choice":
            return decided(given, answer_choice)
        if said := said_of_names(given):
            return said
        if _only_told(given) and not given.examined:
            return told(given)
        draft = decided(_single(given), partial(deciding, examined=given.examined))
        if draft.choice is None:
            # What is said of the subject may still help the reader; it decides nothing.
            return told(given).model_copy(update={"reasoning": draft.reasoning})
        return joined(draft, told(given, [claim.text for claim in draft.claims]))

    def tell(question: str, text: str, worth: float) -> float:
        return likely(worth, said_to([question], text, encode, read, unread())[0])

    def decided(given: AnswerInput, decide: Callable[..., Draft]) -> Draft:
        evidence, relevance = _usable(given)
        asked = given.asked, given.understanding, evidence
        return decide(*asked, encode=encode, rarity=rarity, relevance=relevance)

    def told(given: AnswerInput, known: Sequence[str] = ()) -> Draft:
        return answer_open(
            _parts(given),
            given.evidence,
            score=score,
            tell=tell,
            encode=encode,
            max_sentences=max(1, max_sentences - len(known)),
            max_words=given.asked.max_words,
            told=known,
            compared=given.understanding.compared,
            same=given.understanding.asks_same,
            sober=given.alarmed,
        )

    return RunnableLambda(write, name="answer")


def _single(given: AnswerInput) -> AnswerInput:
    return given if given.examined else given._replace(understanding=given.understanding.questions[0])


def _usable(given: AnswerInput) -> tuple[Sequence[Evidence], Mapping[str, float]]:
    """What may decide, with how likely it answers; in an examination all of it does."""
    if given.examined:
        return given.evidence, {e.id: 1.0 for e in given.evidence}
    return [e for e in given.evidence if given.relevance.get(e.id, 0.0) >= LEAST_RELEVANCE], given.relevance


def _parts(given: AnswerInput) -> list[Part]:
    questions = given.understanding.questions
    weighed = given.weighed or [given.relevance] * len(questions)
    return [Part(*pair) for pair in zip(questions, weighed, strict=True)]


def _only_told(given: AnswerInput) -> bool:
    """Whether an answer is told in sentences alone: what is asked is no single yes or no.

    What something is called and of which class it is, a page that was not given for it does not decide.
    """
    asked = given.understanding
    if asks_of_names(asked) and not given.asked.evidence:
        return True
    return asked.task == "dialogue" or len(asked.questions) > 1 or asked.questions[0].task != "yesno"
