"""One step for every task: the form of the question decides who answers it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from langchain_core.runnables import Runnable, RunnableLambda

from chains.answer.choice import answer_choice
from chains.answer.given import AnswerInput
from chains.answer.length import held_to_length
from chains.answer.open import Part, Score, answer_open
from chains.answer.yesno import answer_yesno
from chains.answer_risk import told as likely
from chains.answer_risk import unread
from chains.relevance.windows import Read
from chains.said import said_to
from chains.verify.finding import Encode, Learned
from chains.verify.statements.vocabulary import PLAIN, Vocabulary
from core.rarity import Rarity
from core.schema import Draft, Outcome

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
        questions = given.understanding.questions
        if given.understanding.task == "choice":
            return decided(given, answer_choice)
        if given.understanding.task == "dialogue" or len(questions) > 1 or questions[0].task != "yesno":
            return told(given)
        draft = decided(given._replace(understanding=questions[0]), deciding)
        if draft.choice is None:
            # What is said of the subject may still help the reader; it decides nothing.
            return told(given).model_copy(update={"reasoning": draft.reasoning})
        return joined(draft, told(given, [claim.text for claim in draft.claims]))

    def tell(question: str, text: str, worth: float) -> float:
        return likely(worth, said_to([question], text, encode, read, unread())[0])

    def decided(given: AnswerInput, decide: Callable[..., Draft]) -> Draft:
        evidence = [e for e in given.evidence if given.relevance.get(e.id, 0.0) >= LEAST_RELEVANCE]
        return decide(
            given.asked, given.understanding, evidence, encode=encode, rarity=rarity, relevance=given.relevance
        )

    def told(given: AnswerInput, known: Sequence[str] = ()) -> Draft:
        weighed = given.weighed or [given.relevance] * len(given.understanding.questions)
        return answer_open(
            [Part(*pair) for pair in zip(given.understanding.questions, weighed, strict=True)],
            given.evidence,
            score=score,
            tell=tell,
            max_sentences=max(1, max_sentences - len(known)),
            max_words=given.asked.max_words,
            told=known,
            compared=given.understanding.compared,
        )

    return RunnableLambda(write, name="answer")


def joined(verdict: Draft, rest: Draft) -> Draft:
    """A yes or no with what decides it, and after that what else the evidence tells."""
    if not rest.text:
        return verdict
    shift = len(verdict.text) + 1
    claims = [c.model_copy(update={"span": (c.span[0] + shift, c.span[1] + shift)}) for c in rest.claims]
    return verdict.model_copy(
        update={
            "text": f"{verdict.text} {rest.text}",
            "claims": (*verdict.claims, *claims),
            "citations": tuple(dict.fromkeys((*verdict.citations, *rest.citations))),
        }
    )
