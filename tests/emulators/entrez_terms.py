"""PubMed's query language in small: tags, phrases, truncation, and operators from left to right, over a few records.

Source: https://pubmed.ncbi.nlm.nih.gov/help/. It shares no code with what it plays against.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from xml.etree import ElementTree

_TOKEN = re.compile(r'\(|\)|(?:"([^"]*)"|(\d{4}:\d{4})|([^\s()\[\]"{}\']+))(?:\[([^\]]*)\])?')
_WORD = re.compile(r"[^\W_]+")


@dataclass
class Indexed:
    """A record with what is searched in it, in lower case."""

    pmid: str
    xml: str
    fields: dict[str, set[str]] = field(default_factory=dict)
    text: str = ""
    year: int = 0

    @classmethod
    def of(cls, xml: str) -> Indexed:
        root = ElementTree.fromstring(xml)

        def texts(*tags: str) -> list[str]:
            return ["".join(e.itertext()).lower() for tag in tags for e in root.iter(tag)]

        found = cls(texts("PMID")[0], xml)
        found.text = " ".join(_WORD.findall(" ".join(texts("ArticleTitle", "AbstractText"))))
        found.fields = {
            "mesh terms": set(texts("DescriptorName")),
            "subheading": set(texts("QualifierName")),
            "publication type": set(texts("PublicationType")),
            "language": {"english" if name == "eng" else name for name in texts("Language")},
            "hasabstract": {"yes"} if any(texts("AbstractText")) else set(),
        }
        years = texts("Year")
        found.year = int(years[0]) if years else 0
        return found


@dataclass
class Outcome:
    """Ids that match, and the parts of the query that are in no record."""

    pmids: list[str]
    phrases: list[str]
    quoted: list[str]


def search(term: str, records: Sequence[Indexed]) -> Outcome:
    """Evaluate a query; what nobody knows is not searched for, as PubMed does, and is reported."""
    reader = _Reader([match for match in _TOKEN.finditer(term) if match.group().strip()], records)
    matching = reader.expression()
    return Outcome(
        [r.pmid for r in records if matching is not None and r.pmid in matching], reader.phrases, reader.quoted
    )


class _Reader:
    def __init__(self, tokens: Sequence[re.Match[str]], records: Sequence[Indexed]) -> None:
        self.tokens = list(tokens)
        self.records = records
        self.phrases: list[str] = []
        self.quoted: list[str] = []

    def expression(self) -> set[str] | None:
        """None is what could not be searched for, and takes no part."""
        result, operator = None, "AND"
        first = True
        while self.tokens and self.tokens[0].group() != ")":
            if (word := self.tokens[0].group()) in ("AND", "OR", "NOT"):
                operator = word
                self.tokens.pop(0)
                continue
            operand = self.operand()
            result = operand if first else _combined(result, operator, operand)
            first, operator = False, "AND"
        return result

    def operand(self) -> set[str] | None:
        token = self.tokens.pop(0)
        if token.group() == "(":
            inside = self.expression()
            if self.tokens:
                self.tokens.pop(0)
            return inside
        phrase, years, word, tag = token.groups()
        if years:
            first, last = map(int, years.split(":"))
            return {r.pmid for r in self.records if first <= r.year <= last}
        if word == "hasabstract":
            return {r.pmid for r in self.records if r.fields["hasabstract"]}
        tag = (tag or "").lower()
        if tag and tag not in ("title/abstract", "all fields"):
            wanted = (phrase or word).lower()
            return {r.pmid for r in self.records if wanted in r.fields.get(tag, set())}
        return self.in_text(phrase, word)

    def in_text(self, phrase: str | None, word: str | None) -> set[str] | None:
        text = " ".join(_WORD.findall((phrase or word or "").lower()))
        ending = "" if (word or "").endswith("*") else r"\b"
        if not text:
            return None
        found = self._holding(rf"\b{re.escape(text)}{ending}")
        if not found and phrase and " " in text:
            self.quoted.append(f'"{phrase}"')
            sets = [self._holding(rf"\b{re.escape(part)}\b") for part in text.split()]
            return set.intersection(*sets)
        if not found:
            self.phrases.append(phrase or word or "")
        return found

    def _holding(self, pattern: str) -> set[str]:
        compiled = re.compile(pattern)
        return {
            r.pmid for r in self.records if compiled.search(r.text) or any(map(compiled.search, r.fields["mesh terms"]))
        }


def _combined(left: set[str] | None, operator: str, right: set[str] | None) -> set[str] | None:
    if left is None or right is None:
        return right if left is None else left
    return left & right if operator == "AND" else left | right if operator == "OR" else left - right
