"""What the graph over the concepts of some texts says of pairs of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from core.embeddings import Encode
from core.errors import InputError
from core.schema import Concept
from tools.knowledge import around
from tools.knowledge.around import Shape, balances
from tools.knowledge.store import KnowledgeStore

ANGLES: Mapping[str, float] = {"Long finger": 0, "Marlow syndrome": 25, "Sinusitis": 35, "Cloudy lens": 170}
"""Names as directions in the plane, in degrees: near ones are alike."""


def by_angle(texts: Sequence[str]) -> NDArray[np.float32]:
    turned = np.radians([ANGLES[text] for text in texts])
    return np.stack([np.cos(turned), np.sin(turned)], axis=1).astype(np.float32)


@pytest.fixture
def named(store: KnowledgeStore) -> Mapping[str, Concept]:
    return {name: store.lookup(name)[0] for name in ANGLES}


def test_alike_concepts_support_each_other_and_denied_ones_do_not(
    store: KnowledgeStore, named: Mapping[str, Concept]
) -> None:
    finger, syndrome, sinusitis, lens = named.values()
    like, denied, far = balances(store, by_angle, [(finger, syndrome), (sinusitis, syndrome), (finger, lens)], [])
    assert like is not None
    assert like.p_net > 0.5
    assert like.p_net == pytest.approx(like.support / (like.support + like.contradiction), abs=1e-6)
    assert denied is not None
    assert denied.contradiction >= 0.9
    assert denied.p_net < 0.5
    assert far is None


def test_the_context_joins_what_is_far_apart(store: KnowledgeStore, named: Mapping[str, Concept]) -> None:
    def turned(texts: Sequence[str]) -> NDArray[np.float32]:
        return by_angle([{"Sinusitis": "Cloudy lens", "Cloudy lens": "Sinusitis"}.get(text, text) for text in texts])

    finger, syndrome, sinusitis, lens = named.values()
    encode: Encode = turned
    assert balances(store, encode, [(finger, sinusitis)], [syndrome, lens]) == [None]
    (alone,) = balances(store, encode, [(finger, lens)], [])
    (amid,) = balances(store, encode, [(finger, lens)], [syndrome])
    assert amid is not None
    assert alone is None or amid.support >= alone.support


LITERAL = Shape(slope=1.0, midpoint=0.0, tau=0.5, neighbours=0, denials=False)


def test_the_papers_letter_joins_all_above_tau_and_knows_no_denial(
    store: KnowledgeStore, named: Mapping[str, Concept]
) -> None:
    finger, syndrome, sinusitis, _ = named.values()
    (default,) = balances(store, by_angle, [(sinusitis, syndrome)], [finger])
    (literal,) = balances(store, by_angle, [(sinusitis, syndrome)], [finger], LITERAL)
    assert default is not None
    assert literal is not None
    assert default.p_net < 0.1 < 0.5 < literal.p_net
    # One hop between directions 10° apart, by the paper's sigmoid, times alpha.
    assert literal.support == pytest.approx(0.9 / (1 + np.exp(-np.cos(np.radians(10)))), abs=1e-4)


def test_paths_are_counted_as_the_shape_says(store: KnowledgeStore, named: Mapping[str, Concept]) -> None:
    finger, syndrome, sinusitis, _ = named.values()
    found = {
        way: balances(store, by_angle, [(finger, syndrome)], [sinusitis], LITERAL._replace(aggregation=way))[0]
        for way in ("max", "sum", "noisy-or")
    }
    support = {way: balance.support for way, balance in found.items() if balance}
    assert support["max"] < support["noisy-or"] < support["sum"]


def test_without_a_limit_too_many_concepts_are_refused(
    store: KnowledgeStore, named: Mapping[str, Concept], monkeypatch: pytest.MonkeyPatch
) -> None:
    finger, syndrome, *rest = named.values()
    monkeypatch.setattr(around, "LITERAL_NODES", 3)
    with pytest.raises(InputError, match="GRAPH_NEIGHBOURS"):
        balances(store, by_angle, [(finger, syndrome)], rest, LITERAL)


def test_without_pairs_nothing_is_embedded(store: KnowledgeStore, named: Mapping[str, Concept]) -> None:
    def refuse(texts: Sequence[str]) -> NDArray[np.float32]:
        raise AssertionError("nothing was to be embedded")

    assert balances(store, refuse, [], list(named.values())) == []
