from __future__ import annotations

import tomllib

from eval.experiments.yesno_fit import FITTED
from eval.quality import SETS_FOLDER, THRESHOLDS, _chosen, faults


def test_a_figure_below_its_least_or_above_its_most_or_missing_is_a_fault() -> None:
    thresholds = {"search": {"ndcg": {"least": 0.7}, "turned away": {"most": 0.1}, "auc": {"least": 0.5}}}
    assert faults({"search": {"ndcg": 0.7, "turned away": 0.1, "auc": 0.9}}, thresholds) == []
    found = faults({"search": {"ndcg": 0.69, "turned away": 0.11}}, thresholds)
    assert [f.split()[1] for f in found] == ["ndcg", "turned", "auc"]


def test_every_committed_threshold_can_be_missed() -> None:
    for limits in tomllib.loads(THRESHOLDS.read_text()).values():
        for limit in limits.values():
            assert limit.keys() <= {"least", "most"}
            assert 0 < limit.get("least", limit.get("most")) < 1


def test_a_new_set_changes_few_of_the_cases_that_are_drawn() -> None:
    before = [f"question {n}" for n in range(1_000)]
    kept = set(_chosen(before, 100, str)) & set(_chosen([*before, *(f"new {n}" for n in range(50))], 100, str))
    assert len(kept) >= 90


def test_the_newest_questions_teach_nothing() -> None:
    assert {path.name.split(".")[1] for path in SETS_FOLDER.glob("yesno.*.jsonl")} > set(FITTED)
    assert not {"twelfth", "thirteenth", "fourteenth"} & set(FITTED)
