"""All benchmarks, one after the other: ``make bench``."""

from __future__ import annotations

import argparse
from pathlib import Path

from eval.bench import (
    cluster,
    concept_graph,
    embedder,
    graph,
    h2es,
    linking,
    mmr,
    pubmed,
    question,
    search,
    startup,
    text_metrics,
    umls_import,
)


def main() -> None:
    """Run them; what needs the development data is left out, and said, where there is none."""
    parser = argparse.ArgumentParser(prog="python -m eval.bench", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder with medquad")
    parser.add_argument("--peer-python", type=Path, help="an interpreter that has sentence-transformers")
    given = parser.parse_args()
    mmr.main()
    h2es.main()
    graph.main()
    startup.main()
    search.main([])
    peer = ["--peer-python", str(given.peer_python)] if given.peer_python else []
    concept_graph.main(["--nodes", "50000", *peer])
    umls_import.main([])
    pubmed.main(peer)
    medquad = given.data / "medquad" / "medquad_open.jsonl"
    if not medquad.is_file():
        print(f"{medquad} is not there: the embedder, indexing, text metrics and the warm question were not measured")
        return
    embedder.main(["--data", str(medquad), *peer])
    linking.main(["--data", str(given.data), *peer])
    text_metrics.main(["--data", str(medquad)])
    cluster.main(["--data", str(medquad)])
    question.main(given.data)


if __name__ == "__main__":
    main()
