"""The steps that a model does, in place of the evidence-only ones; what it fails at, they do."""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING

from graphs.engine import EvidenceSteps

if TYPE_CHECKING:  # what is imported here is imported for real when it is first built
    from langchain_core.runnables import Runnable

    from chains.answer.given import AnswerInput
    from chains.claims import ClaimInput
    from chains.expand import ExpandInput
    from chains.plan import Verification
    from chains.revise import ReviseInput, Revision
    from chains.select.exemplars import ExemplarInput
    from chains.verify import VerifyInput
    from core.model.client import Model
    from core.schema import Claim, Draft, Exemplar, Method, Outcome, Verdict
    from graphs.resources import Resources


class ModelSteps(EvidenceSteps):
    """The steps of the engine with a model."""

    def __init__(self, resources: Resources, model: Model) -> None:
        super().__init__(resources)
        self.model = model
        self._exemplifiers: dict[Method, Runnable[ExemplarInput, Outcome[tuple[Exemplar, ...]]]] = {}

    def check(self, method: Method) -> None:
        """Every method can be done with a model."""

    def reads(self, language: str) -> bool:
        """Any language: the model reads it, and writes queries in English."""
        return True

    def exemplifier(self, method: Method) -> Runnable[ExemplarInput, Outcome[tuple[Exemplar, ...]]]:
        """From a question and its knowledge to worked examples: fixed ones, or by H2ES over the method's encoder."""
        if method not in self._exemplifiers:
            self._exemplifiers[method] = self._exemplifier_of(method)
        return self._exemplifiers[method]

    @cached_property
    def expander(self) -> Runnable[ExpandInput, Outcome[tuple[str, ...]]]:
        """From a question to the model's phrasings of it."""
        from chains.expand import model_expander

        return model_expander(self.model, self.resources.evidence_only.expander, self.resources.settings.queries)

    @cached_property
    def hypothesizer(self) -> Runnable[str, Outcome[str]]:
        """From a question to the document that the model imagines."""
        from chains.hypothetical import model_hypothesizer

        return model_hypothesizer(self.model)

    @cached_property
    def answerer(self) -> Runnable[AnswerInput, Outcome[Draft]]:
        """From evidence to the model's draft; to quotes of the evidence where it fails to write one."""
        from chains.answer.by_model import model_answerer
        from chains.answer.rescue import rescued
        from chains.answer.verbatim import or_verbatim

        output, quoting = self.resources.settings.model_output, self.resources.evidence_only
        by_model = model_answerer(self.model, self.claim_splitter, output, quoting.claim_splitter)
        return or_verbatim(rescued(by_model, quoting.quoting_answerer, quoting.reads))

    @cached_property
    def claim_splitter(self) -> Runnable[ClaimInput, Outcome[tuple[Claim, ...]]]:
        """From a text to the claims that the model finds in it."""
        from chains.claims_by_model import model_claim_splitter

        return model_claim_splitter(self.model, self.resources.evidence_only.claim_splitter)

    def verifier(self, verification: Verification) -> Runnable[VerifyInput, Outcome[tuple[Verdict, ...]]]:
        """From claims and evidence to verdicts; in full, the model judges beside the signals."""
        from chains.verify.wary import wary_verifier

        if verification == "full":
            return self._full_verifier
        verifier = self.resources.evidence_only.verifier(verification)
        return wary_verifier(verifier) if verification == "signals" else verifier

    @cached_property
    def reviser(self) -> Runnable[ReviseInput, Outcome[Revision]]:
        """From a draft to what the model makes of its attested claims."""
        from chains.revise_by_model import model_reviser

        return model_reviser(self.model)

    def _exemplifier_of(self, method: Method) -> Runnable[ExemplarInput, Outcome[tuple[Exemplar, ...]]]:
        from chains.select.exemplars import exemplar_selector
        from core.embeddings import encode_queries

        r, s = self.resources, self.resources.settings_of(method)
        encode = partial(encode_queries, r.embedder_of(method))
        return exemplar_selector(
            r.exemplars_of(method),
            encode,
            s.exemplars,
            s.exemplar_pool,
            s.exemplar_lambda,
            s.exemplar_scaled,
            fixed=s.fixed_exemplars,
        )

    @cached_property
    def _full_verifier(self) -> Runnable[VerifyInput, Outcome[tuple[Verdict, ...]]]:
        from chains.verify.by_model import model_verifier

        r = self.resources
        return model_verifier(self.model, r.minilm.encode, r.rarity, self._vocabulary, r.readers.entails)
