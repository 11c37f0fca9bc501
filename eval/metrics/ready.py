"""The collaborators that this machine has for the metrics that are asked for; nothing else is loaded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TypeVar

from chains.claims import split_claims
from chains.verify import VerifyInput
from core.errors import DataMissing
from core.model.provider import chat_model
from core.schema import Evidence
from eval.metrics.encoders import TokenReader, minilm_tokens
from eval.metrics.perplexity import LogProbabilities
from eval.metrics.registry import METRICS
from eval.metrics.scorers import Scorers
from eval.metrics.support import Supports
from graphs.resources import Resources

T = TypeVar("T")


def scorers(names: Sequence[str], resources: Resources) -> Scorers:
    """What the named metrics need, as far as the settings name it and it is installed."""
    needs = {METRICS[name].need for name in names}
    settings = resources.settings
    chat = chat_model(settings) if "log-probabilities" in needs else None
    return Scorers(
        encoder=_installed(lambda: _encoder(resources)) if "encoder" in needs else None,
        link=_installed(lambda: resources.linker.link) if "linker" in needs else None,
        model=resources.model if "model" in needs else None,
        log_probabilities=LogProbabilities(chat) if chat else None,
        asked=settings.model or "",
        claims=_claims if "verifier" in needs else None,
        supports=_installed(lambda: _supports(resources)) if "verifier" in needs else None,
        wordnet=settings.wordnet if (settings.wordnet / "index.noun").is_file() else None,
        whole=settings.nmiss_context == "answer",
    )


def _encoder(resources: Resources) -> TokenReader:
    """The encoder that MEDATTEST_EMBEDDER names, token by token."""
    settings = resources.settings
    if settings.embedder == "minilm":
        return minilm_tokens(settings.home, settings.threads)
    from core.hf.encoders import load_encoder

    named = load_encoder(settings.embedder, settings.home, settings.threads)
    return TokenReader(named.name, named.tokens, named.states)


def _claims(text: str) -> list[str]:
    return [claim.text for claim in split_claims(text)]


def _supports(resources: Resources) -> Supports:
    """Verification without a model, so that figures of answers by different models compare."""
    verifier = resources.evidence_only.verifier("signals")

    def each(evidence: str, statement: str) -> bool:
        shown = Evidence(id="given:1", text=evidence, title="", source="given")
        claims = split_claims(statement)
        verdicts = verifier.invoke(VerifyInput(claims, (shown,))).value if evidence else ()
        return bool(verdicts) and all(verdict.label == "supported" for verdict in verdicts)

    return lambda pairs: [each(*pair) for pair in pairs]


def _installed(load: Callable[[], T]) -> T | None:
    with suppress(DataMissing):
        return load()
    return None
