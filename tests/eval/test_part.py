from __future__ import annotations

from eval.retrieval import Benchmark

WHOLE = Benchmark(
    "made",
    [f"title {i}" for i in range(20)],
    [f"text {i}" for i in range(20)],
    [f"query {i}" for i in range(10)],
    [frozenset({i, 19 - i}) for i in range(10)],
)


def test_a_part_keeps_what_is_relevant_to_its_queries_and_fills_up_with_others() -> None:
    part = WHOLE.part(documents=9, queries=3, seed=1)
    assert (len(part.texts), len(part.titles), len(part.queries)) == (9, 9, 3)
    for query, relevant in zip(part.queries, part.relevant, strict=True):
        number = int(query.split()[1])
        assert {part.texts[i] for i in relevant} == {f"text {number}", f"text {19 - number}"}
    assert part == WHOLE.part(documents=9, queries=3, seed=1)
