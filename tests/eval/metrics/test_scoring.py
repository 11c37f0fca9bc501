from __future__ import annotations

import pytest

from core.errors import UsageError
from core.schema import Concept, Mention
from core.settings import Settings
from eval.metrics import METRICS, Scored, Scorers, notices, score
from eval.metrics.ready import scorers
from graphs.resources import Resources

FULL = Scored("1", "What lowers glucose?", "Metformin.", "Metformin lowers it.", "Metformin.", choice="B", gold="A")


def link(text: str) -> list[Mention]:
    """Capitalised words are concepts."""
    return [
        Mention(concept=Concept(id=word.strip("."), name=word), start=0, end=1, text=word)
        for word in text.split()
        if word[0].isupper()
    ]


def test_every_metric_has_a_column_whatever_is_missing() -> None:
    records = [FULL, Scored("2", "", None, None, None)] * 200
    found = score(records, list(METRICS), Scorers())
    assert list(found) == list(METRICS)
    assert all(len(column) == 400 for column in found.values())
    assert all(column[1] is None for column in found.values())
    assert all((column[0] is None) == (METRICS[name].need is not None) for name, column in found.items()
               if name != "accuracy_answered")  # fmt: skip


def test_records_keep_their_order_beyond_one_part() -> None:
    records = [Scored(str(n), "", "a " * n, "a", None) for n in range(600)]
    assert score(records, ["rouge1_p"], Scorers())["rouge1_p"] == [1 / max(1, n) if n else 0.0 for n in range(600)]


def test_choices_are_scored_strictly_and_where_there_is_one() -> None:
    records = [FULL._replace(choice=choice) for choice in ("A", "B", None)] + [FULL._replace(gold=None)]
    found = score(records, ["accuracy", "coverage", "accuracy_answered"], Scorers())
    assert found["accuracy"] == [1.0, 0.0, 0.0, None]
    assert found["coverage"] == [1.0, 1.0, 0.0, None]
    assert found["accuracy_answered"] == [1.0, 0.0, None, None]


def test_entities_are_compared_with_dialogue_and_knowledge_never_the_reference() -> None:
    record = Scored("1", "is Fever bad", "Fever Rash Cough", "Cough", "Rash here", history="Ache", knowledge="Flu")
    (found,) = score([record, record._replace(question="", answer="none", context="", history="", knowledge="")][:1],
                     ["entity_f1"], Scorers(link=link))["entity_f1"]  # fmt: skip
    assert found == pytest.approx(2 * 2 / (3 + 4))
    bare = Scored("1", "is it bad", "no", None, None)
    assert score([bare], ["entity_f1"], Scorers(link=link))["entity_f1"] == [None]


def test_an_unknown_metric_is_named() -> None:
    with pytest.raises(UsageError, match=r"no metric blue4: there are .*bleu4"):
        score([FULL], ["blue4"], Scorers())


def test_a_reader_is_told_what_is_missing_and_which_encoder_stands_behind_a_figure(settings: Settings) -> None:
    names = ["meteor", "bertscore_f1", "perplexity", "feqa", "questeval"]
    resources = Resources(settings)
    told = notices(names, scorers(names, resources))
    resources.close()
    assert "on the vectors of all-MiniLM-L6-v2: bertscore_f1" in told
    assert "not available without a model (MEDATTEST_MODEL): feqa, questeval" in told
    assert not any(each.startswith("asked of") for each in told)
    assert any("log-probabilities" in each and each.endswith(": perplexity") for each in told)
    assert notices(["rouge1_f1"], Scorers()) == ()
