"""What a model is shown when it is asked for an answer: rules, worked examples, knowledge, evidence, the question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from chains.answer.given import AnswerInput
from chains.fit import estimated_tokens, fit
from chains.guard.shown import escaped, shown, visible
from core.model.client import Prompt
from core.schema import Evidence, Exemplar, Question
from prompts import abstention, prompt

EXEMPLAR_SHARE = 0.3
"""Of the window, for worked examples at most: they show a form, the evidence decides."""
DIALOGUE = "Dialogue Context:"
"""What IMKDG's prompt writes before the turns of a consultation."""
MARGIN = 200
"""Tokens for what a server adds to a message."""


class AnswerPrompt(NamedTuple):
    """A prompt, what is asked in it, the evidence in it, and how many pieces did not fit the window."""

    prompt: Prompt
    asked: str
    shown: tuple[Evidence, ...]
    omitted: int


def answer_prompt(given: AnswerInput, window: int, output: int) -> AnswerPrompt:
    """The prompt, fitted to a window of so many tokens, of which ``output`` are the model's to write."""
    rules = _rules(given)
    asked = escaped(visible(_target(given)))  # a question can no more open a delimiter than evidence can
    room = window - output - MARGIN - estimated_tokens(rules) - estimated_tokens(asked)
    examples = fit(given.exemplars, min(room, int(EXEMPLAR_SHARE * window)), _written)
    room -= sum(estimated_tokens(_written(example)) for example in examples.shown)
    evidence = fit(given.evidence if given.passages else (), room, lambda e: shown(e) + "\n")
    user = _joined([*map(_written, examples.shown), *map(shown, evidence.shown), asked], given.style)
    return AnswerPrompt(Prompt(rules, user), asked, evidence.shown, evidence.omitted)


def dialogue(asked: Question) -> str:
    """The consultation so far, a line each; the question is the patient's last turn."""
    return "\n".join([*map(str, asked.history), f"Patient: {asked.question}"])


def _rules(given: AnswerInput) -> str:
    style = prompt(f"answer/{given.style}.txt", fallback=abstention(given.understanding.language))
    task = "reply" if given.understanding.task == "dialogue" else given.understanding.task
    parts = [style, prompt(f"answer/{task}.txt")]
    if given.style == "dialogue" and (given.triples or any(example.knowledge for example in given.exemplars)):
        parts.append(prompt("answer/known.txt"))
    if given.style != "bare":
        parts.append(prompt("answer/evidence.txt" if given.passages else "answer/quoted.txt"))
    if given.asked.max_words is not None:
        parts.append(prompt("answer/length.txt", words=str(given.asked.max_words)))
    return "\n\n".join(parts)


def _target(given: AnswerInput) -> str:
    """The question as the last thing that the model reads; a consultation ends where the doctor is to speak."""
    known = _known([str(triple) for triple in given.triples])
    asked, text = given.asked, given.understanding.text
    if given.style == "dialogue" or given.understanding.task == "dialogue":
        # Without a history the question may be a follow-up, which is understood as one that stands alone.
        spoken = asked if asked.history else asked.model_copy(update={"question": text})
        return _lines([DIALOGUE, dialogue(spoken), *_options(asked.options), known, "Doctor Response:"])
    return _lines([known, *_question(text, asked.options)])


def _written(exemplar: Exemplar) -> str:
    """A worked example as the prompt shows it."""
    return escaped(visible(_example(exemplar)))


def _example(exemplar: Exemplar) -> str:
    known = _known(exemplar.knowledge)
    if exemplar.task == "dialogue":
        return _lines([DIALOGUE, exemplar.context, known, f"Doctor Response: {exemplar.answer}"])
    steps = [f"{n}. {step}" for n, step in enumerate(exemplar.reasoning, start=1)]
    reached = f"Answer: {exemplar.choice}: {exemplar.answer}" if exemplar.choice else f"Answer: {exemplar.answer}"
    return _lines([known, *_question(exemplar.context, exemplar.options), *steps, reached])


def _question(text: str, options: Mapping[str, str]) -> list[str]:
    return [f"Question: {text}", *_options(options)]


def _options(options: Mapping[str, str]) -> list[str]:
    return [f"{letter}: {option}" for letter, option in options.items()]


def _known(triples: Sequence[str]) -> str:
    return f"We know that: {', '.join(triples)}" if triples else ""


def _lines(parts: Sequence[str]) -> str:
    return "\n".join(part for part in parts if part)


def _joined(sections: Sequence[str], style: str) -> str:
    """A dialogue's parts are joined by newlines, as in IMKDG; others stand apart."""
    return ("\n" if style == "dialogue" else "\n\n").join(section for section in sections if section)
