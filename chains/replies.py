"""What a model is asked to reply with: one schema a step, known to a server by the class's name."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field


class Queries(BaseModel):
    """Search queries."""

    queries: list[str] = Field(description="one search query each")


class HypotheticalDocument(BaseModel):
    """A passage that would answer the question, were it in the library."""

    text: str = Field(description="one paragraph")


class DraftAnswer(BaseModel):
    """An answer with the steps that led to it."""

    reasoning: list[str] = Field(description="the steps of the reasoning, one sentence or two each")
    answer: str = Field(description="the answer, with the id of the evidence in square brackets after each statement")
    choice: str | None = Field(None, description="the letter of the option; or yes, no or maybe; null otherwise")
    citations: list[str] = Field(default_factory=list, description="ids of the evidence used, exactly as shown")


class ClaimReply(BaseModel):
    """One statement that can be checked by itself."""

    text: str = Field(description="a whole sentence that names what it is about")
    subject: str | None = Field(None, description="what it is about")
    predicate: str | None = Field(None, description="the verb")
    object: str | None = Field(None, description="what is said of the subject")


class ClaimList(BaseModel):
    """The statements of a text."""

    claims: list[ClaimReply]


class Judgement(BaseModel):
    """What evidence says of a claim."""

    label: Literal["supported", "contradicted", "unverifiable"]
    support: float = Field(ge=0, le=1, description="how probable it is that the evidence states the claim")
    contradiction: float = Field(ge=0, le=1, description="how probable it is that the evidence denies it")
    quote: str = Field("", description="the sentence of the evidence that decides, copied to the letter")
    rationale: str = Field("", description="why, in one sentence")


class RevisedAnswer(BaseModel):
    """An answer made of attested statements alone."""

    answer: str = Field(description="the answer, with ids in square brackets after each statement")
    citations: list[str] = Field(default_factory=list, description="ids of the evidence used")
