"""Which sets there are: how each is read, where it comes from, under which licence."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from eval.datasets import choices, claims, hallucinations, patients, plain, research
from eval.datasets.example import Example

_RAW = "https://raw.githubusercontent.com"


@dataclass(frozen=True)
class Source:
    """A published set."""

    title: str
    licence: str
    home: str
    read: Callable[[Path], Iterator[Example]]
    files: tuple[str, ...]
    """Patterns of the files with its records, within its folder."""
    folders: tuple[str, ...] = ()
    """What its folder is called where several sets lie side by side, beside its own name."""
    downloads: Mapping[str, str] = field(default_factory=dict)
    """File name to address; empty where its owner hands it out by form, by cloud drive or by parquet alone."""


SOURCES: dict[str, Source] = {
    "medmcqa": Source(
        "MedMCQA", "MIT", "https://github.com/medmcqa/medmcqa",
        choices.medmcqa, ("medmcqa*.json*", "train.json", "dev.json", "test.json"), ("mirage",),
    ),
    "medqa": Source(
        "MedQA (US)", "MIT", "https://github.com/jind11/MedQA",
        choices.medqa, ("medqa*.jsonl", "train.jsonl", "dev.jsonl", "test.jsonl"), ("mirage",),
    ),
    "mmlu-med": Source(
        "MMLU, medical subjects", "MIT", "https://github.com/hendrycks/test", choices.mmlu,
        (
            "mmlu*.jsonl", "anatomy_*.csv", "clinical_knowledge_*.csv", "college_biology_*.csv",
            "college_medicine_*.csv", "medical_genetics_*.csv", "professional_medicine_*.csv",
        ),
        ("mirage",),
    ),
    "mirage": Source(
        "MIRAGE", "MIT, and those of its five sets", "https://github.com/Teddy-XiongGZ/MIRAGE", choices.mirage,
        ("benchmark.json", "medmcqa_*.jsonl", "medqa_*.jsonl", "mmlu_*.jsonl"),
        downloads={"benchmark.json": f"{_RAW}/Teddy-XiongGZ/MIRAGE/main/benchmark.json"},
    ),
    "casimedicos": Source(
        "CasiMedicos", "CC BY 4.0", "https://github.com/ixa-ehu/antidote-casimedicos",
        choices.casimedicos, ("*.jsonl", "*/*.jsonl"),
    ),
    "pubmedqa": Source(
        "PubMedQA, labelled part", "MIT", "https://github.com/pubmedqa/pubmedqa", research.pubmedqa,
        ("ori_pqal.json", "dev*.jsonl", "test*.json*"),
        downloads={"ori_pqal.json": f"{_RAW}/pubmedqa/pubmedqa/master/data/ori_pqal.json"},
    ),
    "bioasq": Source(
        "BioASQ, task B", "NLM's terms; registration", "http://bioasq.org",
        research.bioasq, ("questions*.jsonl", "*B*golden*.json", "training*.json"),
    ),
    "scifact": Source(
        "SciFact", "CC BY 4.0 (claims), ODC-By (abstracts)", "https://github.com/allenai/scifact",
        claims.scifact, ("claims_*.jsonl",),
    ),
    "healthver": Source(
        "HealthVer", "CC BY-NC 2.0 on its card: it may measure, not fit", "https://github.com/sarrouti/HealthVer",
        claims.healthver, ("healthver_*.csv",),
        downloads={
            f"healthver_{part}.csv": f"{_RAW}/sarrouti/HealthVer/master/data/healthver_{part}.csv"
            for part in ("train", "dev", "test")
        },
    ),
    "medquad": Source(
        "MedQuAD", "CC BY 4.0", "https://github.com/abachaa/MedQuAD", patients.medquad, ("*.jsonl", "*/*.xml"),
    ),
    "liveqa": Source(
        "LiveQA 2017, medical task", "none stated", "https://github.com/abachaa/LiveQA_MedicalTask_TREC2017",
        patients.liveqa, ("*.xml", "*/*.xml"),
        downloads={
            "liveqa_test.xml": f"{_RAW}/abachaa/LiveQA_MedicalTask_TREC2017/master/TestDataset/"
            "TREC-2017-LiveQA-Medical-Test-Questions-w-summaries.xml"
        },
    ),
    "meddialog": Source(
        "MedDialog (English)", "its sites' copyright: research alone", "https://github.com/UCSD-AI4H/Medical-Dialogue-System",
        patients.dialogues, ("*.txt", "*.json", "*.jsonl"),
    ),
    "cdialog": Source(
        "CDialog", "none stated", "https://github.com/deekshaVarshney/CDialog", patients.cdialog, ("*.csv",),
        downloads={"sample_data.csv": f"{_RAW}/deekshaVarshney/CDialog/main/data/sample_data.csv"},
    ),
    "mts-dialog": Source(
        "MTS-Dialog", "CC BY 4.0", "https://github.com/abachaa/MTS-Dialog",
        patients.dialogues, ("MTS-Dialog-*.csv",), ("mts_dialog",),
        {
            f"MTS-Dialog-{part}Set.csv": f"{_RAW}/abachaa/MTS-Dialog/main/Main-Dataset/MTS-Dialog-{part}Set.csv"
            for part in ("Training", "Validation")
        },
    ),
    "halueval2": Source(
        "HaluEval 2.0, biomedical part", "MIT", "https://github.com/RUCAIBox/HaluEval-2.0",
        hallucinations.halueval2, ("*.json*",), ("halueval2_bio",),
    ),
    "medhallu": Source(
        "MedHallu", "MIT", "https://huggingface.co/datasets/UTAustin-AIHealth/MedHallu",
        hallucinations.medhallu, ("*.jsonl", "*.csv"),
    ),
    "medec": Source(
        "MEDEC", "CC BY 4.0", "https://github.com/abachaa/MEDEC", hallucinations.medec, ("*.jsonl", "MEDEC*.csv"),
        downloads={
            "MEDEC-MS-TestSet-with-GroundTruth-and-ErrorType.csv":
            f"{_RAW}/abachaa/MEDEC/main/MEDEC-MS-TestSet-with-GroundTruth-and-ErrorType.csv"
        },
    ),
}  # fmt: skip
PLAIN = Source("a file of one's own", "its owner's", "", plain.plain, ("*.jsonl",))
