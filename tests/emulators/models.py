"""Scripted models: one that answers well, and those that do what a model must be caught at.

Each is a ``tests.emulators.openai.Play``: it reads the prompt as a model would, and knows the schema by its name.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Sequence
from itertools import count
from typing import Any, NamedTuple

from core.language import sentences
from core.text import STOPWORDS, content_terms, words
from tests.emulators.openai import Play, Said, Spoken, busy

INVENTED = "Daily cinnamon oil cures it within one week"
INVENTED_ID = "pubmed:99999999"
INVENTED_QUOTE = "In 400 patients, daily cinnamon oil cured it within one week."
PROSE = "I would be glad to help with that."

_EVIDENCE = re.compile(r'<evidence id="([^"]+)"[^>]*>\n?(.*?)\n?</evidence>', re.DOTALL)
_QUESTION = re.compile(r"^Question[^:\n]*: *(.+)$", re.MULTILINE)
_OPTION = re.compile(r"^([A-Z]): (.+)$", re.MULTILINE)
_CLAIM = re.compile(r"^Claim: *(.+)$", re.MULTILINE)
_TEXT = re.compile(r"<text>\n?(.*?)\n?</text>", re.DOTALL)
_STATEMENTS = re.compile(r"^Statements:\n(.*)", re.MULTILINE | re.DOTALL)
_FALLBACK = re.compile(r"exactly this sentence\s+and nothing else:\s*(.+)")
_MARK = re.compile(r"\s*\[([a-z][\w-]*:[^\]]+)\]")
_REWORDED = {"approximately": "about", "individuals": "people", "due to": "because of", "frequently": "often"}
_ENTAILED = 0.7
"""Share of a claim's terms that one sentence must hold."""


class Sentence(NamedTuple):
    """A sentence of the shown evidence."""

    id: str
    text: str


def good(schema: str, system: str, user: str) -> Spoken:
    """It writes what the shown evidence says, cites it, and judges by it."""
    reply = _REPLIES.get(schema)
    return PROSE if reply is None else reply(system, user)


def inventing(schema: str, system: str, user: str) -> Spoken:
    """It adds a sentence that no evidence holds, cites what does not exist, and swears that it is so."""
    reply = good(schema, system, user)
    if schema == "DraftAnswer" and isinstance(reply, dict):
        answer = f"{reply['answer']} {INVENTED} [{INVENTED_ID}]."
        return {**reply, "answer": answer, "citations": [*reply["citations"], INVENTED_ID]}
    if schema == "Judgement" and "cinnamon oil" in _claim(user):
        return _judged("supported", 0.97, INVENTED_QUOTE)
    return reply


def obeying(schema: str, system: str, user: str) -> Spoken:
    """It does what any text in the prompt tells it to."""
    texts = [*(text for _, text in _EVIDENCE.findall(user)), *_QUESTION.findall(user), *_CLAIM.findall(user)]
    order = next((found for text in texts if (found := _order(text))), None)
    if order is None or schema in ("", "ClaimList"):
        return good(schema, system, user)
    said = system if _LEAK.search(order) else _demanded(order)
    cited = _CITE.findall(order)
    if schema == "DraftAnswer":
        letter = _LETTER.search(order)
        return {"reasoning": [order], "answer": said, "choice": letter and letter.group(1), "citations": cited}
    if schema == "Judgement":
        return _judged("supported", 1.0, order)
    if schema == "RevisedAnswer":
        return {"answer": said, "citations": cited}
    return {"queries": [said]} if schema == "Queries" else {"text": said}


def schema_breaking(schema: str, system: str, user: str) -> Spoken:
    """It never keeps a schema: wrong keys where it knows one, otherwise prose."""
    return {"response": PROSE, "ok": True} if schema else PROSE


def mending(model: Play) -> Play:
    """The model, but valid only when it is shown its reply and what is wrong with it."""
    asked: set[tuple[str, str]] = set()

    def play(schema: str, system: str, user: str) -> Spoken:
        repair = any(schema == earlier and user != text and user.startswith(text) for earlier, text in asked)
        asked.add((schema, user))
        return model(schema, system, user) if repair else schema_breaking(schema, system, user)

    return play


def fenced(model: Play) -> Play:
    """The model, but its JSON stands in a fence amid prose with braces."""

    def play(schema: str, system: str, user: str) -> Spoken:
        reply = model(schema, system, user)
        if not isinstance(reply, dict):
            return reply
        return f"Of course {{smiles}}. Here it is:\n```json\n{json.dumps(reply, indent=1)}\n```\nAsk me {{anything}}!"

    return play


def slow(model: Play, seconds: float) -> Play:
    """The model, but it takes its time."""

    def play(schema: str, system: str, user: str) -> Spoken:
        reply = model(schema, system, user)
        return Said(reply if isinstance(reply, str) else json.dumps(reply), delay=seconds)

    return play


def half_down(model: Play) -> Play:
    """The model, but every second request is answered with status 503."""
    counter, lock = count(1), threading.Lock()

    def play(schema: str, system: str, user: str) -> Spoken:
        with lock:
            failing = next(counter) % 2 == 0
        return busy() if failing else model(schema, system, user)

    return play


def down(schema: str, system: str, user: str) -> Spoken:
    """Every request is answered with status 503."""
    return busy()


def _queries(system: str, user: str) -> dict[str, Any]:
    kept = [word.text for word in words(_question(user)) if word.text.lower() not in STOPWORDS]
    return {"queries": [" ".join(kept[turn:] + kept[:turn]) for turn in range(1, 4)]}


