"""An answer that somebody has stored, whoever gave it, as metrics take it."""

from __future__ import annotations

from pydantic import BaseModel, Field, ValidationError

from core.errors import InputError
from core.records import Record
from core.schema import Texts, Turn
from eval.metrics.record import Scored


class Stored(BaseModel):
    """A record of a file of answers; only the answer must be there, and null where nothing was answered."""

    id: str
    answer: str | None
    question: str = ""
    reference: Texts = ()
    context: Texts = ()
    knowledge: Texts = ()
    history: tuple[Turn, ...] = ()
    language: str = "en"
    choice: str | None = None
    gold: str | None = None
    risk: float | None = Field(None, ge=0, le=1)
    hallucinated: bool | None = None
    level: str = ""
    subject: str = ""

    def scored(self) -> Scored:
        """What of it there is."""
        return Scored(
            id=self.id,
            question=self.question,
            answer=self.answer,
            reference=self.reference or None,
            context="\n".join(self.context) or None,
            language=self.language,
            choice=self.choice,
            gold=self.gold,
            risk=self.risk,
            knowledge="\n".join(self.knowledge) or None,
            history="\n".join(map(str, self.history)) or None,
            passages=self.context or None,
        )


def stored(record: Record) -> Stored:
    """The record; InputError, naming the field, where it is none of an answer."""
    try:
        return Stored.model_validate(record)
    except ValidationError as error:
        faults = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors())
        raise InputError(f"{faults}: give {{id, question, reference?, context?, answer}}") from error
