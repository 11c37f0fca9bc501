"""Whether a text is a report, such as an abstract, or a piece of one, which seldom says in one clause what was found.

Short pages and leaflets state what they say, so that what they seem to say must be sure. A report counts, compares and
infers over several sentences: asking as much of it would leave nearly all that studies found unattested.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from chains.verify.passage import Passage

REPORT = 5
"""Sentences from which on a text is read as a report, with its results in its later part."""
WHOLE, PIECE = 1.0, 0.5
"""How far a text is a report; a page is none, 0."""

_FOUND = (
    "aim analy[sz] argue assess compar conclud conduct collect demonstrat describ detect determin develop discuss "
    "estimat evaluat examin explor find found highlight hypothes identif investigat measur observe perform propos "
    "report review search show shown sought studi suggest summari"
).replace(" ", "|")
_VOICE = re.compile(
    rf"\bwe (?:also |here |then |further |therefore |have |first )*(?:{_FOUND})"
    r"|\bour (?:\w+ )?(?:results|findings|data|study|studies|analys[ei]s|models?|observations|review|cohort|patients"
    r"|simulations|estimates|survey)\b"
    r"|\b(?:this|these|the (?:present|current)|recent|preliminary|several|available|emerging) (?:\w+ )?(?:study|studies"
    r"|results|findings|data|reports?|review|trial|paper|article|meta-analysis|survey|literature|observations)\b",
    re.IGNORECASE,
)
"""Authors who speak of what they did."""
_STATISTICS = re.compile(
    r"\b[Pp] ?[<=>≤] ?0?\.\d|\b(?:CI|OR|HR|RR)\b|\bn ?= ?\d|\d\.\d ?%|\d ?\(\d+(?:\.\d)? ?%\)|±"
    r"|\b(?:[Cc]onfidence interval|(?:[Oo]dds|[Hh]azard) ratio|[Rr]elative risk|[Ii]nterquartile|[Ss]tandard deviation"
    r"|[Mm]ean age|[Ss]tatistically|[Ss]ignificantly|[Cc]orrelat\w+)\b"
)
_METHODS = re.compile(
    r"\b(?:randomi[sz]ed|randomly|cohorts?|retrospective(?:ly)?|prospective(?:ly)?|multivaria\w+|meta-analys[ei]s"
    r"|systematic review|in vitro|in vivo|in silico|cross-sectional|case-control|placebo|simulations?|modell?ing"
    r"|epidemiolog\w+|pathogenesis|assays?|questionnaires?|surveyed|clinical (?:trials?|data|characteristics)"
    r"|(?:was|were) (?:also |then )?(?:administered|analy[sz]ed|assessed|assigned|calculated|collected|compared"
    r"|constructed|detected|divided|enrolled|estimated|evaluated|examined|identified|included|investigated|measured"
    r"|observed|obtained|performed|recruited|reviewed|selected|studied|used))\b"
    r"|(?:\A|[.:] )To (?:assess|compare|describe|determine|establish|evaluate|examine|explore|identify|investigate"
    r"|measure|study|test)\b",
    re.IGNORECASE,
)


def report(passage: Passage, one_report: bool = False) -> float:
    """How far a text is a report: a whole one by its length, or as a sentence of one that is cut up; a piece of one."""
    if one_report or len(passage.sentences) >= REPORT:
        return WHOLE
    return PIECE if speaks_as_one(passage.text) else 0.0


def speaks_as_one(text: str) -> bool:
    """Whether a text has the words of those who report a study."""
    return any(marks.search(text) for marks in (_VOICE, _STATISTICS, _METHODS))


def cut_up(passages: Sequence[Passage]) -> bool:
    """Whether pieces of evidence are the sentences of one report: as many as that, and none of more than one."""
    return len(passages) >= REPORT and all(len(passage.sentences) <= 1 for passage in passages)
