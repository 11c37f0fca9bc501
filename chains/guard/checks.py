"""What a model's reply may not hold, whatever it was shown: rules over texts, without a model.

They do not depend on what was found in the evidence beforehand, except for what it demands. What they cannot see is a
false statement in plain words: that is for verification, by a quote that stands in the evidence.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from chains.claims import MARK, cited_in
from chains.guard.folding import folded
from chains.guard.planted import compliant, demands, planted, quarantine, whole
from core.schema import Evidence
from prompts import abstention

Kind = Literal["leak", "citation", "reference", "link", "obeyed", "hidden", "role"]
Decision = Literal["fine", "drop citations", "reject"]

LEAKED_WORDS = 8
"""Words of the prompt's own in a row that an answer may not hold."""
LEAKED_WORDS_IN_STEPS = 20
"""The same of a step of the reasoning, which may name the steps that the prompt asks for."""

ECHOED_WORDS = 5
"""Words in a row of a piece that addresses the model, which nothing else that it was shown has."""

_WORDS: dict[Kind, str] = {
    "leak": "it repeats the rules that it was given",
    "citation": "it cites what was not shown",
    "reference": "it names a publication that was not shown",
    "link": "it has a link or an image that no evidence has",
    "obeyed": "it does what a quoted text told it to do",
    "hidden": "it has invisible characters or markup",
    "role": "it has delimiters, turns of a conversation or calls of tools",
}
_REFERENCE = re.compile(
    r"\bPMID\s*:?\s*(?P<pmid>\d{1,8})|\bdoi\s*:\s*(?P<doi>10\.\d{4,9}/[^\s\])>\"']+)|doi\.org/(?P<url>10\.\d{4,9}/[^\s\])>\"']+)",
    re.IGNORECASE,
)
_URL = re.compile(r"(?:https?|ftp|hxxps?)://[^\s<>\"')\]]+|\bwww\.[^\s<>\"')\]]+", re.IGNORECASE)
_IMAGE = re.compile(r"!\[[^\]]{0,300}\]\s*[(\[]")
_MARKDOWN_LINK = re.compile(r"\[[^\]]{1,300}\]\s*\(\s*(?P<target>[^)\s]{1,2000})")
_SCHEME = re.compile(r"\b(?:javascript|data|vbscript):[^\s]", re.IGNORECASE)
_SHAPELESS = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u034f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff0-\ufffb"
    "\ud800-\udfff\ue000-\uf8ff\U000e0000-\U0010ffff]|(?<![\u0600-\u109f\U0001f000-\U0001faff\ufe0f])[\u200c\u200d]"
)
"""Joiners are writing in some scripts and in emoji; the rest has no place in an answer."""
_MARKUP = re.compile(
    r"<\s*/?\s*(?:script|style|iframe|img|svg|object|embed|form|input|button|link|meta|base|body|html|head|div|span|a"
    r"|video|audio)(?:\s[^<>]*)?/?>|<!--",
    re.IGNORECASE,
)
_ROLE = re.compile(
    r"<\s*/?\s*(?:evidence|system|assistant|user|human|developer|question|instructions?|tool_\w+|function_\w+)\b[^<>]{0,300}>"
    r"|<\|[\w ]{2,24}\|>|\[\s*/?\s*INST\s*\]|<<\s*/?\s*SYS\s*>>|^\s*#{2,}\s*(?:instruction|response|system)s?\s*:"
    r"|^\s*(?:system|assistant|user)\s*:\s|^\s*\{\s*\"\w+\"\s*:",
    re.IGNORECASE | re.MULTILINE,
)
_LANGUAGES = ("en", "de", "es", "fr", "it", "pt")
_WORD = re.compile(r"\w+")
_DECIDED = re.compile(
    r"\W*(?:(?:the )?(?:correct |right )?(?:answer|option|choice)(?: is)?:?\s+)*(?:option\s+)?[\"'(]*(\w+)\b"
)


class Fault(NamedTuple):
    """What is wrong with a reply: its kind, that in words of ours, safe to tell a model, and the piece of the reply."""

    kind: Kind
    text: str
    piece: str


