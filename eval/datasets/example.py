"""One question of a data set, or one stored text, in the form in which every set is asked and scored."""

from __future__ import annotations

import hashlib
from typing import Literal

from pydantic import Field

from core.schema import Task, Texts, Turn, Value

ExampleTask = Task | Literal["claim"]
"""A question's form; ``claim``: a text that stands already is verified, nothing is asked."""


class Example(Value):
    """A question with what is known of its answer, or a stored text with what is known of it."""

    id: str
    task: ExampleTask
    question: str = ""
    options: dict[str, str] = Field(default_factory=dict)
    history: tuple[Turn, ...] = Field((), description="the consultation before the question")
    context: Texts = Field((), description="texts that come with it, to answer or to verify from")
    knowledge: Texts = ()
    reference: Texts = Field((), description="answers in words that are known to be good")
    gold: str | None = Field(None, description="the right letter; yes, no or maybe; a claim's label")
    claim: str = Field("", description="the stored text that is verified")
    hallucinated: bool | None = Field(None, description="whether the stored text is known to be wrong")
    subject: str = ""
    level: str = Field("", description="how difficult it is, as its set says")
    language: str = "en"
    split: str = Field("", description="train, dev or test, as the set's files say")
    group: tuple[str, ...] = Field((), description="what may not be shared by two splits beside the texts themselves")

    @property
    def digest(self) -> str:
        """The same for the same content."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()[:16]
