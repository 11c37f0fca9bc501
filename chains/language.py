"""Which language a question is in: enough to say that the evidence-only engine reads English."""

from __future__ import annotations

import re
import unicodedata

from chains.lexicon import function_words

_SCRIPTS = {
    "CYRILLIC": "ru",
    "GREEK": "el",
    "ARABIC": "ar",
    "HEBREW": "he",
    "HIRAGANA": "ja",
    "KATAKANA": "ja",
    "HANGUL": "ko",
    "CJK": "zh",
    "DEVANAGARI": "hi",
    "BENGALI": "bn",
    "TAMIL": "ta",
    "THAI": "th",
    "ARMENIAN": "hy",
    "GEORGIAN": "ka",
}
_WORD = re.compile(r"[^\W\d_]+")
_LEAST_WORDS = 2
_MARGIN = 1.5


def detect_language(text: str) -> str:
    """ISO 639-1 code of the language; terms alone, and what cannot be told, count as English."""
    script = _foreign_script(text)
    if script is not None:
        return script
    tokens = _WORD.findall(text.lower().replace("\u2019", "'"))
    counts = {language: sum(t in words for t in tokens) for language, words in function_words().items()}
    best = max(counts, key=lambda language: counts[language])
    foreign = best != "en" and counts[best] >= _LEAST_WORDS and counts[best] >= _MARGIN * counts["en"]
    return best if foreign and counts[best] >= 0.2 * len(tokens) else "en"


def _foreign_script(text: str) -> str | None:
    """The language that is most written in the script of most letters; None for Latin script."""
    counts: dict[str, int] = {}
    letters = [c for c in text if c.isalpha()]
    for letter in letters:
        language = _SCRIPTS.get(unicodedata.name(letter, "").split(" ")[0].split("-")[0])
        if language is not None:
            counts[language] = counts.get(language, 0) + 1
    if sum(counts.values()) * 2 <= len(letters):
        return None
    return "ja" if counts.get("ja") else max(counts, key=lambda language: counts[language])
