from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.app.conftest import Medattest

MARFAN = "What are the features of Marfan syndrome?"


def test_a_question_prints_marked_claims_with_numbered_evidence_and_steps_aside(medattest: Medattest) -> None:
    medattest("ask", MARFAN, "--sources", "knowledge")  # may build what is built once, and says so
    ran = medattest("ask", MARFAN, "--sources", "knowledge")
    assert ran.status == 0, ran.err
    assert "✓" in ran.out
    assert "[1]" in ran.out
    assert "Human Phenotype Ontology" in ran.out
    assert "not medical advice" in ran.out
    assert ran.err == "", "nobody watches"


def test_json_is_one_object_of_the_answer(medattest: Medattest) -> None:
    ran = medattest("ask", MARFAN, "--json")
    answer = json.loads(ran.out)
    assert answer["citations"]
    assert {"id", "text", "verdicts", "evidence", "risk", "abstained", "failures", "engine"} <= answer.keys()


def test_an_abstention_has_its_own_status(medattest: Medattest) -> None:
    ran = medattest("ask", "What is the treatment of zorblax fever?")
    assert ran.status == 3
    assert "I'm sorry, I can't help you based on the information I have" in ran.out
    assert "Reason:" in ran.out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("ask", ""), "empty"),
        (("ask", "x" * 100_000), "20,000"),
        (("ask", "\x01\x02"), "empty"),
        (("ask", MARFAN, "--collection", "nowhere"), "nowhere"),
        (("ask", MARFAN, "--sources", "google"), "--sources"),
        (("ask", MARFAN, "--without", "thinking"), "--without"),
        (("ask", MARFAN, "--option", "A"), "LETTER=TEXT"),
        (("ask", MARFAN, "--option", "A=one"), "one option"),
        (("ask", MARFAN, "--option", "AA=one", "--option", "B=two"), "'AA'"),
        (("ask", MARFAN, "--max-words", "-5"), "--max-words"),
        (("ask", MARFAN, "--task", "poem"), "open"),
        (("ask", "--questions", "none.jsonl"), "--out"),
        (("ask", MARFAN, "--evidence", "none.txt"), "none.txt"),
        (("search", " "), "look for"),
        (("verify",), "FILE"),
        (("collections", "show", "nowhere"), "nowhere"),
        (("index", "no-such-folder", "--collection", "ward"), "no-such-folder"),
    ],
)
def test_wrong_use_says_what_to_do_with_status_2(medattest: Medattest, arguments: tuple[str, ...], says: str) -> None:
    ran = medattest(*arguments)
    assert ran.status == 2, ran.err
    assert says in ran.err
    assert "Traceback" not in ran.err
    assert ran.out == ""


@pytest.mark.parametrize("arguments", [("ask", "--bogus"), ("bogus",), ("search", "x", "-k", "many")])
def test_arguments_that_do_not_fit_are_shown_with_status_2(medattest: Medattest, arguments: tuple[str, ...]) -> None:
    ran = medattest(*arguments)
    assert ran.status == 2
    assert "Traceback" not in ran.err
    assert "defect" not in ran.err


def test_an_interruption_says_that_nothing_is_lost(tmp_path: Path, model_home: Path) -> None:
    lines = (
        json.dumps({"id": n, "text": f"Sentence {n} of many about aspirin and pain. " * 40}) for n in range(20_000)
    )
    (tmp_path / "many.jsonl").write_text("\n".join(lines))
    command = [str(Path(sys.executable).parent / "medattest"), "index", str(tmp_path / "many.jsonl")]
    environment = {**os.environ, "MEDATTEST_HOME": str(model_home)}
    process = subprocess.Popen(
        [*command, "--collection", "interrupted"],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=_interruptible,
    )
    time.sleep(8)
    process.send_signal(signal.SIGINT)
    try:
        _, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130, err
    assert "what was finished is kept" in err


