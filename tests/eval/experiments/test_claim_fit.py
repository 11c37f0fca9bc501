"""Tables of pairs, the fit over them, its ablation and its pictures, on claims that are made up."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from chains.verify.statements.vocabulary import PLAIN
from core.embeddings import MiniLM
from core.errors import InputError
from core.rarity import wordpiece_rarity
from core.schema import Evidence
from eval.experiments import risk_pictures
from eval.experiments.claim_ablation import READING, costs, groups, lines, scores, without
from eval.experiments.claim_fit import cross_validated, decide, fit, told
from eval.experiments.claim_tables import LABELS, Signals, Table, features, keep, kept
from eval.experiments.reading import Collaborators
from eval.experiments.verification_data import Pair


def made(count: int, seed: int = 0) -> Table:
    """Pairs whose containment tells support, and whose negation tells contradiction, as far as chance lets it."""
    rng = np.random.default_rng(seed)
    labels = np.arange(count) % 3
    held = np.where(labels == 2, 0.2, 0.9) + rng.normal(0, 0.1, count)
    denied = np.where(labels == 1, 0.9, 0.0)
    signals: list[Signals] = [
        {"containment_titled": float(h), "negation": float(d), "similarity": None}
        for h, d in zip(held, denied, strict=True)
    ]
    return Table(signals, labels, [str(n) for n in range(count)])


def test_what_was_kept_is_what_was_measured(tmp_path: Path) -> None:
    tables = {"one": made(6), "two": made(3, seed=1)}
    keep(tables, tmp_path / "tables.jsonl")
    found = kept(tmp_path / "tables.jsonl")
    assert list(found) == ["one", "two"]
    assert found["one"].signals == tables["one"].signals
    assert found["two"].labels.tolist() == [0, 1, 2]


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "other.jsonl").write_text('{"claim": "x"}\n')
    with pytest.raises(InputError, match="holds no tables"):
        kept(tmp_path / "other.jsonl")


def test_a_signal_that_no_pair_has_is_no_feature() -> None:
    names, values = features(made(6).signals)
    assert "containment_titled" in names
    assert "similarity" not in names
    assert values.shape == (6, len(names))


def test_what_tells_the_classes_is_learned_and_found_out_of_fold() -> None:
    data = made(90)
    assert decide(told(data, fit(data))) == [LABELS[label] for label in data.labels]
    said = decide(cross_validated(data, seed=0))
    assert np.mean([one == LABELS[gold] for one, gold in zip(said, data.labels, strict=True)]) > 0.9


def test_without_the_signals_that_tell_a_class_its_figure_falls() -> None:
    tables, transfer = {"one": made(60), "two": made(30, 1)}, made(30, 2)
    less = {name: without(data, groups()["negation"]) for name, data in tables.items()}
    whole, ablated = scores(tables, transfer, 0), scores(less, without(transfer, groups()["negation"]), 0)
    assert all(one > other + 0.2 for one, other in zip(whole, ablated, strict=True))
    shown = lines(tables, transfer, dict.fromkeys([*groups(), READING], 1.0), 0)
    assert len(shown) == len(groups()) + 3
    assert any(line.startswith("without negation") for line in shown)


def test_the_costs_are_of_every_group(embedder: MiniLM) -> None:
    by = Collaborators(embedder.encode, wordpiece_rarity(embedder.vocabulary()), PLAIN, None)
    texts = ("Aspirin lowers fever in adults.", "Vitamin C prevents scurvy in sailors.")
    pairs = [
        Pair(
            f"Trials show that {claim.lower()}", Evidence(id=f"given:{n}", text=text, source="given"), "supported", "1"
        )
        for n, (claim, text) in enumerate(zip(texts, texts[::-1], strict=True))
    ]
    spent = costs(pairs, by)
    assert set(spent) == {*groups(), READING}
    assert spent["similarity"] > 0
    assert spent["learned"] < spent["similarity"]


def test_the_pictures_show_each_set_and_stand_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    keep({"one": made(60), "healthver": made(30, 2)}, tmp_path / "tables.jsonl")
    collected = tmp_path / "collected.jsonl"
    collected.write_text(
        "".join(
            f'{{"question": "q{n}", "parts": [{{"p_answers": {0.9 if n % 2 else 0.2}, "outside": 0.0, "unknown": 0.0, '
            f'"lacking": 0.0, "answered": 0.0, "classed": 0.0, "recorded": 0.0, "reads": 1.0, "near": 0.5, '
            f'"unnamed": 0, "side": 0}}], '
            f'"answer": "", '
            f'"useful": {"true" if n % 2 else "false"}}}\n'
            for n in range(20)
        )
    )
    risk_pictures.main(
        ["--claims", str(tmp_path / "tables.jsonl"), "--answers", str(collected), "--to", str(tmp_path / "docs")]
    )
    drawn = {file.name: file.read_text() for file in (tmp_path / "docs").iterdir()}
    names = {f"{kind}-{what}.svg" for kind in ("reliability", "risk-coverage") for what in ("claims", "answers")}
    assert set(drawn) == names
    root = ElementTree.fromstring(drawn["reliability-claims.svg"])
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert "30 pairs of HealthVer, never fitted on" in "".join(root.itertext())
    assert "calibration error" in capsys.readouterr().out
