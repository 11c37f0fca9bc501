"""Small pieces of English: sentences, lists, articles."""

from __future__ import annotations

from collections.abc import Sequence


def sentence(text: str) -> str:
    """Begin with a capital, unless the first word has capitals of its own, and end with a full stop."""
    first = text.split(None, 1)[0]
    opened = text[0].upper() + text[1:] if first.islower() else text
    return opened if opened.endswith((".", "!", "?")) else opened + "."


def joined(items: Sequence[str], total: int | None = None, conjunction: str = "and") -> str:
    """Join items to a list in words; where there are more in all than listed, their number comes last."""
    rest = (total or len(items)) - len(items)
    parts = [*items, f"{rest} more"] if rest else list(items)
    if len(parts) == 1:
        return parts[0]
    separator = "; " if any("," in item for item in items) else ", "
    last = f"{separator}{conjunction} " if separator == "; " else f" {conjunction} "
    return separator.join(parts[:-1]) + last + parts[-1]


def article(word: str) -> str:
    """Return the indefinite article that goes before a word."""
    return "an" if word[0] in "aeiou" else "a"


def plain(name: str) -> str:
    """Return a name's letters and digits in small: equal where names differ only in case and punctuation."""
    return "".join(c for c in name.lower() if c.isalnum())


def lowered(name: str) -> str:
    """Begin small, unless the first word has capitals of its own."""
    first = name.split(None, 1)[0]
    return name[0].lower() + name[1:] if first[:1].isupper() and first[1:].islower() else name
