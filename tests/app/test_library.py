from __future__ import annotations

import json

from tests.app.conftest import Medattest


def test_the_library_says_what_is_in_it(medattest: Medattest) -> None:
    ran = medattest("library")
    assert ran.status == 0, ran.err
    assert "MedlinePlus health topics" in ran.out
    assert "1,023" in ran.out
    assert "public domain" in ran.out
    assert "CC BY 4.0" in ran.out
    assert "Source: MedlinePlus, National Library of Medicine" in ran.out
    corpora = json.loads(medattest("library", "--json").out)["corpora"]
    assert [corpus["published"] for corpus in corpora] == ["2024-06", "2019"]
