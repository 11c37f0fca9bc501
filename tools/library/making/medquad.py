"""MedQuAD, https://github.com/abachaa/MedQuAD: answers of NIH's pages, each in one line with its lists' dashes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from core.language import sentences
from tools.library.making.blocks import Block, Count, introduces, passages
from tools.library.making.medlineplus import without_author_at_end
from tools.library.shipped import Document, Passage

OWNERS = {
    "NHLBI": "National Heart, Lung, and Blood Institute",
    "NIDDK": "National Institute of Diabetes and Digestive and Kidney Diseases",
    "NIHSeniorHealth": "NIHSeniorHealth, National Institute on Aging",
    "CDC": "Centers for Disease Control and Prevention",
    "MPlusHealthTopics": "MedlinePlus, National Library of Medicine",
    "NINDS": "National Institute of Neurological Disorders and Stroke",
    "CancerGov": "National Cancer Institute",
    "GARD": "Genetic and Rare Diseases Information Center, NIH",
    "GHR": "Genetics Home Reference, National Library of Medicine",
}
"""The owners of the pages, those of common diseases first."""
FEWEST_ITEMS = 2
FEWEST_WORDS = 4

_DASH = re.compile(r"(?:^|\s)- (?=\S)")
_DEBRIS = re.compile(
    r"^Espaol\b|_{2,}|\((?:Watch the video|To enlarge the video|See this graphic|To reduce the video)[^)]*\)"
    r"|(?:Enlarge|Tweet|On this Page|Return to top|Back to top|Key Points)(?=\s[A-Z-])"
    r"|\([^()]*[Cc]lick here[^()]*\)|[^.?!]*\b[Cc]lick here\b[^.?!]*[.?!]?"
)
_TABLE = re.compile(
    r"(?:What are the signs and symptoms of [^?]{1,160}\? )?The Human Phenotype Ontology provides the following list of"
    r".*?(?:the sign or symptom may be rare or common\.|$)"
)
_LINKS = re.compile(r"These resources (?:address the diagnosis|from MedlinePlus offer).*")
_QUESTION_MARKS = re.compile(r"\s*\?[\s?]*$")
_SPACES = re.compile(r"\s+")
_HEADING = re.compile(
    r"(?:(?<=[.?!:] )|^)((?!See |If |For |What |How |Is |Stage |Type |Grade |The |Your |Talk )"
    r"[A-Z][a-z-]+(?:(?: (?:and|of|for|with|in|to|or|a)){0,2} [A-Z][a-z-]+){0,5}) "
    r"(?=(?:The|These|This|There|If|An|You(?:r doctor| may| might| will| should)|In|Most|People|Some|Many|Doctors|"
    r"Other|Having)\b)",
    re.MULTILINE,
)
"""A heading that stands before its text's first sentence in the same line."""
_SENTENCE = (
    r"(?:The|These|This|There|If|An?|You|In|Most|People|Some|Many|Doctors?|Other|Studies|Scientists|Researchers|When|"
    r"Although|Because|One|As|For|Several|Both|It|Before|After|Not|Certain{focus})"
)
_RUN_IN = (
    r"(?:(?<=[.?!] )|^)"
    r"(?!(?:See|If|For|What|How|Is|Stages?|Types?|Grades?|Phase|Part|Medicare|Good|Poor|Intermediate|The|Your|Talk|In|"
    r"Children|Adults|Women|Men|Pregnant|Level|Class|Group|A|An|It)\b)"
    r"(?:(?P<again>[A-Z][a-z][\w' -]{{1,50}}?) (?=(?i:(?P=again))s? )"
    r"|[A-Z][a-z-]+(?:,? (?:(?:of|and|or|the|to|in|for|with|by|on|from|an?) )?[A-Z][\w'-]*){{1,5}} "
    r"(?={sentence} [a-z]))"
)
"""A heading that the sentence after it repeats, or that is followed by what only begins a sentence."""
_OPENING_QUESTION = re.compile(r"^(?:What|How|Is|Are|Can|Who|Why|Does|Do|When|Where)\b[^.?!]{5,160}\?\s+(?=[A-Z])")


