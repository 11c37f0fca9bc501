"""BLEU-4 by sacrebleu and METEOR by nltk, each with a tokeniser for the text's language."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import Stemmer
from nltk.corpus.reader.wordnet import WordNetCorpusReader
from nltk.stem.porter import PorterStemmer
from nltk.tokenize import wordpunct_tokenize
from nltk.translate.meteor_score import meteor_score
from sacrebleu.metrics.bleu import BLEU

from eval.metrics.tokens import words

_TOKENIZERS = {"en": "13a", "zh": "zh", **dict.fromkeys(("ja", "ko", "th", "lo", "my", "km"), "char")}
"""sacrebleu's; elsewhere its international one, which knows the punctuation of every script."""
_STEMMERS = {
    **{"ar": "arabic", "ca": "catalan", "da": "danish", "de": "german", "el": "greek", "es": "spanish", "eu": "basque"},
    **{"fi": "finnish", "fr": "french", "ga": "irish", "hi": "hindi", "hu": "hungarian", "hy": "armenian"},
    **{"id": "indonesian", "it": "italian", "lt": "lithuanian", "ne": "nepali", "nl": "dutch", "no": "norwegian"},
    **{"pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian", "sv": "swedish", "ta": "tamil"},
    **{"tr": "turkish", "yi": "yiddish"},
}


def bleu4(answer: str, references: Sequence[str], language: str) -> float:
    """BLEU of a sentence up to four words (Papineni et al. 2002), unsmoothed, from 0 to 1."""
    scorer = _bleu(_TOKENIZERS.get(language, "intl"))
    return float(scorer.corpus_score([answer], [[each] for each in references]).score / 100)


def meteor(answer: str, references: Sequence[str], language: str, wordnet: Path | None = None) -> float:
    """METEOR (Lavie & Agarwal 2007) with nltk's weights; synonyms match in English alone, where WordNet is given."""
    told = [_meteor_words(reference, language) for reference in references]
    synonyms = _wordnet(wordnet) if wordnet and language == "en" else _NO_SYNONYMS
    return float(meteor_score(told, _meteor_words(answer, language), stemmer=_stemmer(language), wordnet=synonyms))


@cache
def _bleu(tokenizer: str) -> Any:
    return BLEU(tokenize=tokenizer, smooth_method="none", effective_order=False)


class _Stems:
    """A stemmer that remembers: nltk's English one takes longer than all the rest of METEOR."""

    def __init__(self, language: str) -> None:
        known = _STEMMERS.get(language)
        plain = PorterStemmer().stem if language == "en" else Stemmer.Stemmer(known).stemWord if known else str
        self.stem = lru_cache(maxsize=200_000)(plain)


class _NoSynonyms:
    """What stands in for WordNet's reader where there is none."""

    def synsets(self, word: str) -> list[Any]:
        """No synonyms of any word."""
        return []


_NO_SYNONYMS = _NoSynonyms()
_stemmer = cache(_Stems)


@cache
def _wordnet(folder: Path) -> Any:
    return WordNetCorpusReader(str(folder), None)


@lru_cache(maxsize=4096)
def _meteor_words(text: str, language: str) -> list[str]:
    return wordpunct_tokenize(text) if language == "en" else words(text, language)
