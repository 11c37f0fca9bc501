from __future__ import annotations

from eval.experiments.privacy import read, tally


def test_the_sentences_are_enough_and_their_places_fit() -> None:
    rows = read()
    assert len(rows) >= 120
    for row in rows:
        for identifier in row["identifiers"]:
            assert row["text"][identifier["start"] : identifier["end"]].strip()


def test_the_rules_do_what_they_did_when_they_were_measured() -> None:
    rows = read()
    fresh = tally([row for row in rows if row["split"] == "fresh"])
    assert fresh.recall >= 33 / 36
    assert fresh.precision >= 0.96
    assert tally([row for row in rows if row["split"] == "examples"]).faults == []
