from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.knowledge.linking.forms import MASK, PART, form, without_possessives
from tools.knowledge.linking.index import EXACT_CASE, FOLDED, UNLINKED, IndexBuilder, NamedRow, weights
from tools.knowledge.linking.matching import named
from tools.knowledge.linking.reading import read


def modes(tmp_path: Path, *names: NamedRow) -> list[int]:
    builder = IndexBuilder(tmp_path)
    try:
        return builder.add(names)
    finally:
        builder.close()


@pytest.mark.parametrize(
    ("name", "kind", "mode"),
    [
        ("Arachnodactyly", "preferred", FOLDED),
        ("Long slender fingers", "layperson", FOLDED),
        ("ADHD", "exact", EXACT_CASE),
        ("CyN", "abbreviation", EXACT_CASE),
        ("9 MG", "exact", EXACT_CASE),
        ("MI", "abbreviation", UNLINKED),
        ("ALL", "abbreviation", UNLINKED),
        ("All", "preferred", UNLINKED),
        ("Corn", "layperson", UNLINKED),
        ("Syndromes", "preferred", UNLINKED),
        ("Thin hand", "related", UNLINKED),
        ("17", "preferred", UNLINKED),
        ("--", "preferred", UNLINKED),
    ],
)
def test_what_may_be_linked(tmp_path: Path, name: str, kind: str, mode: int) -> None:
    assert modes(tmp_path, NamedRow(name, kind, 1, True, True)) == [mode]


def test_single_words_of_plain_branches_are_not_linked(tmp_path: Path) -> None:
    mild = NamedRow("Mild", "preferred", 1, linked=True, single_words=False)
    onset = NamedRow("Childhood onset", "preferred", 2, linked=True, single_words=False)
    assert modes(tmp_path, mild, onset) == [UNLINKED, FOLDED]


def slow_row(name: str) -> tuple[int, int]:
    """The sum of a name's words, and that sum by place: word by word, in plain integers."""
    words = [form(word) for word in PART.findall(without_possessives(name))]
    content = [word for word in words if word.among]
    numbers = [content[0].alone] if len(content) == 1 else [word.among for word in content]
    placed = (number * weight for number, weight in zip(numbers, weights(), strict=False))
    return sum(numbers) & MASK, sum(placed) & MASK


@given(st.lists(st.text("abAB of,'s-1", min_size=1, max_size=30), min_size=1, max_size=8))
def test_rows_are_what_plain_integers_give(tmp_path_factory: pytest.TempPathFactory, names: list[str]) -> None:
    builder = IndexBuilder(tmp_path_factory.mktemp("index"))
    builder.add([NamedRow(name, "exact", n, True, True) for n, name in enumerate(names)])
    rows = np.concatenate(list(builder.sorted_rows()))
    builder.close()
    assert list(rows["bag"]) == sorted(rows["bag"])
    found = {int(row["name"]): (int(row["bag"]), int(row["order"])) for row in rows}
    wanted = {n: slow_row(name) for n, name in enumerate(names, 1) if any(form(w).among for w in PART.findall(name))}
    assert {n: wanted[n] for n in found} == found


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Crohn's diseases, type II", "Crohn disease type 2"),
        ("cancer of the lung", "lung cancers"),
        ("haemorrhagic tumour", "hemorrhagic tumor"),
        ("Sjögren syndrome", "Sjogren syndrome"),
        ("β-thalassaemia", "beta thalassemia"),
    ],
)
def test_forms_fold_what_does_not_change_the_meaning(one: str, other: str) -> None:
    assert sorted(read(one).among.tolist()) == sorted(read(other).among.tolist())


@pytest.mark.parametrize(("one", "other"), [("sinus", "sinusitis"), ("into", "intoe"), ("bronchitis", "bronchus")])
def test_single_words_fold_their_number_alone(one: str, other: str) -> None:
    assert form(one).alone != form(other).alone
    assert form(one).among != form(other).among or one == "into"


def test_nothing_is_named_by_no_word() -> None:
    assert named(read("of the"), None) == []  # type: ignore[arg-type]  # an empty reading never asks the index
