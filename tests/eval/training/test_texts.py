from __future__ import annotations

import json
from pathlib import Path

from eval.data.held_out import held_out
from eval.training.scifact import kept_out
from eval.training.texts import texts

MEASURED = "This answer is measured and so nothing that shares thirteen of its words in a row may be learnt from."


def write(path: Path, *lines: object) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def test_what_is_measured_held_out_or_listed_by_an_ontology_is_no_text_to_learn_from(tmp_path: Path) -> None:
    apart = next(f"zorb{n}x" for n in range(100) if held_out(f"zorb{n}x"))
    known = next(f"zorb{n}x" for n in range(100) if not held_out(f"zorb{n}x"))
    cited = next(n for n in range(100) if kept_out(n))
    answers = ["It hurts. The Human Phenotype Ontology provides a list.", MEASURED]
    pairs = [{"question": "What is it?", "answer": answer} for answer in answers]
    write(tmp_path / "medquad" / "medquad_open.jsonl", {"focus": known, "qa": pairs}, {"focus": apart, "qa": pairs})
    write(tmp_path / "mediqa_qa" / "alexa.jsonl", {"answers": [{"text": MEASURED}]})
    abstracts = [{"doc_id": n, "title": f"Title {n}.", "abstract": [f"Told {n}."]} for n in (1, 2)]
    write(tmp_path / "scifact" / "corpus.jsonl", *abstracts)
    claim = {"id": cited, "claim": "c", "evidence": {}, "cited_doc_ids": [2]}
    write(tmp_path / "scifact" / "claims_train.jsonl", claim)
    topics = tmp_path / "topics.jsonl"
    write(
        topics, {"title": known, "text": "Told."}, {"title": apart, "text": "Told."}, {"title": known, "text": MEASURED}
    )
    found = list(texts(tmp_path, topics))
    assert found[:3] == ["What is it? It hurts. ", f"{known}. Told.", "Title 1. Told 1."]
    assert not any(MEASURED in text or apart in text or "Title 2" in text for text in found)
