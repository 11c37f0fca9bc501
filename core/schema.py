"""What flows through Medattest: frozen values, the same in state, in files, in ``--json`` and on the wire."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, field_validator, model_validator

Task = Literal["open", "choice", "yesno", "dialogue"]
"""Which form a question has."""
Method = Literal["vanilla", "rag", "halo", "imkdg", "certified", "context-only", "graph", "graph-literal", "full"]
"""Which system answers it."""
Part = Literal["knowledge", "exemplars", "expansion", "mmr", "rerank", "verification", "loop"]
"""What can be left out of a system, so that its worth can be measured."""
SourceName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]{0,39}$")]
"""Where evidence comes from: library, knowledge, repository, pubmed, wikipedia, umls, given, or a retriever's name."""
Label = Literal["supported", "contradicted", "unverifiable"]

Probability = Annotated[float, Field(ge=0.0, le=1.0)]
Place = Annotated[int, Field(ge=0, le=2**53)]
"""In a text; no greater than every reader of JSON can tell."""
T = TypeVar("T")

EVIDENCE_ONLY = "evidence-only"
"""The engine without a model; others have their model's name."""
MAX_QUESTION_CHARS = 20_000
MAX_EVIDENCE_CHARS = 700_000
"""Of one text that comes with a question: what is longer belongs into a collection."""
MAX_OPTIONS = 100
MAX_TEXT_CHARS = 1_000_000
"""Of a text whose claims are verified, and of so many claims at once."""
MAX_CLAIMS = 1_000


class Value(BaseModel):
    """A frozen value that refuses fields it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def _listed(given: Any) -> Any:
    if given is not None and not isinstance(given, str | list | tuple):
        raise ValueError("give a text or a list of texts")
    return [given] if isinstance(given, str) else given or ()


Texts = Annotated[tuple[str, ...], BeforeValidator(_listed)]
"""Texts as files have them: one, several or none."""


class Concept(Value):
    """A concept: its id is a CUI where one exists, otherwise a CURIE such as ``HP:0001166``."""

    id: str
    name: str
    types: tuple[str, ...] = Field((), description="UMLS semantic types")
    derived: bool = Field(False, description="the types are derived from an open vocabulary, not UMLS's own")
    group: str | None = Field(None, description="UMLS semantic group, such as DISO")
    xrefs: tuple[str, ...] = ()


class Mention(Value):
    """A concept found in a text; offsets count Unicode code points."""

    concept: Concept
    start: int
    end: int
    text: str
    score: Probability = 1.0
    negated: bool = False
    family: bool = Field(False, description="it is said of a relative")


class Triple(Value):
    """A relation between two concepts, with the vocabulary that states it."""

    head: Concept
    relation: str
    tail: Concept
    vocabulary: str

    def __str__(self) -> str:
        return f"[{self.head.name}, {self.relation}, {self.tail.name}]"


class Evidence(Value):
    """One passage that a source returned.

    ``id`` is stable: ``library:<corpus>/<doc>#<passage>``, ``repository:<collection>/<doc>#<passage>``,
    ``knowledge:<CURIE>…``, ``umls:<CUI>#…``, ``given:<n>``, ``pubmed:<pmid>``, ``wikipedia:<page>#<section>``.
    Documents are percent-encoded; the library's are ``medlineplus/<topic>`` and ``medquad/<document>``, by own ids.
    """

    id: str
    text: str
    title: str = ""
    url: str | None = None
    published: str | None = None
    source: str
    certified: bool = False
    level: str | None = Field(None, description="evidence level, where the source states one")
    retracted: bool = False
    notice: str | None = Field(None, description="what a reader must know of it, such as an expression of concern")
    licence: str | None = Field(None, description="under which the text may be shown, where its source asks to say so")
    query: str = Field("", description="the query that found it")
    score: float = Field(0.0, description="the source's own relevance, comparable within one source only")
    about: tuple[str, ...] = Field((), description="ids of the concepts this passage is about, where the source knows")
    same_as: tuple[str, ...] = Field((), description="ids of the same work elsewhere, such as doi:10.1000/1 or pmid:1")
    owner: str | None = None
    version: str | None = None
    reviewed: str | None = None
    expires: str | None = None


class Turn(Value):
    """What one side said in a consultation."""

    role: Literal["patient", "doctor"]
    text: str = Field(min_length=1, max_length=MAX_QUESTION_CHARS)

    def __str__(self) -> str:
        return f"{self.role.capitalize()}: {self.text}"


class Exemplar(Value):
    """A worked example that a prompt shows: a question or a consultation with its knowledge and its answer."""

    id: str
    task: Task
    context: str = Field(description="the question, or the dialogue's turns, a line each")
    answer: str = Field(description="the answer in words, or the doctor's reply")
    options: Mapping[str, str] = Field(default_factory=dict)
    choice: str | None = None
    reasoning: tuple[str, ...] = ()
    knowledge: tuple[str, ...] = Field((), description="triples, each printed as [head, relation, tail]")
    subject: str = Field("", description="what it is about, such as cardiology, or the section of a note")
    source: str = Field("", description="where it comes from, with its licence")
    reviewed: str = Field("", description="who has reviewed it; empty: nobody")


class Failure(Value):
    """A source or step that failed: the reader is told, the rest goes on."""

    source: str = Field(description="the source's name, or “model, ” and the step that its model failed at")
    error: str

    @property
    def of_model(self) -> bool:
        """Whether a model failed at a step, and no source."""
        return self.source.startswith("model, ")

    def __str__(self) -> str:
        return f"{'' if self.of_model else 'source '}{self.source} failed: {self.error}"


class Usage(Value):
    """What a step consumed."""

    model_calls: int = 0
    cached_calls: int = Field(0, description="replies that were kept from before and cost nothing")
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = Field(0.0, description="in the currency of the settings' prices; 0 where they name none")

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            model_calls=self.model_calls + other.model_calls,
            cached_calls=self.cached_calls + other.cached_calls,
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cost=self.cost + other.cost,
        )


class Claim(Value):
    """One statement of an answer or of any text; ``span`` is its place there, in code points."""

    text: str
    span: tuple[Place, Place]
    subject: str | None = None
    predicate: str | None = None
    object: str | None = None
    negated: bool = False
    hedged: bool = False
    cited: tuple[str, ...] = Field((), description="ids of the evidence that the answer cites for it")


class Quote(Value):
    """A verbatim piece of an evidence's text."""

    evidence_id: str
    text: str


