from __future__ import annotations

import re
from collections import Counter

from tools.knowledge.semantics import SEMANTIC_GROUPS, SEMANTIC_TYPES


def test_there_are_127_types_in_15_groups() -> None:
    assert len(SEMANTIC_TYPES) == len({name for name, _ in SEMANTIC_TYPES.values()}) == 127
    assert all(re.fullmatch(r"T\d{3}", tui) for tui in SEMANTIC_TYPES)
    counts = {"ACTI": 9, "ANAT": 11, "CHEM": 20, "CONC": 12, "DEVI": 3, "DISO": 12, "GENE": 5, "GEOG": 1}
    counts |= {"LIVB": 21, "OBJC": 5, "OCCU": 2, "ORGA": 4, "PHEN": 6, "PHYS": 9, "PROC": 7}
    assert Counter(group for _, group in SEMANTIC_TYPES.values()) == counts
    assert set(SEMANTIC_GROUPS) == set(counts)


def test_types_are_where_the_network_has_them() -> None:
    assert SEMANTIC_TYPES["T047"] == ("Disease or Syndrome", "DISO")
    assert SEMANTIC_TYPES["T121"] == ("Pharmacologic Substance", "CHEM")
    assert SEMANTIC_TYPES["T034"] == ("Laboratory or Test Result", "PHEN")
    assert SEMANTIC_TYPES["T061"] == ("Therapeutic or Preventive Procedure", "PROC")