def documents(lines: Iterator[Mapping[str, Any]], count: Count) -> Iterator[Document]:
    """Each page as a document; answers of which nothing is left, or which it has given already, are left out."""
    places = list(OWNERS)
    for line in sorted(lines, key=lambda line: places.index(line["source"])):
        given: set[str] = set()
        found: list[Passage] = []
        for pair in line["qa"]:
            text = cleaned(pair["answer"])
            if text not in given and len(text.split()) >= FEWEST_WORDS:
                given.add(text)
                title = f"{line['focus']}: {asked(pair['question'])}"
                cut = passages(listed(text), count)
                found += (Passage(title, headed(p, line["focus"])) for p in cut if len(p.split()) >= FEWEST_WORDS)
        if found:
            yield Document(line["doc_id"], line["focus"], line["url"], OWNERS[line["source"]], tuple(found))


def headed(passage: str, focus: str) -> str:
    """A passage whose headings stand by themselves: "Surgery If you have …" is no sentence."""
    return _run_in(focus).sub(lambda run_in: f"{run_in.group()[:-1]}\n", _HEADING.sub(r"\1\n\n", passage))


@lru_cache(maxsize=1)
def _run_in(focus: str) -> re.Pattern[str]:
    """Headings that run into a sentence, which may begin with what the page is about."""
    sentence = _SENTENCE.format(focus=f"|{re.escape(focus)}")
    return re.compile(_RUN_IN.format(sentence=sentence), re.MULTILINE)


def asked(question: str) -> str:
    """A question as one writes it: "What is (are) Gout ?" is "What is Gout?"."""
    return _QUESTION_MARKS.sub("?", question.replace("is (are)", "is")).strip()


def cleaned(answer: str) -> str:
    """An answer without its headings' list, tables of other sources, navigation, its question and the agency's name."""
    text = _LINKS.sub(" ", _TABLE.sub(" ", _without_key_points(answer)))
    text = _SPACES.sub(" ", _DEBRIS.sub(" ", text)).strip()
    return without_author_at_end(_OPENING_QUESTION.sub("", text))


def _without_key_points(answer: str) -> str:
    """The National Cancer Institute's pages begin with a list of all headings; the first of them begins the text."""
    if not answer.startswith("Key Points"):
        return answer
    first = _DASH.split(answer, maxsplit=2)[1:2]
    again = answer.find(first[0], answer.find(first[0]) + 1) if first and first[0] else -1
    return answer[again:] if again > 0 else answer


def listed(text: str) -> list[Block]:
    """The text as blocks: what stands between dashes are items, the last of which ends with its sentence."""
    opening, *items = _DASH.split(text)
    if len(items) < FEWEST_ITEMS:
        return [Block(text)]
    found: list[Block] = []
    held: list[str] = []
    for place, item in enumerate(items):
        own, rest = _ended(item, held, place == len(items) - 1)
        held.append(own)
        if rest or place == len(items) - 1:
            found.append(Block(opening.strip(), tuple(held)) if opening.strip() else Block("; ".join(held)))
            opening, held = rest, []
    return [*found, *([Block(opening)] if opening else [])]


def _ended(item: str, before: list[str], last: bool) -> tuple[str, str]:
    """An item and what follows the list that it ends: "" where the list goes on.

    The last item, and one that introduces the next list, ends with its first sentence. Pages that were read twice
    repeat a list's items without their dashes: what is repeated is left out.
    """
    echo = " ".join([*before, ""])
    if before and (at := item.find(f" {echo}")) > 0:
        own, rest = item[:at].strip(), item[at + 1 + len(echo) :]
        return own, rest.removeprefix(own).strip()
    if (last or introduces(item)) and (told := sentences(item)):
        return told[0].text, item[told[0].end :].strip()
    return item.strip(), ""