def _interruptible() -> None:
    """Undo what a background job of a shell inherits: there Ctrl-C is ignored, and so it would be here."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_a_failure_under_json_is_an_object(medattest: Medattest) -> None:
    ran = medattest("ask", "", "--json")
    assert ran.status == 2
    assert json.loads(ran.out)["error"]["type"] == "InputError"


def test_wrong_settings_are_named(medattest: Medattest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEDATTEST_ROUNDS", "many")
    ran = medattest("ask", MARFAN)
    assert ran.status == 2
    assert "MEDATTEST_ROUNDS" in ran.err


def test_a_batch_answers_every_question_once(medattest: Medattest, tmp_path: Path) -> None:
    questions = tmp_path / "in.jsonl"
    lines = [{"id": "a", "question": MARFAN}, {"id": "b", "question": ""}, {"question": "What is arachnodactyly?"}]
    questions.write_text("".join(json.dumps(line) + "\n" for line in lines))
    out = tmp_path / "out.jsonl"
    assert medattest("ask", "--questions", questions, "--out", out).status == 1
    answers = {r["id"]: r for r in map(json.loads, out.read_text().splitlines())}
    assert len(answers) == 3
    assert "empty" in answers["b"]["error"]["message"]
    assert answers["a"]["citations"]
    before = out.read_text()
    medattest("ask", "--questions", questions, "--out", out)
    assert out.read_text() == before


def test_documents_are_indexed_searched_listed_asked_and_deleted(medattest: Medattest, tmp_path: Path) -> None:
    (tmp_path / "zorblax.md").write_text(
        "# Zorblax fever\n\nZorblax fever is treated with glimepride tea for ten days. Rest is advised.\n"
    )
    assert medattest("index", tmp_path / "zorblax.md", "--collection", "ward", "--certified").status == 0
    hits = json.loads(medattest("search", "glimepride tea", "--collection", "ward", "--json").out)["hits"]
    assert hits[0]["id"].startswith("repository:ward/zorblax.md#")
    assert "ward" in medattest("collections", "list").out
    ran = medattest("ask", "How is zorblax fever treated?", "--collection", "ward")
    assert ran.status == 0, ran.out
    assert "glimepride" in ran.out
    assert "certified" in ran.out
    assert medattest("collections", "delete", "ward", "--yes").status == 0
    assert medattest("ask", "How is zorblax fever treated?", "--collection", "ward").status == 2


def test_a_batch_of_queries_and_of_pairs(medattest: Medattest, tmp_path: Path) -> None:
    (tmp_path / "doc.txt").write_text("Aspirin inhibits platelet aggregation.")
    medattest("index", tmp_path / "doc.txt", "--collection", "pairs")
    queries, hits = tmp_path / "q.jsonl", tmp_path / "hits.jsonl"
    queries.write_text('{"id": 7, "query": "platelets"}\n')
    assert medattest("search", "--queries", queries, "--out", hits, "--collection", "pairs", "-k", 1).status == 0
    (hit,) = map(json.loads, hits.read_text().splitlines())
    assert hit["id"] == "7"
    assert hit["hits"][0]["id"] == "repository:pairs/doc.txt#0"
    pairs, verdicts = tmp_path / "p.jsonl", tmp_path / "v.jsonl"
    pair = {
        "id": "p",
        "claim": "Aspirin inhibits platelet aggregation.",
        "evidence": ["Aspirin inhibits platelet aggregation."],
    }
    pairs.write_text(json.dumps(pair) + "\n" + json.dumps({"id": "q", "claim": "x y"}) + "\n")
    assert medattest("verify", "--pairs", pairs, "--out", verdicts).status == 1
    judged = {r["id"]: r for r in map(json.loads, verdicts.read_text().splitlines())}
    assert judged["p"]["label"] == "supported"
    assert {"p_supported", "p_contradicted", "risk", "signals"} <= judged["p"].keys()
    assert judged["q"]["error"]["type"] == "InputError"
    medattest("collections", "delete", "pairs", "--yes")


def test_a_text_is_verified(medattest: Medattest, tmp_path: Path) -> None:
    text, evidence = tmp_path / "text.txt", tmp_path / "evidence.txt"
    text.write_text("Aspirin inhibits platelet aggregation.")
    evidence.write_text("Aspirin inhibits platelet aggregation by acetylating cyclooxygenase.")
    ran = medattest("verify", text, "--evidence", evidence)
    assert ran.status == 0, ran.err
    assert "supported" in ran.out


def test_the_paths_of_each_claim_are_drawn(medattest: Medattest, tmp_path: Path) -> None:
    text, evidence, folder = tmp_path / "text.txt", tmp_path / "evidence.txt", tmp_path / "drawn"
    text.write_text("Marfan syndrome causes aortic aneurysm. The weather was fine all summer.")
    evidence.write_text("Aortic aneurysm is a complication of Marfan syndrome.")
    ran = medattest("verify", text, "--evidence", evidence, "--paths", folder, "--json")
    assert ran.status == 0, ran.err
    assert json.loads(ran.out)["paths"] == [str(folder / "claim-1.svg"), None]
    root = ElementTree.parse(folder / "claim-1.svg").getroot()
    assert "Paths between Marfan syndrome and Aortic aneurysm" in "".join(root.itertext())


def test_paths_that_cannot_be_written_are_said(medattest: Medattest, tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_text("Marfan syndrome causes aortic aneurysm.")
    ran = medattest("verify", text, "--evidence", text, "--paths", text)
    assert ran.status == 2
    assert f"--paths {text} cannot be written" in ran.err


def test_a_thread_keeps_its_questions(medattest: Medattest) -> None:
    first = json.loads(medattest("ask", MARFAN, "--sources", "knowledge", "--thread", "t", "--json").out)
    second = json.loads(medattest("ask", MARFAN, "--sources", "knowledge", "--thread", "t", "--json").out)
    assert first == second


def test_doctor_says_versions_licences_and_that_all_works(medattest: Medattest) -> None:
    ran = medattest("doctor")
    assert ran.status == 0, ran.out
    assert "Human Phenotype Ontology" in ran.out
    assert "Elastic-2.0" in ran.out
    assert "✗" not in ran.out


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import sys, app.cli; print([m for m in ('chromadb', 'langgraph', 'onnxruntime', 'numpy') if m in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