def faults(
    answer: str,
    reasoning: Sequence[str] = (),
    citations: Sequence[str] = (),
    *,
    choice: str | None = None,
    evidence: Sequence[Evidence],
    prompt_text: str,
    question: str,
) -> tuple[Fault, ...]:
    """Everything that is wrong with a reply, once a kind and piece.

    Args:
        answer: the text, with its marks such as ``[pubmed:123]``.
        reasoning: the steps; they may speak of planted text, but neither leak nor link.
        citations: the ids that the reply lists.
        choice: the option, or yes, no or maybe.
        evidence: what the model was shown.
        prompt_text: the prompt's rules alone, without worked examples.
        question: the question, its options and its history.
    """
    clean, _ = quarantine(evidence)
    known = "\n".join([question, *(f"{whole(e)}\n{e.url or ''}" for e in clean)])
    texts = (answer, *reasoning)
    found: dict[Kind, Iterable[str]] = {
        "leak": _leaks(texts, prompt_text, known),
        "citation": _unknown(answer, citations, {e.id for e in evidence}),
        "reference": (piece for text in texts for piece in _references(text, known, clean)),
        "link": (piece for text in texts for piece in _links(text, known)),
        "obeyed": _obeyed(answer, choice, evidence, question, known),
        "hidden": (m.group() for text in texts for shape in (_SHAPELESS, _MARKUP) for m in shape.finditer(text)),
        "role": (m.group().strip() for text in texts for m in _ROLE.finditer(text)),
    }
    return tuple(Fault(kind, _WORDS[kind], piece) for kind, pieces in found.items() for piece in dict.fromkeys(pieces))


def verdict_on(found: Sequence[Fault]) -> Decision:
    """What to do with a reply: use it, use it without the citations of what was not shown, or reject it."""
    if not found:
        return "fine"
    return "drop citations" if all(fault.kind == "citation" for fault in found) else "reject"


def _leaks(texts: Sequence[str], prompt_text: str, known: str) -> Iterator[str]:
    """Runs of the prompt's words; what the question or the evidence says too, or is to be said, is no secret."""
    sayable = (known, *map(abstention, _LANGUAGES))
    for place, text in enumerate(texts):
        n = LEAKED_WORDS if place == 0 else LEAKED_WORDS_IN_STEPS
        secret = _runs(prompt_text, n).difference(*(_runs(other, n) for other in sayable))
        if shared := secret & _runs(text, n):
            yield " ".join(min(shared))


def _runs(text: str, n: int) -> set[tuple[str, ...]]:
    words = _WORD.findall(folded(text))
    return set(zip(*(words[i:] for i in range(n)), strict=False))


def _unknown(answer: str, citations: Sequence[str], shown: Collection[str]) -> Iterator[str]:
    marked = [id_ for mark in MARK.finditer(answer) for id_ in cited_in(mark.group(), citations)]
    yield from (id_ for id_ in (*citations, *marked) if id_ not in shown)


def _references(text: str, known: str, clean: Sequence[Evidence]) -> Iterator[str]:
    """Publications named in prose by number that no evidence names."""
    ids = {name.partition(":")[2].lower() for e in clean for name in (e.id, *e.same_as)}
    for match in _REFERENCE.finditer(text):
        number = next(group for group in match.groups() if group).rstrip(".,;").lower()
        if number not in ids and not re.search(rf"(?<!\d){re.escape(number)}(?!\d)", known.lower()):
            yield match.group()


def _links(text: str, known: str) -> Iterator[str]:
    """Images, and links to where no evidence and no question points."""
    yield from (m.group() for m in (*_IMAGE.finditer(text), *_SCHEME.finditer(text)))
    targets = [m.group("target") for m in _MARKDOWN_LINK.finditer(text) if re.search(r"[/.]", m.group("target"))]
    for target in (*targets, *(m.group() for m in _URL.finditer(text))):
        if target.rstrip(".,;:!?") not in known:
            yield target


def _obeyed(answer: str, choice: str | None, evidence: Sequence[Evidence], question: str, known: str) -> Iterator[str]:
    """Text that speaks to a model, and what a planted text demanded; the clean evidence's own words are free.

    Whoever asks may say what form the answer has: a question's demands count only where it overrides the rules.
    """
    for place in compliant(answer):
        yield answer[place.start : place.end]
    sources = [whole(e) for e in evidence]
    if any(place.kind in ("override", "turn", "hidden") for place in planted(question)):
        sources.append(question)
        known = known.replace(question, "")
    said = _flat(answer)
    tainted = [whole(e) for e in evidence if whole(e) not in known]
    for source in tainted:
        if echoed := (_runs(source, ECHOED_WORDS) - _runs(known, ECHOED_WORDS)) & _runs(answer, ECHOED_WORDS):
            yield " ".join(min(echoed))
    for kind, wanted in (demand for source in sources for demand in demands(source)):
        if kind == "choice" and wanted in _decisions(answer, choice):
            yield wanted
        if kind == "say" and _flat(wanted).strip() and _flat(wanted) in said and _flat(wanted) not in _flat(known):
            yield wanted


def _decisions(answer: str, choice: str | None) -> tuple[str, ...]:
    """The decision of a reply, as its choice and as its first words have it."""
    first = _DECIDED.match(folded(answer))
    return (folded(choice or "").strip(" .():"), first.group(1) if first else "")


def _flat(text: str) -> str:
    return f" {' '.join(_WORD.findall(folded(text)))} "