class Verdict(Value):
    """What verification found of one claim; ``signals`` holds every number it rests on, None where not available."""

    claim: Claim
    label: Label
    p_supported: Probability
    p_contradicted: Probability
    risk: Probability
    quotes: tuple[Quote, ...] = ()
    why: str = ""
    signals: Mapping[str, float | None] = Field(default_factory=dict)


class Draft(Value):
    """An answer before it is verified."""

    text: str
    choice: str | None = None
    chance: float | None = Field(None, description="how likely the choice is right, where it was weighed")
    reasoning: tuple[str, ...] = ()
    citations: tuple[str, ...] = ()
    claims: tuple[Claim, ...] = ()
    omitted: int = Field(0, description="pieces of evidence that did not fit the model's window")
    engine: str | None = Field(None, description="who wrote it, where that is not the engine of the settings")


class Suggestion(Value):
    """A page near a question that is not answered, and a question that it answers."""

    title: str
    url: str
    question: str = ""


class VerifiedAnswer(Value):
    """What a question gets: an answer with its attestation, or an abstention with its reason."""

    id: str
    question: str
    resolved: str | None = Field(None, description="the question that a follow-up became")
    method: Method = "full"
    urgent: tuple[str, ...] = Field((), description="what the reader must see before the answer, such as: call 112")
    text: str
    choice: str | None = None
    reasoning: tuple[str, ...] = Field((), description="the steps to the draft; a model's own are not verified")
    verdicts: tuple[Verdict, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    citations: tuple[str, ...] = ()
    pointers: tuple[str, ...] = Field((), description="ids of the documents that a reader is pointed to")
    exemplars: tuple[str, ...] = Field((), description="ids of the worked examples that the model was shown")
    omitted: int = Field(0, description="pieces of evidence that did not fit the model's window")
    queries: tuple[str, ...] = ()
    risk: Probability
    abstained: bool = False
    reason: str | None = None
    suggestions: tuple[Suggestion, ...] = Field((), description="pages near the question, where it is not answered")
    notices: tuple[str, ...] = ()
    failures: tuple[Failure, ...] = ()
    engine: str
    rounds: int = 0
    usage: Usage = Usage()
    record: str | None = Field(None, description="in a batch: a digest of the line that asked")


class Outcome(BaseModel, Generic[T]):
    """What every step returns: its value, what failed on the way, and what it consumed."""

    model_config = ConfigDict(frozen=True, arbitrary_types_allowed=True)

    value: T
    failures: tuple[Failure, ...] = ()
    usage: Usage = Usage()


class QuestionSettings(Value):
    """The settings that a door may set for one question; None keeps the configured default."""

    method: Method = "full"
    without: tuple[Part, ...] = ()
    sources: Annotated[tuple[SourceName, ...], Field(min_length=1)] | None = None
    collection: str | None = None
    rounds: int | None = Field(None, ge=0, le=10)
    verbatim: bool = Field(False, description="certified: the document's own text is the answer, to the byte")
    offline: bool = Field(False, description="ask no service: use the replies that are kept, and say what is missing")
    refresh: bool = Field(False, description="ask services anew, whatever replies are kept")

    @property
    def mode(self) -> Literal["normal", "refresh", "offline"]:
        """How services are asked."""
        return "offline" if self.offline else "refresh" if self.refresh else "normal"

    @model_validator(mode="after")
    def _possible(self) -> QuestionSettings:
        if self.offline and self.refresh:
            raise ValueError("offline and refresh exclude each other: leave one out")
        if self.verbatim and self.method != "certified":
            raise ValueError("verbatim gives a certified text as it stands: ask with the method certified")
        if self.collection is not None and self.sources is not None and "repository" not in self.sources:
            raise ValueError(f"the source repository searches the collection {self.collection}: add it to the sources")
        return self


def readable_question(text: str) -> str:
    """The question without what cannot be printed; ValueError where nothing is left of it, or too much."""
    cleaned = "".join(c if c.isprintable() or c in "\n\t" else " " if c.isspace() else "" for c in text).strip()
    if not any(c.isalnum() for c in cleaned):
        raise ValueError("the question is empty: ask one in words")
    if len(cleaned) > MAX_QUESTION_CHARS:
        raise ValueError(
            f"the question has {len(cleaned):,} characters, the limit is {MAX_QUESTION_CHARS:,}: "
            "ask a shorter one and give the rest as --evidence"
        )
    return cleaned


def refuse_too_much(texts: Iterable[str]) -> None:
    """ValueError where texts that are given as evidence are longer together than what is read in a few minutes."""
    size = sum(map(len, texts))
    if size > MAX_EVIDENCE_CHARS:
        raise ValueError(
            f"the evidence has {size:,} characters, the limit of all together is {MAX_EVIDENCE_CHARS:,}: index it"
        )


class Question(Value):
    """A question as it comes through any door."""

    id: str | None = Field(None, max_length=512)
    question: str
    options: dict[str, str] = Field(default_factory=dict, max_length=MAX_OPTIONS)
    history: tuple[Turn, ...] = Field((), max_length=200, description="the consultation so far; the question follows")
    task: Task | None = Field(
        None,
        description="None: choice where there are options, dialogue with a history, otherwise read off the question",
    )
    evidence: tuple[str, ...] = Field((), max_length=1_000)
    max_words: int | None = Field(None, ge=1, le=10_000)
    settings: QuestionSettings = QuestionSettings()

    @field_validator("question")
    @classmethod
    def _readable(cls, text: str) -> str:
        return readable_question(text)

    @field_validator("evidence")
    @classmethod
    def _bounded(cls, texts: tuple[str, ...]) -> tuple[str, ...]:
        refuse_too_much(texts)
        return texts

    @field_validator("options", "evidence")
    @classmethod
    def _encodable(cls, texts: dict[str, str] | tuple[str, ...]) -> dict[str, str] | tuple[str, ...]:
        for text in texts.values() if isinstance(texts, dict) else texts:
            if any("\ud800" <= c <= "\udfff" for c in text):
                raise ValueError("a text has half a character (a lone surrogate): give it as whole Unicode")
        return texts

    @field_validator("options")
    @classmethod
    def _worded(cls, options: dict[str, str]) -> dict[str, str]:
        if len(options) == 1:
            raise ValueError("one option is no choice: give at least two")
        for letter, text in options.items():
            if not letter.strip() or not text.strip():
                raise ValueError(f"option {letter!r} is empty: give it as LETTER=TEXT")
            if len(letter) != 1:
                raise ValueError(f"option {letter!r} has no letter: name each by one, such as A")
        return options

    @model_validator(mode="after")
    def _choosable(self) -> Question:
        if self.task == "choice" and not self.options:
            raise ValueError("a choice needs options: give each as --option LETTER=TEXT")
        return self

    @property
    def key(self) -> str:
        """The given id, otherwise one that is the same whenever the same thing is asked in the same way."""
        return self.id or hashlib.sha256(self.model_dump_json(exclude={"id"}).encode()).hexdigest()[:16]
