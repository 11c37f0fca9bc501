"""The steps of the evidence-only engine, each built once, when it is first needed, over the collaborators."""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING

from core.errors import UsageError

if TYPE_CHECKING:  # what is imported here is imported for real when it is first built
    from langchain_core.runnables import Runnable

    from chains.answer.given import AnswerInput
    from chains.claims import ClaimInput
    from chains.expand import ExpandInput
    from chains.followup import FollowUp
    from chains.plan import Verification
    from chains.premise import PremiseInput
    from chains.queries import QueriesWritten
    from chains.question import UnderstandInput
    from chains.refine import RefineInput
    from chains.relevance.weigh import WeighInput
    from chains.revise import ReviseInput, Revision
    from chains.safety import Alarm
    from chains.scope import Scope
    from chains.select.evidence import SelectInput
    from chains.select.exemplars import ExemplarInput
    from chains.telling import TellingInput
    from chains.typed import Typed
    from chains.understanding import Understanding
    from chains.verify import VerifyInput
    from chains.verify.statements.vocabulary import Vocabulary
    from chains.widen import Widened, WidenInput
    from core.schema import Claim, Draft, Evidence, Exemplar, Mention, Method, Outcome, Question, Triple, Verdict
    from graphs.resources import Resources


class EvidenceSteps:
    """The steps as they are done without a model."""

    def __init__(self, resources: Resources) -> None:
        self.resources = resources

    def check(self, method: Method) -> None:
        """Raise UsageError where a method cannot be done by this engine."""
        if method == "vanilla":
            raise UsageError("the method vanilla asks a model alone: set MEDATTEST_MODEL, or use another method")

    def reads(self, language: str) -> bool:
        """Whether a question in that language (ISO 639-1) can be answered."""
        return language == "en"

    @cached_property
    def alarm_raiser(self) -> Runnable[str, Outcome[tuple[Alarm, ...]]]:
        """From what a patient says to the signs of danger in it."""
        from chains.safety import alarm_raiser

        return alarm_raiser(self.resources.minilm.encode)

    @cached_property
    def typist(self) -> Runnable[str, Outcome[Typed]]:
        """From a question as it was typed to the words that texts have."""
        from chains.typed import Words, typist

        linker = self.resources.linker
        return typist(Words(linker.knows, linker.correction, self.resources.minilm.vocabulary().__contains__))

    @cached_property
    def screener(self) -> Runnable[str, Outcome[Scope]]:
        """From a question to whether general texts can answer it."""
        from chains.scope import screener

        return screener(self.resources.minilm.encode, self.resources.linker.link)

    @cached_property
    def follow_up(self) -> Runnable[FollowUp, Outcome[str]]:
        """From a question and those before it to one that stands alone."""
        from chains.followup import follow_up

        return follow_up(self.resources.linker.link)

    @cached_property
    def concept_linker(self) -> Runnable[Question, Outcome[tuple[Mention, ...]]]:
        """From a question to the concepts that it mentions."""
        from chains.link import concept_linker

        return concept_linker(self.resources.linker.link)

    @cached_property
    def understander(self) -> Runnable[UnderstandInput, Outcome[Understanding]]:
        """From a question to what it is about."""
        from chains.question import understander

        return understander(self.resources.names)

    @cached_property
    def widener(self) -> Runnable[WidenInput, Outcome[Widened | None]]:
        """From a question about a medicine to the same of all medicines of its kind."""
        from chains.widen import widener

        return widener(self.resources.kinds)

    @cached_property
    def relater(self) -> Runnable[Understanding, Outcome[tuple[Triple, ...]]]:
        """From what a question is about to what the vocabularies state of it."""
        from chains.triples import relater

        return relater(self.resources.knowledge.triples, self.resources.settings.triples)

    def exemplifier(self, method: Method) -> Runnable[ExemplarInput, Outcome[tuple[Exemplar, ...]]]:
        """From a question and its knowledge to worked examples; none where nobody reads them."""
        from chains.select.exemplars import no_exemplars

        return no_exemplars()

    @cached_property
    def expander(self) -> Runnable[ExpandInput, Outcome[tuple[str, ...]]]:
        """From a question to other phrasings of it."""
        from chains.expand import expander

        return expander(self.resources.names, self.resources.settings.queries)

    @cached_property
    def hypothesizer(self) -> Runnable[str, Outcome[str]]:
        """From a question to a document that would answer it."""
        from chains.hypothetical import hypothesizer

        return hypothesizer()

    @cached_property
    def query_writer(self) -> Runnable[ExpandInput, Outcome[QueriesWritten]]:
        """From a question to what is searched for."""
        from chains.queries import query_writer

        return query_writer(self.expander, self.hypothesizer)

    @cached_property
    def refiner(self) -> Runnable[RefineInput, Outcome[tuple[str, ...]]]:
        """From weak claims to new queries."""
        from chains.refine import refiner

        return refiner(self.resources.names, self.resources.broader, self.resources.settings.queries)

    @cached_property
    def weigher(self) -> Runnable[WeighInput, Outcome[dict[str, float]]]:
        """From evidence to the probability that each piece answers the question."""
        from chains.relevance.weigh import weigher

        r = self.resources
        return weigher(
            r.rarity,
            encode=r.minilm.encode,
            vectors=r.relevance.vectors,
            read=r.readers.answers,
            known=r.relevance.known,
        )

    @cached_property
    def ranker(self) -> Runnable[WeighInput, Outcome[dict[str, float]]]:
        """As ``weigher``, every passage read, however many: for those who have their own retrieval."""
        from chains.relevance.weigh import weigher

        r = self.resources
        return weigher(
            r.rarity,
            encode=r.minilm.encode,
            vectors=r.relevance.vectors,
            read=r.readers.answers,
            most_read=10**6,
        )

    def selector(self, method: Method) -> Runnable[SelectInput, Outcome[tuple[Evidence, ...]]]:
        """From candidates to the few that go on, compared by the method's encoder."""
        from chains.select.evidence import selector
        from chains.verify.risk import strength
        from core.embeddings import encode_queries

        r, s = self.resources, self.resources.settings_of(method)
        scorer, encoder = r.cross_encoder, r.embedder_of(method)
        return selector(
            partial(r.vectors, by=encoder),
            partial(encode_queries, encoder),
            s.select,
            s.mmr_lambda,
            strength=lambda evidence: 1.0 - s.strength_weight * (1.0 - strength(evidence)),
            rescore=scorer.score if scorer else None,
        )

    @cached_property
    def answerer(self) -> Runnable[AnswerInput, Outcome[Draft]]:
        """From evidence to a draft."""
        from chains.answer.verbatim import or_verbatim

        return or_verbatim(self.quoting_answerer)

    @cached_property
    def quoting_answerer(self) -> Runnable[AnswerInput, Outcome[Draft]]:
        """From evidence to a draft made of its own sentences."""
        from chains.answer.by_task import answerer

        r = self.resources
        return answerer(
            r.minilm.encode,
            r.rarity,
            r.settings.answer_sentences,
            r.relevance.sentence_scores,
            self._vocabulary,
            r.readers.entails,
            r.readers.answers,
        )

    @cached_property
    def claim_splitter(self) -> Runnable[ClaimInput, Outcome[tuple[Claim, ...]]]:
        """From a text to its claims."""
        from chains.claims import claim_splitter

        return claim_splitter(self.resources.linker.link)

    @cached_property
    def teller(self) -> Runnable[TellingInput, Outcome[dict[str, float]]]:
        """From a draft to how likely it tells, by each piece of evidence, what was asked."""
        from chains.telling import telling

        return telling(self.resources.minilm.encode, self.resources.readers.answers)

    @cached_property
    def premiser(self) -> Runnable[PremiseInput, Outcome[tuple[str, ...]]]:
        """From a question and its evidence to what it takes for granted, and nothing says."""
        from chains.premise import premiser

        r = self.resources
        return premiser(r.minilm.encode, r.rarity, self._vocabulary, r.readers.entails)

    def verifier(self, verification: Verification) -> Runnable[VerifyInput, Outcome[tuple[Verdict, ...]]]:
        """From claims and evidence to verdicts, by whoever is to judge them."""
        if verification == "graph":
            return self._graph_verifier
        return self._literal_verifier if verification == "graph-literal" else self._signals_verifier

    @cached_property
    def reviser(self) -> Runnable[ReviseInput, Outcome[Revision]]:
        """From a draft to what of it is attested."""
        from chains.revise import reviser

        return reviser()

    @cached_property
    def _signals_verifier(self) -> Runnable[VerifyInput, Outcome[tuple[Verdict, ...]]]:
        from chains.verify import verifier

        r = self.resources
        return verifier(r.minilm.encode, r.rarity, self._vocabulary, r.readers.entails)

    @cached_property
    def _vocabulary(self) -> Vocabulary:
        """How names are compared: by their concepts, these by kinds and synonyms, and phrases by what they mean."""
        from chains.verify.statements.vocabulary import Vocabulary

        r = self.resources
        return Vocabulary(r.linker.link, r.knowledge.ancestors, r.names, r.minilm.encode)

    @cached_property
    def _graph_verifier(self) -> Runnable[VerifyInput, Outcome[tuple[Verdict, ...]]]:
        from chains.verify.by_graph import graph_verifier

        r = self.resources
        return graph_verifier(r.path_balances, r.minilm.encode, r.rarity, r.linker.link)

    @cached_property
    def _literal_verifier(self) -> Runnable[VerifyInput, Outcome[tuple[Verdict, ...]]]:
        from chains.verify.by_graph import graph_verifier

        r = self.resources
        return graph_verifier(
            partial(r.path_balances, method="graph-literal"), r.minilm.encode, r.rarity, r.linker.link
        )
