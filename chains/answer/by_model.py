"""An answer that a model writes from what it is shown: by schema, checked, held to its length, split into claims."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from langchain_core.runnables import Runnable, RunnableLambda

from chains.answer.given import AnswerInput
from chains.answer.length import cut_at_sentence, is_within, said_once
from chains.answer.letter import letter_of, yesno_of
from chains.answer.marks import Mark, with_marks, without_marks
from chains.answer.prompting import AnswerPrompt, answer_prompt
from chains.claims import ClaimInput
from chains.fallback import or_else
from chains.guard.checks import faults, verdict_on
from chains.replies import DraftAnswer, draft_schema
from core.errors import ModelReplyError
from core.model.client import Model, Prompt
from core.schema import Claim, Draft, Failure, Outcome
from core.text import words
from prompts import abstention, prompt

Split = Runnable[ClaimInput, Outcome[tuple[Claim, ...]]]


def model_answerer(
    model: Model, split: Split, output: int, split_by_rules: Split | None = None
) -> Runnable[AnswerInput, Outcome[Draft]]:
    """A Runnable from evidence to a model's answer; a failure to answer is a ModelError, never a text.

    Args:
        model: is shown what fits its window; what does not is counted in the draft.
        split: from the answer to its claims.
        output: tokens that the model may write.
        split_by_rules: the same without the model, for systems whose claims it does not judge; ``split`` otherwise.
    """

    def write(given: AnswerInput) -> Outcome[Draft]:
        usable = given._replace(evidence=[e for e in given.evidence if not e.retracted])
        made = answer_prompt(usable, model.window, output)
        if given.passages and not made.shown:
            return Outcome(value=Draft(text="", omitted=made.omitted))
        reply = _held_to_length(model, made, usable)
        said = _said(reply.value, made, usable)
        splitter = split if given.verification == "full" else split_by_rules or split
        claims = splitter.invoke(ClaimInput(said.body)) if said.body else Outcome(value=())
        return Outcome(
            value=_draft(said, claims.value, reply.value, made),
            failures=(*reply.failures, *_unknown(reply.value, made), *_too_long(said, usable), *claims.failures),
            usage=reply.usage + claims.usage,
        )

    return RunnableLambda(write, name="answer")


class _Said(NamedTuple):
    """What a reply says: the decision, as the words before the statements, and these without marks."""

    before: str
    body: str
    choice: str | None
    marks: tuple[Mark, ...]


_NOTHING = _Said("", "", None, ())


def _held_to_length(model: Model, made: AnswerPrompt, given: AnswerInput) -> Outcome[DraftAnswer]:
    """An answer of the length asked for, if the model writes one when it is asked once more."""
    first = _stated(model, made, given)
    most = given.asked.max_words
    text, _ = _unmarked(first.value, made)
    if most is None or is_within(text, most) or _is_withheld(text, given):
        return first
    shorter = _again(made, f"it has {len(words(text))} words where {most} are the most")

    def ask() -> Outcome[DraftAnswer]:
        second = _sound(model, shorter, given)
        return Outcome(value=second.value, usage=first.usage + second.usage)

    return or_else("length", ask, lambda: first)


def _stated(model: Model, made: AnswerPrompt, given: AnswerInput) -> Outcome[DraftAnswer]:
    """An answer that says why, if the model writes one when it is asked once more: a bare yes cannot be checked."""
    first = _sound(model, made, given)
    if given.understanding.task not in ("choice", "yesno") or not _is_bare(first.value, made, given):
        return first

    def ask() -> Outcome[DraftAnswer]:
        second = _sound(model, _again(made, "its answer holds a decision, and no statement that decides"), given)
        better = first if _is_bare(second.value, made, given) else second
        return Outcome(value=better.value, usage=first.usage + second.usage)

    return or_else("statements", ask, lambda: first)


def _is_bare(reply: DraftAnswer, made: AnswerPrompt, given: AnswerInput) -> bool:
    """Whether an answer is nothing but a decision: a word, a letter, an option."""
    body = _flat(_unmarked(reply, made)[0])
    told = (f"{letter} {text}" for letter, text in given.asked.options.items())
    decisions = ("yes", "no", "maybe", *given.asked.options, *given.asked.options.values(), *told)
    return body in map(_flat, decisions)


def _sound(model: Model, made: AnswerPrompt, given: AnswerInput) -> Outcome[DraftAnswer]:
    """A reply that neither leaks nor obeys what it was shown; ModelReplyError where the second is no better."""
    schema = draft_schema(given.understanding.task, tuple(given.asked.options), cited=given.passages)
    first = _once(model.ask(schema, made.prompt))
    wrong = _faults(first.value, made, given)
    if not wrong:
        return first
    second = _once(model.ask(schema, _again(made, wrong).prompt))
    if wrong := _faults(second.value, made, given):
        error = ModelReplyError(
            f"the model's answer was refused twice ({wrong}): look for planted text in the evidence"
        )
        error.usage = first.usage + second.usage
        raise error
    return Outcome(value=second.value, usage=first.usage + second.usage)


def _once(reply: Outcome[DraftAnswer]) -> Outcome[DraftAnswer]:
    return reply.model_copy(update={"value": reply.value.model_copy(update={"answer": said_once(reply.value.answer)})})


def _faults(reply: DraftAnswer, made: AnswerPrompt, given: AnswerInput) -> str:
    """What makes a reply unusable, in words; what it cites wrongly is dealt with by verifying."""
    found = faults(
        reply.answer,
        reply.reasoning,
        reply.citations,
        choice=reply.decision,
        evidence=made.shown,
        prompt_text=made.prompt.system,
        question=made.asked,
    )
    return "; ".join(dict.fromkeys(fault.text for fault in found)) if verdict_on(found) == "reject" else ""


def _again(made: AnswerPrompt, fault: str) -> AnswerPrompt:
    system, user = made.prompt
    return made._replace(prompt=Prompt(f"{system}\n\n{prompt('answer/again.txt', fault=fault)}", user))


def _unmarked(reply: DraftAnswer, made: AnswerPrompt) -> tuple[str, tuple[Mark, ...]]:
    return without_marks(reply.answer, reply.citations, [e.id for e in made.shown])


def _said(reply: DraftAnswer, made: AnswerPrompt, given: AnswerInput) -> _Said:
    """The reply as an answer; empty where it withholds one, or decides nothing where it should."""
    body, marks = _unmarked(reply, made)
    if _is_withheld(body, given):
        return _NOTHING
    if given.asked.max_words is not None:
        body = cut_at_sentence(body, given.asked.max_words)
    task, options = given.understanding.task, given.asked.options
    if task == "choice":
        letter = letter_of(reply.decision, options) or letter_of(reply.answer, options)
        return _Said(f"{letter}: {options[letter]}\n", body, letter, marks) if letter else _NOTHING
    if task == "yesno":
        word = yesno_of(reply.decision) or yesno_of(reply.answer)
        return _Said(_decision(word, body), body, word, marks) if word else _NOTHING
    return _Said("", _as_sentences(body), None, marks)


def _as_sentences(body: str) -> str:
    """The text as sentences have it: small models leave out the capital at its beginning, or the full stop."""
    first = body.split(maxsplit=1)[0].rstrip(".,;:")
    if first.isalpha() and first.islower():
        body = body[0].upper() + body[1:]
    return f"{body}." if body[-1].isalnum() or body[-1] in ")%" else body


def _is_withheld(body: str, given: AnswerInput) -> bool:
    """Whether a reply says nothing, or the fixed sentence."""
    return not body or _flat(body) in (_flat(abstention(given.understanding.language)), _flat(abstention()))


def _decision(word: str, body: str) -> str:
    """The word before the statements, unless they begin with it."""
    return "" if _flat(body).split(" ", 1)[0] == word else f"{word.capitalize()}. "


def _draft(said: _Said, claims: Sequence[Claim], reply: DraftAnswer, made: AnswerPrompt) -> Draft:
    """The draft with its claims, each citing what the marks by it say; of that, the draft cites what exists.

    Where the text has no marks at all, every claim cites the whole list.
    """
    shift, known = len(said.before), {e.id for e in made.shown}
    cut = {i for mark in said.marks if mark.place > len(said.body) for i in mark.cited}
    listed = tuple(i for i in dict.fromkeys(reply.citations) if i not in cut) if said.body else ()
    of_all = () if said.marks else tuple(i for i in listed if i in known)
    cited = [
        claim.model_copy(
            update={"span": (claim.span[0] + shift, claim.span[1] + shift), "cited": claim.cited or of_all}
        )
        for claim in with_marks(claims, said.body, said.marks)
    ]
    named = (*(i for claim in cited for i in claim.cited), *listed)
    return Draft(
        text=said.before + said.body,
        choice=said.choice,
        reasoning=tuple(step for step in reply.reasoning if step.strip()),
        citations=tuple(dict.fromkeys(i for i in named if i in known)),
        claims=tuple(cited),
        omitted=made.omitted,
    )


def _unknown(reply: DraftAnswer, made: AnswerPrompt) -> Iterator[Failure]:
    """What the model cites that it was not shown."""
    _, marks = _unmarked(reply, made)
    known = {e.id for e in made.shown}
    for cited in dict.fromkeys((*(i for mark in marks for i in mark.cited), *reply.citations)):
        if cited not in known:
            yield Failure(source="model, answer", error=f"it cited {cited[:80]}, which was not shown to it")


def _too_long(said: _Said, given: AnswerInput) -> Iterator[Failure]:
    if not is_within(said.body, given.asked.max_words):
        most = given.asked.max_words
        yield Failure(source="model, answer", error=f"its first sentence alone has more than {most} words")


def _flat(text: str) -> str:
    return " ".join(span.text.lower().replace("’", "'") for span in words(text))
