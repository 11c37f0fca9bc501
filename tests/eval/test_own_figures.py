"""One command prints the project's own figures, each with its interval and what it stands beside."""

from __future__ import annotations

import json
import re
import sys
from itertools import count
from pathlib import Path

import pytest

from eval.datasets.recorded import REPLIES
from eval.own_figures import main
from eval.training.scifact import kept_out

OPTIONS = {"A": "gout", "B": "lupus"}
UNREAD = next(n for n in count() if kept_out(n))
READ = next(n for n in count() if not kept_out(n))


def write(path: Path, *rows: object) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    asked = {"question": "Does glimepride tea lower fever?", "sections": [{"text": "Glimepride tea lowers fever."}]}
    write(tmp_path / "pubmedqa" / "dev.jsonl", *({"pmid": str(n), **asked, "answer": "yes"} for n in range(3)))
    questions = [{"id": kind, "type": kind, "question": asked["question"], "exact_answer": "yes"} for kind in
                 ("yesno", "factoid")]  # fmt: skip
    write(tmp_path / "bioasq" / "questions.jsonl", *({**q, "relevant_pmids": ["7"]} for q in questions))
    write(tmp_path / "bioasq" / "corpus.jsonl", {"pmid": "7", "text": "Glimepride tea lowers fever."})
    claim = {"claim": "Tea lowers fever.", "cited_doc_ids": [7], "evidence": {"7": [{"label": "SUPPORT"}]}}
    write(tmp_path / "scifact" / "claims_train.jsonl", *({"id": n, **claim} for n in (READ, UNREAD)))
    write(tmp_path / "scifact" / "corpus.jsonl", {"doc_id": 7, "title": "Tea", "abstract": ["Tea lowers fever."]})
    write(tmp_path / "mirage" / "mmlu_dev.jsonl", {"id": "1", "question": "Which?", "options": OPTIONS, "answer": "B"})
    said = {"dataset": "mmlu", "id": "1", "setting": "cot", "llm": "somebody", "raw": '{"answer_choice": "B"}'}
    write(tmp_path / "mirage" / REPLIES, said)
    return tmp_path


def test_the_report_holds_every_set_with_its_baselines(
    data: Path, model_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEDATTEST_HOME", str(model_home))
    out, runs = tmp_path / "report.md", tmp_path / "runs"
    given = ["own_figures", "--data", str(data), "--limit", "2", "--out", str(out), "--runs", str(runs)]
    monkeypatch.setattr(sys, "argv", given)
    main()
    said = out.read_text(encoding="utf-8")
    sections = {part.partition("\n")[0]: part for part in said.split("\n## ")[1:]}
    assert [*sections][:4] == ["pubmedqa", "bioasq", "scifact", "mirage"]
    assert re.search(
        r"\| accuracy \|( \d\.\d{3} \[.*\] \|){2} 1\.000 \[1\.000, 1\.000\] \| 0\.558 \|", sections["pubmedqa"]
    )
    assert "2 examples" in sections["pubmedqa"]  # drawn from three
    assert "made to decide" in sections["bioasq"]
    assert "made to decide" not in sections["scifact"]
    assert "1 examples" in sections["bioasq"]  # of yes and no alone
    assert "1 examples" in sections["scifact"]  # the claim that no reader saw
    assert "| 0.510 |" in sections["scifact"]
    assert "always “B”" in sections["mirage"]
    assert "| somebody | cot | mmlu | 1 | 1.000" in said
    assert "- seed: 0" in said
    assert "SHA-256" in said
    before = (runs / "pubmedqa" / "results.jsonl").read_bytes()
    main()  # goes on with what is there
    assert (runs / "pubmedqa" / "results.jsonl").read_bytes() == before
