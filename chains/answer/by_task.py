"""One step for every task: the form of the question decides who answers it."""

from __future__ import annotations

from langchain_core.runnables import Runnable, RunnableLambda

from chains.answer.choice import answer_choice
from chains.answer.given import AnswerInput
from chains.answer.length import held_to_length
from chains.answer.open import Encode, answer_open
from chains.answer.yesno import answer_yesno
from chains.verify.statements.vocabulary import PLAIN, Vocabulary
from core.rarity import Rarity
from core.schema import Draft, Outcome

LEAST_RELEVANCE = 0.05
"""A choice or a yes is decided by evidence of at least this relevance: less is about something else."""


def answerer(
    encode: Encode, rarity: Rarity, max_sentences: int, vocabulary: Vocabulary = PLAIN
) -> Runnable[AnswerInput, Outcome[Draft]]:
    """A Runnable from evidence to an answer made of its sentences; what was retracted takes no part."""

    def write(found: AnswerInput) -> Outcome[Draft]:
        given = found._replace(evidence=[e for e in found.evidence if not e.retracted])
        task = given.understanding.task
        if task in ("open", "dialogue"):
            return Outcome(value=_open(given))
        evidence = [e for e in given.evidence if given.relevance.get(e.id, 0.0) >= LEAST_RELEVANCE]
        asked, understanding, relevance = given.asked, given.understanding, given.relevance
        if task == "choice":
            draft = answer_choice(asked, understanding, evidence, encode=encode, rarity=rarity, relevance=relevance)
        else:
            draft = answer_yesno(
                asked,
                understanding,
                evidence,
                encode=encode,
                rarity=rarity,
                relevance=relevance,
                vocabulary=vocabulary,
            )
        if task == "yesno" and draft.choice is None:
            # What is said of the subject may still help the reader; it decides nothing.
            undecided = _open(given)
            draft = undecided.model_copy(
                update={"choice": "maybe" if undecided.text else None, "reasoning": draft.reasoning}
            )
        return Outcome(value=held_to_length(draft, given.asked.max_words))

    def _open(given: AnswerInput) -> Draft:
        return answer_open(
            given.understanding,
            [(e, given.relevance.get(e.id, 0.0)) for e in given.evidence],
            encode=encode,
            rarity=rarity,
            max_sentences=max_sentences,
            max_words=given.asked.max_words,
        )

    return RunnableLambda(write, name="answer")
