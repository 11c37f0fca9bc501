"""Reading JSON Lines: a document a line, or one for each element of a list in it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tools.repository.documents import MAX_ID_CHARS, Document, clean, provenance

Index = tuple[int, ...]

ID_FIELDS = ("id", "doc_id", "_id", "docid", "pmid", "PMID", "qid")
TEXT_FIELDS = ("text", "abstract", "answer", "contents", "content", "body")
TITLE_FIELDS = ("title", "focus", "heading")


@dataclass(frozen=True, slots=True)
class JsonFields:
    """Where a line has a document's id, text and title; None tries the usual names.

    A field may be a path: ``article.abstract`` goes into an object, ``qa[].answer`` into every element of a list,
    which makes a document of each; a field without ``[]`` is shared by them. Several paths, with commas between, are
    joined: an id by dots (``doc_id,qa[].qid``), text and title by blanks.
    """

    id_field: str | None = None
    text_field: str | None = None
    title_field: str | None = None


class BadLine(ValueError):
    """A line that makes no document; the message says why."""


def parse_line(raw: bytes, fields: JsonFields) -> tuple[list[Document], int, list[str]]:
    """The documents of one line, how many of its texts are empty, and what is wrong with it otherwise.

    Raises:
        BadLine: it is no JSON object, or lacks its id or text.
    """
    record, faults = _record(raw)
    texts = _field(record, fields.text_field, TEXT_FIELDS, "text", "--text-field")
    ids = _field(record, fields.id_field, ID_FIELDS, "id", "--id-field")
    titles = _values(record, fields.title_field or _present(record, TITLE_FIELDS) or "")
    known, wrong = provenance(record)
    documents: list[Document] = []
    empty = 0
    for index, value in texts.items():
        text = _text(value)
        if not text.strip():
            empty += 1
            continue
        name, title = _name(ids, index), _text(_shared(titles, index))
        documents.append(Document(name, text, title.strip(), **known))
    return documents, empty, faults + wrong


def _record(raw: bytes) -> tuple[Mapping[str, object], list[str]]:
    faults: list[str] = []
    try:
        line = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        line = raw.decode("utf-8-sig", "replace")
        faults.append("is not UTF-8: unreadable bytes are replaced by \ufffd")
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadLine(f"no JSON ({error})") from error
    if not isinstance(record, dict):
        raise BadLine(f"a JSON object is wanted, this is {type(record).__name__}")
    return record, faults


def _field(
    record: Mapping[str, object], path: str | None, usual: Sequence[str], what: str, option: str
) -> dict[Index, object]:
    chosen = path or _present(record, usual)
    found = _values(record, chosen) if chosen else {}
    if not found:
        looked = path or ", ".join(usual)
        has = ", ".join(list(record)[:12]) or "nothing"
        raise BadLine(f"no {what} (looked for {looked}; the line has {has}): name it by {option}")
    return found


def _present(record: Mapping[str, object], names: Sequence[str]) -> str | None:
    return next((name for name in names if record.get(name) is not None), None)


def _values(record: Mapping[str, object], paths: str) -> dict[Index, object]:
    """What stands at the paths, by places in the lists on the way; a list of values where there are several paths."""
    if paths in record:
        return _at(record, paths)
    found = [_at(record, path.strip()) for path in paths.split(",")]
    deepest = max(found, key=lambda values: max(map(len, values), default=-1))
    return deepest if len(found) == 1 else {i: [_shared(values, i) for values in found] for i in deepest}


def _at(record: Mapping[str, object], path: str) -> dict[Index, object]:
    """What stands at one path; a name that holds a dot itself goes first."""
    if path in record:
        return {(): record[path]} if record[path] is not None else {}
    found: dict[Index, object] = {(): record}
    for step in path.split("."):
        name, many = step.removesuffix("[]"), step.endswith("[]")
        inner = {i: v[name] for i, v in found.items() if isinstance(v, dict) and v.get(name) is not None}
        found = _elements(inner) if many else inner
    return found


def _elements(found: Mapping[Index, object]) -> dict[Index, object]:
    return {(*i, n): v for i, values in found.items() if isinstance(values, list) for n, v in enumerate(values)}


def _shared(values: Mapping[Index, object], index: Index) -> object:
    """The value at this place, otherwise the one that its surroundings share."""
    return next((values[index[:n]] for n in range(len(index), -1, -1) if index[:n] in values), "")


def _name(ids: Mapping[Index, object], index: Index) -> str:
    value = _shared(ids, index)
    names = [_text(part).strip() for part in (value if isinstance(value, list) else [value])]
    name = ".".join(names)
    if not names or not all(names):
        raise BadLine(f"its id must be a text or a number, not {str(value)[:40]!r}: name the right one by --id-field")
    if index and index not in ids:
        name += "." + ".".join(str(n + 1) for n in index)
    if len(name) > MAX_ID_CHARS:
        raise BadLine(
            f"its id has {len(name):,} characters, the limit is {MAX_ID_CHARS}: name the right one by --id-field"
        )
    return name


def _text(value: object) -> str:
    if isinstance(value, list):
        return " ".join(_text(element) for element in value)
    if isinstance(value, (dict, bool)) or value is None:
        return ""
    return clean(str(value))
