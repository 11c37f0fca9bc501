"""What a model is asked to reply with: one schema a step, known to a server by the class's name.

Every list and text is bounded, so that a model that loops comes to an end. The bounds are asked for, not checked: a
reply that is longer is read all the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, Field, WithJsonSchema, create_model
from pydantic.json_schema import SkipJsonSchema

from core.schema import Task


def _bounded(kind: Literal["maxLength", "maxItems"], most: int, said: str, **more: Any) -> Any:
    return Field(description=said, json_schema_extra={kind: most}, **more)


def _text(most: int, said: str, **more: Any) -> Any:
    return _bounded("maxLength", most, said, **more)


def _list(most: int, said: str, **more: Any) -> Any:
    return _bounded("maxItems", most, said, **more)


Sentence = Annotated[str, Field(json_schema_extra={"maxLength": 300})]
Phrase = Annotated[str, Field(json_schema_extra={"maxLength": 120})]
Id = Annotated[str, Field(json_schema_extra={"maxLength": 200})]


class Queries(BaseModel):
    """Search queries."""

    queries: list[Sentence] = _list(10, "one search query each")


class HypotheticalDocument(BaseModel):
    """A passage that would answer the question, were it in the library."""

    text: str = _text(1_500, "one paragraph")


class DraftAnswer(BaseModel):
    """An answer with the steps that led to it."""

    reasoning: list[Sentence] = _list(6, "the steps of the reasoning, one sentence or two each")
    answer: str = _text(1_500, "the answer, with the id of the evidence in square brackets after each statement")
    citations: list[Id] = _list(8, "ids of the evidence used, exactly as shown", default_factory=list)

    @property
    def decision(self) -> str:
        """What is chosen; empty where nothing is."""
        return str(getattr(self, "choice", None) or "")

    @classmethod
    def from_prose(cls, text: str) -> DraftAnswer:
        """The draft of a model that answers in words alone."""
        return cls(reasoning=[], answer=text)


_UNCITED = create_model(
    "DraftAnswer",
    __base__=DraftAnswer,
    __doc__=DraftAnswer.__doc__,
    answer=(str, _text(1_500, "the answer")),
    citations=(SkipJsonSchema[list[Id]], Field(default_factory=list)),
)


def draft_schema(task: Task, letters: Sequence[str] = (), *, cited: bool = True) -> type[DraftAnswer]:
    """What a draft for a task is made of: a choice only where something is chosen, and then one of what there is.

    ``cited``: whether evidence is shown, whose ids are asked for.
    """
    base = DraftAnswer if cited else _UNCITED
    return _deciding(base, task, tuple(letters)) if task in ("choice", "yesno") else base


@lru_cache(64)
def _deciding(base: type[DraftAnswer], task: Task, letters: tuple[str, ...]) -> type[DraftAnswer]:
    one_of = {"type": "string", "enum": list(letters) if task == "choice" else ["yes", "no", "maybe"]}
    wire: dict[str, Any] = {"anyOf": [one_of, {"type": "null"}]} if task == "choice" else one_of
    said = "the letter of the option, null where nothing decides" if task == "choice" else "the decision"
    choice: Any = (Annotated[str | None, WithJsonSchema(wire)], Field(None, description=said))
    return create_model("DraftAnswer", __base__=base, __doc__=base.__doc__, choice=choice)


class ClaimReply(BaseModel):
    """One statement that can be checked by itself."""

    text: str = _text(400, "a whole sentence that names what it is about")
    subject: Phrase | None = Field(None, description="what it is about")
    predicate: Phrase | None = Field(None, description="the verb")
    object: Phrase | None = Field(None, description="what is said of the subject")


class ClaimList(BaseModel):
    """The statements of a text."""

    claims: list[ClaimReply] = _list(24, "the statements, in their order")


def _of_percent(said: object) -> object:
    return said / 100 if isinstance(said, int | float) and 1 < said <= 100 else said


Probability = Annotated[float, Field(ge=0, le=1), BeforeValidator(_of_percent)]
"""Small models write 95 for 0.95: no grammar of a server bounds a number."""


class Judgement(BaseModel):
    """What evidence says of a claim."""

    label: Literal["supported", "contradicted", "unverifiable"]
    support: Probability = Field(description="how probable it is that the evidence states the claim")
    contradiction: Probability = Field(description="how probable it is that the evidence denies it")
    quote: str = _text(400, "the sentence of the evidence that decides, copied to the letter", default="")


class RevisedAnswer(BaseModel):
    """An answer made of attested statements alone."""

    answer: str = _text(2_000, "the answer, with ids in square brackets after each statement")
    citations: list[Id] = _list(8, "ids of the evidence used", default_factory=list)
