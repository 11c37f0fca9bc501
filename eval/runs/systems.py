"""What is compared: a method, what is left out of it, the model behind it, and settings that differ."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from core.errors import UsageError
from core.schema import Method, Part, QuestionSettings, Value
from core.settings import Settings, load_settings

NO_MODEL = "none"
"""Names the evidence-only engine where a model is configured."""
_NO_ANSWER = frozenset(
    "home entrez_key umls_key contact model_timeout model_retries model_concurrency model_cache model_price_input "
    "model_price_output source_deadline cache_hours cache_mb max_file_mb max_pdf_pages allowed_hosts max_body_mb "
    "threads tracing wordnet nmiss_context".split()
)
"""Settings that change how, where or at what cost something is answered, but no answer."""


class Graph(Value):
    """The fuzzy concept graph alone, with these of its settings; the membership is the paper's literal one."""

    tau: float
    alpha: float


class System(Value):
    """One way of answering, under the name that tables call it by."""

    name: str
    method: Method = "full"
    without: tuple[Part, ...] = ()
    sources: tuple[str, ...] | None = None
    collection: str | None = None
    bank: str | None = Field(None, description="a file of worked examples that stand in for all others")
    graph: Graph | None = Field(None, description="what a stored text is verified by, and nothing else")
    overrides: dict[str, Any] = Field(default_factory=dict, description="settings that differ from the configured ones")
    configured: str = Field("", description="the digest of all that it rests on beside what stands here")

    @property
    def question_settings(self) -> QuestionSettings:
        """What a question of this system says."""
        return QuestionSettings(
            method=self.method, without=self.without, sources=self.sources, collection=self.collection
        )

    def settings(self) -> Settings:
        """The configured settings with this system's own; SettingsError where one cannot work."""
        return load_settings(**self.overrides)

    def resting(self, settings: Settings) -> System:
        """The system that rests on these configured settings, and on its bank as it is now."""
        told = settings.model_dump_json(exclude=set(_NO_ANSWER))
        bank = Path(self.bank).read_bytes() if self.bank else b""
        return self.model_copy(update={"configured": hashlib.sha256(told.encode() + bank).hexdigest()[:16]})


def systems(
    methods: Sequence[str],
    without: Sequence[str] = (),
    models: Sequence[str] = (),
    *,
    sources: tuple[str, ...] | None = None,
    collection: str | None = None,
    overrides: Mapping[str, Any] | None = None,
) -> list[System]:
    """Every method with every model, whole and with each set of parts left out (``mmr`` or ``mmr,loop``)."""
    variants = [(), *(tuple(p.strip() for p in parts.split(",") if p.strip()) for parts in without)]
    made = []
    for method, model, parts in product(methods or ("full",), models or ("",), variants):
        own = dict(overrides or {})
        if model:
            own["model"] = None if model == NO_MODEL else model
        name = " · ".join(filter(None, (" − ".join([method, *parts]), model)))
        try:
            made.append(
                System(
                    name=name,
                    method=method,
                    without=parts,
                    sources=sources,
                    collection=collection,
                    overrides=own,
                )
            )
        except ValidationError as error:
            faults = "; ".join(f"--{e['loc'][0]}: {e['msg']}" for e in error.errors())
            raise UsageError(faults) from error
    return made