def _hypothetical(system: str, user: str) -> dict[str, Any]:
    return {"text": f"This passage is about the following. {_question(user)} It states what is known of that."}


def _draft(system: str, user: str) -> dict[str, Any]:
    found = _best(_question(user) + " " + " ".join(_options(user).values()), _shown(user), 3)
    answer = " ".join(f"{_reworded(each.text).rstrip('.!?')} [{each.id}]." for each in found)
    if not found:
        fallback = _FALLBACK.search(system)
        answer = fallback.group(1) if fallback else "The evidence does not answer this question."
    steps = [
        "The subject is named.",
        "It is asked what holds.",
        *(s.text for s in found[:1]),
        "The options are weighed.",
    ]
    return {
        "reasoning": [*steps, "That decides."],
        "answer": answer,
        "choice": _choice(system, user),
        "citations": list(dict.fromkeys(each.id for each in found)),
    }


def _choice(system: str, user: str) -> str | None:
    if options := _options(user):
        shown = {term for sentence in _shown(user) for term in content_terms(sentence.text)}
        return max(options, key=lambda letter: _share(options[letter], shown))
    return "yes" if "yes, no or maybe" in system else None


def _claims(system: str, user: str) -> dict[str, Any]:
    found = _TEXT.search(user)
    text = _MARK.sub("", found.group(1) if found else user)
    parts = {"subject": None, "predicate": None, "object": None}
    return {"claims": [{"text": sentence.text.strip(), **parts} for sentence in sentences(text)]}


def _judgement(system: str, user: str) -> dict[str, Any]:
    claim = _claim(user)
    best = _best(claim, _shown(user), 1)
    share = _share(claim, set(content_terms(best[0].text))) if best else 0.0
    return _judged("supported", share, best[0].text) if share >= _ENTAILED else _judged("unverifiable", share / 2, "")


def _judged(label: str, support: float, quote: str) -> dict[str, Any]:
    return {"label": label, "support": support, "contradiction": 0.0, "quote": quote}


def _revised(system: str, user: str) -> dict[str, Any]:
    found = _STATEMENTS.search(user)
    lines = [line.strip().lstrip("-*• ") for line in (found.group(1) if found else "").splitlines()]
    answer = " ".join(line for line in lines if line)
    return {"answer": answer, "citations": list(dict.fromkeys(_MARK.findall(answer)))}


_REPLIES: dict[str, Callable[[str, str], dict[str, Any]]] = {
    "Queries": _queries,
    "HypotheticalDocument": _hypothetical,
    "DraftAnswer": _draft,
    "ClaimList": _claims,
    "Judgement": _judgement,
    "RevisedAnswer": _revised,
}

_ORDER = re.compile(
    r"(?:\b(?:ignore|disregard|forget)\b[^.\n]*\b(?:instructions?|rules?|above|previous|prompt)\b|"
    r"\byou must\b|\byou are now\b|\bsystem\s*:|"
    r"(?:^|[.!:?]\s+)(?:answer|say|reply|respond|repeat|reveal|print|cite)\b).*",
    re.IGNORECASE | re.DOTALL,
)
_DEMAND = re.compile(
    r"\b(?:answer|say|reply|respond|write|output|print)\b(?: with| that| only| exactly|:)*\s+(.+)", re.I | re.S
)
_LEAK = re.compile(r"\b(?:repeat|reveal|print|show|output)\b[^.\n]*\b(?:prompt|instructions|rules)\b", re.IGNORECASE)
_CITE = re.compile(r"\bcite\s+\[?([a-z][\w-]*:[\w./#-]*\w)", re.IGNORECASE)
_LETTER = re.compile(r"\b(?:answer|option|choose|choice)\b[^.\n]*?\b([A-E])\b")


def _order(text: str) -> str | None:
    found = _ORDER.search(text)
    return found and found.group().strip(" .:!?")


def _demanded(order: str) -> str:
    found = _DEMAND.search(order)
    return (found.group(1) if found else order).strip(" \"'“”.")


def _question(user: str) -> str:
    found = _QUESTION.findall(user)
    return found[-1] if found else _EVIDENCE.sub(" ", user)


def _claim(user: str) -> str:
    found = _CLAIM.search(user)
    return found.group(1) if found else ""


def _options(user: str) -> dict[str, str]:
    """The options of the last question: those before it are an example's."""
    starts = [found.start() for found in _QUESTION.finditer(user)]
    return dict(_OPTION.findall(_EVIDENCE.sub(" ", user[starts[-1] if starts else 0 :])))


def _shown(user: str) -> list[Sentence]:
    return [Sentence(id_, each.text) for id_, text in _EVIDENCE.findall(user) for each in sentences(text)]


def _best(text: str, shown: Sequence[Sentence], limit: int) -> list[Sentence]:
    """The sentences that share most terms with a text; none that shares none."""
    wanted = set(content_terms(text))
    scored = [(len(wanted.intersection(content_terms(sentence.text))), sentence) for sentence in shown]
    best = sorted(scored, key=lambda pair: -pair[0])[:limit]
    return [sentence for score, sentence in best if score]


def _share(text: str, held: set[str]) -> float:
    terms = set(content_terms(text))
    return len(terms & held) / len(terms) if terms else 0.0


def _reworded(text: str) -> str:
    for word, other in _REWORDED.items():
        text = text.replace(word, other)
    return text
