"""What the graph costs over calling the same functions in plain asyncio, without and with SQLite checkpoints."""

from __future__ import annotations

import asyncio
import tempfile
from datetime import date
from itertools import count
from pathlib import Path

from chains.answer.given import AnswerInput
from chains.answer_risk import calibrated, missing_words
from chains.attest import attested_verdicts
from chains.expand import ExpandInput
from chains.finalize import Ending, answered
from chains.followup import FollowUp
from chains.plan import plan_of
from chains.question import UnderstandInput
from chains.relevance.weigh import WeighInput
from chains.select.duplicates import distinct_evidence
from chains.select.evidence import SelectInput
from chains.telling import TellingInput
from chains.verify import VerifyInput
from core.schema import Question, Usage, VerifiedAnswer
from core.settings import load_settings
from core.source import SourceQuery
from eval.bench.clock import median_seconds
from graphs.medical_qa import build_graph
from graphs.resources import Resources
from graphs.threads import open_threads

QUESTION = "What are the features of Marfan syndrome?"
CALLS = 30


async def plain(resources: Resources, asked: Question) -> VerifiedAnswer:
    """The agent's way of a question that is attested at once, without a graph."""
    typed = (await resources.invoke(lambda s: s.typist, asked.question)).value
    resolved = (await resources.invoke(lambda s: s.follow_up, FollowUp(typed.text, ()))).value
    _, screened = await asyncio.gather(
        resources.invoke(lambda s: s.alarm_raiser, asked.question), resources.invoke(lambda s: s.screener, resolved)
    )
    scope = screened.value
    linked = await resources.invoke(lambda r: r.concept_linker, asked)
    understanding = (await resources.invoke(lambda r: r.understander, UnderstandInput(asked, linked.value))).value
    await resources.invoke(lambda r: r.relater, understanding)
    expanded = await resources.invoke(lambda r: r.expander, ExpandInput(understanding))
    queries = (asked.question, *expanded.value)
    concepts = tuple(m.concept for m in understanding.mentions)
    query = SourceQuery(queries=queries, concepts=concepts, limit=resources.settings.retrieve)
    sources = [await resources.source(name) for name in resources.sources.names(None)]
    found = await asyncio.gather(*(source.search(query) for source in sources))
    candidates = distinct_evidence(e for evidence in found for e in evidence)
    missing = missing_words(typed.unknown, candidates)
    weighed = (await resources.invoke(lambda r: r.weigher, WeighInput(understanding, candidates))).value
    heard = resources.relevance.answered(understanding.text, candidates)
    relevance = calibrated(understanding, candidates, weighed, scope, missing, resources.rarity, answered=heard)
    selected = (await resources.invoke(lambda r: r.selector("full"), SelectInput(candidates, relevance, queries))).value
    relevance = {e.id: relevance[e.id] for e in selected}
    draft = (await resources.invoke(lambda r: r.answerer, AnswerInput(asked, understanding, selected, relevance))).value
    told = (await resources.invoke(lambda r: r.teller, TellingInput(draft, understanding, [relevance]))).value
    given = VerifyInput(draft.claims, selected, told)
    verdicts = attested_verdicts((await resources.invoke(lambda s: s.verifier("full"), given)).value, selected)
    return answered(
        Ending(
            question=asked,
            resolved=resolved,
            understanding=understanding,
            draft=draft,
            verdicts=verdicts,
            evidence=selected,
            relevance=relevance,
            queries=queries,
            exemplars=(),
            failures=(),
            usage=Usage(),
            rounds=0,
            engine=resources.engine,
            notices=(),
            alarms=(),
            scope=scope,
            missing=missing,
            unfounded=(),
            widened=None,
            plan=plan_of(asked.settings),
            today=date.today(),
        )
    )


async def measure() -> dict[str, float]:
    """Print the three medians and the two differences, in milliseconds."""
    resources = Resources(load_settings())
    asked, graph, numbers = Question(question=QUESTION), build_graph(resources), count()
    expected = await plain(resources, asked)
    if (await graph.ainvoke({"question": QUESTION}))["answer"] != expected:
        raise AssertionError("graph and plain functions answer differently: their times cannot be compared")
    bare = await median_seconds(lambda _: plain(resources, asked), CALLS)
    wired = await median_seconds(lambda _: graph.ainvoke({"question": QUESTION}), CALLS)
    with tempfile.TemporaryDirectory() as home:
        async with open_threads(Path(home)) as checkpointer:
            kept = build_graph(resources, checkpointer)
            threaded = await median_seconds(
                lambda _: kept.ainvoke({"question": QUESTION}, {"configurable": {"thread_id": str(next(numbers))}}),
                CALLS,
            )
    resources.close()
    print(
        f"Graph, median of {CALLS} warm questions: plain asyncio {bare * 1e3:.1f} ms, graph {wired * 1e3:.1f} ms "
        f"(+{(wired - bare) * 1e3:.1f} ms), with SQLite {threaded * 1e3:.1f} ms (+{(threaded - bare) * 1e3:.1f} ms)"
    )
    return {"graph_ms": (wired - bare) * 1e3, "sqlite_ms": (threaded - bare) * 1e3}


def main() -> dict[str, float]:
    """Measure."""
    return asyncio.run(measure())


if __name__ == "__main__":
    main()
