"""Reading HTML: the text a reader sees, as a stream of parser events, so that no tree is held."""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping
from pathlib import Path

from lxml import etree  # type: ignore[import-untyped]  # lxml ships no types

from tools.repository.content import Content, Note, Unreadable
from tools.repository.documents import clean

_SKIPPED = frozenset(
    [
        "script",
        "style",
        "nav",
        "template",
        "noscript",
        "svg",
        "iframe",
        "object",
        "button",
        "select",
        "aside",
        "footer",
    ]
)
_BLOCKS = frozenset(
    [
        "address",
        "article",
        "blockquote",
        "body",
        "br",
        "caption",
        "dd",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hr",
        "li",
        "main",
        "ol",
        "p",
        "pre",
        "section",
        "table",
        "tbody",
        "td",
        "tfoot",
        "th",
        "thead",
        "tr",
        "ul",
    ]
)
_SPACE = re.compile(r"[^\S\n]+")
_LINES = re.compile(r"(?<!\s)\s*?\n\s*+")


def read_html(path: Path, note: Note) -> Content:
    """Read a page: its visible text without navigation, its title, and ``<meta name=owner content=…>`` as fields."""
    page = parsed(path.read_bytes())
    title = " ".join("".join(page.title).split()) or path.stem
    return Content((clean(page.text()),), clean(title), page.fields)


def parsed(raw: bytes) -> _Page:
    """What a page holds; Unreadable where it is none."""
    page = _Page()
    try:
        parser = etree.HTMLParser(target=page, encoding=_encoding(raw), huge_tree=True)
        parser.feed(raw)
        parser.close()
    except etree.LxmlError as error:
        raise Unreadable(f"is no HTML that can be read ({error})") from error
    return page


def _encoding(raw: bytes) -> str | None:
    """UTF-8 where the bytes are; otherwise the page's own declaration decides."""
    try:
        codecs.utf_8_decode(raw, "strict", True)
    except UnicodeDecodeError:
        return None
    return "utf-8"


class _Page:
    """A parser's target, as lxml defines it; it collects text, title and fields."""

    def __init__(self) -> None:
        self.title: list[str] = []
        self.fields: dict[str, object] = {}
        self._text: list[str] = []
        self._skipping = 0
        self._in_title = False

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag in _SKIPPED:
            self._skipping += 1
        elif tag == "title":
            self._in_title = True
        elif tag == "meta":
            self.fields.setdefault(attributes.get("name", "").lower(), attributes.get("content"))
        elif tag == "link" and attributes.get("rel", "").lower() == "canonical":
            self.fields.setdefault("url", attributes.get("href"))
        elif tag in _BLOCKS:
            self._break(tag)

    def end(self, tag: str) -> None:
        if tag in _SKIPPED:
            self._skipping = max(0, self._skipping - 1)
        elif tag == "title":
            self._in_title = False
        elif tag in _BLOCKS and tag not in ("td", "th", "br"):
            self._text.append("\n\n")

    def data(self, text: str) -> None:
        if self._in_title:
            self.title.append(text)
        elif not self._skipping:
            self._text.append(_SPACE.sub(" ", text.replace("\n", " ")))

    def close(self) -> None:
        self._in_title = False

    def text(self) -> str:
        """What was collected: paragraphs apart by a blank line, items of lists on lines of their own."""
        joined = "".join(self._text)
        return _LINES.sub(lambda m: "\n\n" if m.group().count("\n") > 1 else "\n", joined).strip()

    def _break(self, tag: str) -> None:
        self._text.append({"br": "\n", "li": "\n- ", "td": " ", "th": " "}.get(tag, "\n\n"))
