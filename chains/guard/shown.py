"""Evidence as a prompt shows it: between delimiters that its own text can neither close nor open."""

from __future__ import annotations

import re

from chains.guard.folding import INVISIBLE, LINE_ENDS, UNREADABLE, folded
from core.schema import Evidence

MAX_ATTRIBUTE_CHARS = 300
"""Of a title and its like; an id is shown whole, since it is what is cited."""
HIDDEN_STYLE = re.compile(
    r"<([a-z][a-z0-9]{0,15})\b[^<>]{0,300}?(?:display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0(?![.\d])"
    r"|font-size\s*:\s*[01](?:px|pt|em)?\s*[;\"']|color\s*:\s*(?:white|\#fff(?:fff)?)\b|\shidden\b)[^<>]{0,300}>"
    r"(.{0,5000}?)</\1\s*>",
    re.IGNORECASE | re.DOTALL,
)
"""An element that a browser does not show; group 2 is its text."""

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_CODE = re.compile(r"<(script|style)\b[^<>]*>.*?(?:</\1\s*>|\Z)", re.IGNORECASE | re.DOTALL)
_OURS = (
    "evidence|question|options?|knowledge|exemplars?|examples?|instructions?|history|dialogue|claims?|answer|context"
)
_ROLES = "system|assistant|user|human|developer|tool(?:_\\w+)?|function(?:_\\w+)?|document|passage|prompt"
_OPENER = re.compile(r"[<＜﹤‹〈⟨❮]|&lt;?|&#0*60;?|&#x0*3c;?", re.IGNORECASE)
_NAME = re.compile(rf"[\W_]{{0,10}}(?:{_OURS}|{_ROLES})\b|\||<?\W{{0,5}}sys\b|!--")
_NAME_CHARS = 40
_INST = re.compile(r"\[(\s*/?\s*INST\s*)\]", re.IGNORECASE)


def shown(evidence: Evidence) -> str:
    """The block ``<evidence id="…" title="…" source="…" …>``, the text, ``</evidence>``, a line each.

    ``published``, ``level``, ``certified`` and ``retracted`` are attributes where the evidence has them.
    """
    attributes = {
        "id": attribute(evidence.id, len(evidence.id)),
        "title": attribute(evidence.title),
        "source": attribute(evidence.source),
        "published": attribute(evidence.published or ""),
        "level": attribute(evidence.level or ""),
        "certified": "true" if evidence.certified else "",
        "retracted": "true" if evidence.retracted else "",
    }
    written = " ".join(f'{name}="{value}"' for name, value in attributes.items() if value)
    return f"<evidence {written}>\n{escaped(visible(evidence.text)).strip()}\n</evidence>"


def visible(text: str) -> str:
    """The text that a reader of the page would see.

    Shapeless characters, comments, scripts and elements of a hidden style are gone; an unreadable character becomes
    "\ufffd", so that no number or unit reads as another one.
    """
    text = INVISIBLE.sub("", LINE_ENDS.sub("\n", text))
    text = UNREADABLE.sub("\ufffd", text)
    if "<" not in text:
        return text
    return HIDDEN_STYLE.sub(" ", _CODE.sub(" ", _COMMENT.sub(" ", text)))


def escaped(text: str) -> str:
    """The text with ``(`` in place of the bracket that would make a delimiter or a chat template's mark of it."""

    def harmless(opener: re.Match[str]) -> str:
        following = folded(_OPENER.sub("<", text[opener.end() : opener.end() + _NAME_CHARS]))
        return "(" if _NAME.match(following) else opener.group()

    return _INST.sub(r"(\1)", _OPENER.sub(harmless, text))


def attribute(text: str, most: int = MAX_ATTRIBUTE_CHARS) -> str:
    """A value for an attribute, without its quotes: one line, cut to ``most`` characters with ``…``."""
    line = " ".join(escaped(visible(text)).split())
    cut = line if len(line) <= most else line[: most - 1].rstrip() + "…"
    return cut.replace('"', "&quot;").replace("<", "&lt;").replace(">", "&gt;")
