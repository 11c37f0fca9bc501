from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from core.errors import SourceError
from tools.knowledge.interface import Definition, Knowledge
from tools.knowledge.local import LocalKnowledge
from tools.knowledge.store import KnowledgeStore


async def test_the_store_is_asked_as_any_knowledge(store: KnowledgeStore) -> None:
    knowledge: Knowledge = LocalKnowledge(store)
    (concept,) = await knowledge.lookup("spider finger", 5)
    assert concept.name == "Long finger"
    assert await knowledge.concept("HP:0000011") == concept
    assert (await knowledge.names(concept.id))[0] == "Long finger"
    assert await knowledge.definitions(concept.id) == (
        Definition(text="A finger that is long. It is longer than others."),
    )
    assert await knowledge.lookup("spider finger", 0) == ()


async def test_what_the_store_does_not_have_is_nothing(store: KnowledgeStore) -> None:
    knowledge = LocalKnowledge(store)
    assert await knowledge.lookup("unheard of", 5) == ()
    assert await knowledge.concept("HP:7654321") is None
    assert await knowledge.names("HP:7654321") == ()
    assert await knowledge.definitions("HP:7654321") == ()
    assert await knowledge.definitions("HP:0000012") == ()


async def test_a_damaged_store_is_a_source_that_fails(tmp_path: Path) -> None:
    damaged = KnowledgeStore(tmp_path / "knowledge.sqlite", sqlite3.connect(":memory:", check_same_thread=False))
    with pytest.raises(SourceError, match="knowledge: "):
        await LocalKnowledge(damaged).lookup("spider finger", 5)
    damaged.close()


async def test_relations_of_a_concept_are_triples_and_bounded(store: KnowledgeStore) -> None:
    knowledge = LocalKnowledge(store)
    found = await knowledge.relations("HP:0000011", 50)
    assert ("Long finger", "is a", "Abnormal finger") in {(t.head.name, t.relation, t.tail.name) for t in found}
    assert len(found) > 1
    assert len(await knowledge.relations("HP:0000011", 1)) == 1
    assert await knowledge.relations("HP:0000011", 0) == ()
    assert await knowledge.relations("HP:7654321", 5) == ()
