"""Where a text asks: its questions in order, each as one that stands alone; what it tells is the story around them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from chains import leaning
from chains.form import YES_NO
from core.language import sentences
from core.text import content_terms, end_of, words

MOST = 4
"""Questions of one text that are answered."""

_WH = r"(?:what|whats|what's|how|how's|why|who|who's|when|where|which|whose)"
_AUX = (
    r"(?:is|are|was|were|do|does|did|can|could|will|would|should|may|might|has|have)(?:n't)? "
    r"(?:it|they|this|that|these|there|he|she|i|we|you|people|someone|a|an|the|my)\b"
)
_ASKS = re.compile(rf"^(?:(?:and|but|so|or|also|ok|hey|hi|hello|well|please)[\s,]+)*(?:{_WH}\b|{_AUX})", re.I)
_ASKS_INSIDE = re.compile(rf"[,:;\u2013-]\s+(?={_WH}\b|{_AUX})|\s(?={_WH} (?:is|are|do|does|can|should)\b)", re.I)
_PREDICATE = r"(?:(?:ha[sd]|have) (?:an?|the|my)|is an?)\b"
"""What goes on telling of who was named: "my son pulls his ear and has a fever"."""
_JOINT = re.compile(
    rf"(?:\s*[,;&]\s*(?:and |but |or |also )?|\s+(?:and|but|or|also|then)\s+)(?={_WH}\b|(?!{_PREDICATE}){_AUX})", re.I
)
_LEAST_WORDS = 2
_LITTLE = 3
"""Words of content that cannot say what they are about, where none of them is linked: more can."""
_LEAST_CONTENT = 2
_TOPIC_WORDS = 4
_SPOKEN = re.compile(
    r"(?:\b(?:ok|okay|alright|sure|yes|yeah|yep|no|so|and|but|well|also|then|oh|um|hi|hello|thanks|thank you|please)\b"
    r"|\W)+",
    re.I,
)
"""Words of a talk, which are no topic of what follows: "okay, what should I take for it"."""
_LONGEST_SIDE = 5
_TELLER = re.compile(
    r"\W*(?:(?:hey|hi|hello|ok|so|well|and|but|there)\W+)*(?:i|i'm|i've|my|we|he|she|they|our|their|someone|don't|not)\b",
    re.I,
)
_HAVING = re.compile(
    r"\W*(?:(?:i|he|she|we|they|my \w+)(?: just)? (?:have|has|had|got)|(?:i|we|they)'ve)\b(?: \w+)+", re.I
)
"""Somebody has something: the shortest of stories."""
_WISH = re.compile(r"(?:do|does|did)n't (?:want|like|have|know|feel)\b", re.I)
_SMALL_START = re.compile(r"(?<=[a-z)]{3}[.!?])\s+(?=[a-z])")
_THEY = re.compile(r"\b(?:they|them|their)\b", re.I)
_IT = re.compile(r"\b(?:it|this|that|its)\b", re.I)
_THEY_FIRST = re.compile(r"^(?:(?:are|do|does|can|could|will|would|should|were|have|may) )they\b", re.I)
_ANOTHER = re.compile(r"\b(?:another|a new|more|any other) ones?\b", re.I)
_PERSON = re.compile(r"\b(?:he|she)\b", re.I)
_BARE = re.compile(
    r"(?:(?:so|and|but|or|ok|well|now)\W+)*"
    r"(?:(?P<helps>what (?:else )?(?:helps?|works|(?:can|could|will|would|might) help))|"
    r"(?:(?:any|some|got any) )?(?:tips|advice|help|ideas|suggestions|recommendations|remedies)|"
    r"what (?:else )?(?:to do|now|(?:can|could|should|do|must) (?:i|we|you|one|she|he) do|can be done))"
    r"(?:\s+(?:now|here|about|for|against|with|it|this|that|then|next|please|first))*\W*$",
    re.I,
)
"""What to do, of nothing: it is what the story or the question before it tells of."""
_PLURAL = re.compile(r"\w+(?<![su])s\b(?! disease)(?:$| (?:in|of|on|with)\b)", re.I)
_POINTS_LAST = re.compile(r"\b(?:it|this|that|these|those|them)\W*$", re.I)
_OF_THIS = re.compile(
    r"^(?:\W*(?:so|and|but|or|ok|okay|well|also|hi|hello|how|when|why|what|long|much|soon|often|then|now)\b)*\W*"
    r"(?:is|are|was|does|do|did|will|would|can|could|should) (?:this|that|these|those) "
    r"(?:just |still |also |really |actually )?"
    r"(?:help|work|go|get|be|mean|cause|affect|interact|make|hurt|last|spread|come|"
    r"contagious|normal|serious|dangerous|bad|ok|okay|safe|related|caused|something|treatable|curable|going|from|for)\b",
    re.I,
)
"""What is asked of something that only the asker sees: "how long is this contagious"."""
_WITHIN = re.compile(r"\b(?:ha(?:s|ve)|contains?|with)\b.* in (?:it|them)\W*$", re.I)
"""What "them" points at stands before it: "foods that have iron in them"."""
_REMEDY = r"antibiotic|medicine|medication|drug|cream|ointment|pill|drop|treatment|remed(?:y|ie)"
_OPENING = r"(?:(?:so|and|but|ok|okay|well|also|then|or|hi|hello)\W+)*"
_REMEDIES = (
    r"(?:(?:otc|over[- ]the[- ]counter|good|best|other|another|different|specific|stronger|prescription|oral|topical|"
    rf"more|new|any|some|an?|the|those|these|all)\s+)*(?:{_REMEDY}|painkiller|pain reliever|steroid|nasal spray)s?"
)
_AND_NO_MORE = (
    r"(?:\s+(?:that|which|i|we|you|can|could|would|will|might|should|help|work|take|use|try|get|buy|over|the|counter|"
    r"is|are|do|best|recommend|recommended|suggest|suggested|with|for|me|it|this|that|now|then|too|again|instead|at|all|"
    r"or|not|right|away|still|today|please|just|in|case))*\W*$"
)
_REMEDY_ALONE = re.compile(
    rf"{_OPENING}(?!what(?:'s| is| are) (?:an? )?(?:{_REMEDY})s?\W*$)"
    r"(?:(?:is|are) there|what(?:'s| is| are| would be)?|which|"
    r"(?:do|does|would|will|should|could|can|might)(?:n't)? (?:i|he|she|we|they|you)"
    r"(?: (?:really|still|even|just|definitely|have to|need to|be))* (?:need|take|get|try|use|on|start|want))\s+"
    rf"{_REMEDIES}{_AND_NO_MORE}",
    re.I,
)
"""A remedy that is asked for, for nothing."""
_GOES_WITHOUT = re.compile(
    rf"{_OPENING}(?:(?:do|does|would|will|can|could|you|think|believe|know|if|is|possible|for)\s+)*"
    r"(?:this|it|that|these|they)\s+(?:(?:will|would|can|could|to|just|probably)\s+)*"
    r"(?:resolve|go away|heal|get better|clear|clear up|improve|pass)\b[^.?!]*\bwith(?:out)?\b[^.?!]*"
    rf"(?:{_REMEDY})s?\W*$",
    re.I,
)
"""Whether it passes with a remedy or without one, of nothing: "Will this resolve without antibiotics?"."""
_REMEDY_WORKS = re.compile(
    r"(?=\S+\s+\S)(?:(?:so|and|but|ok|okay|well|then|what about|how about)\W+)*"
    r"(?:(?:will|would|do|does|did|can|could|should|might)(?:n't)? )?(?:(?:an?|the|some|any|these|those|your|other) )*"
    rf"(?:{_REMEDY}|(?:eye|ear|nose) ?drop|painkiller|steroid|antihistamine|shot)s?"
    r"(?: (?:will|would|do|does|did|can|could|should|might|won't|wouldn't|don't|doesn't|didn't|not|really|actually|"
    r"help|helps|work|works|be|is|are|enough|needed|necessary|anything|something|it|this|that|with|for|against|me|then|now|"
    r"too|also|instead|here))*\W*$",
    re.I,
)
"""Whether a remedy helps, against nothing: "So an antibiotic would not help?"."""
_EFFECTS_ALONE = re.compile(
    r"(?:(?:so|and|but|ok|also|well)\W+)*"
    r"(?:(?:is|are) there|what(?:'s| is| are)?|which|do i have to expect|will i have)?\s*"
    r"(?:(?:an?|any|the|some|bad|common|serious|possible) )*(?:side[ -]?effects?|interactions?|risks?|precautions)"
    r"(?:\s+(?:that|which|i|we|you|can|could|should|need|to|must|know|expect|watch|look|be|aware|worry|about|of|for|out|"
    r"it|this|them|have|get|with|here|please))*\W*$",
    re.I,
)
"""Side effects that are asked for, of nothing."""
_FOR_IT = re.compile(
    r"\b(?:for|against|with)\s+(?:(?:the|a|an|my|his|her|this)\s+)?(?!(?:it|this|that|them|these|those|me|him|her)\b)\w{4,}\W*$",
    re.I,
)
"""What something is asked for, though nobody links it: "anything I could take for the phlegm"."""
_TAGGED = re.compile(
    r"\A(?:(?:so|and|but|ok)\W+)?(?P<subject>\S.*?)\s+(?P<verb>is|are|was|were|can|should|will|does|do)\s+(?P<rest>.+?)[,\s]+"
    r"(?:right|correct|true|yes|isn't it|aren't they|(?:is|am) (?:that|this|i) (?:right|correct|true))\s*\?+\s*$",
    re.I,
)
"""A statement that asks to be confirmed."""
_NO_SUBJECT = (
    rf"(?:{_WH}|so|and|but|or|okay|ok|no|yes|yo|oh|hi|hey|just|like|also|exactly|if|when|while|because|since|after|before|"
    r"at|in|on|with|for|from|of|to|there|theres|there's|anything|something|other|it|this|that|these|those|i|im|i'm|we|you|"
    r"he|she|they|my|his|her|our|their|your|not|\w+ing)"
)
_STATED = re.compile(
    rf"\A(?:(?:so|and|but|ok|okay)\W+)*(?P<subject>(?:an? |the )?(?:(?!{_NO_SUBJECT}\b)\w[\w'-]* ){{1,4}}?)"
    rf"(?P<verb>is|are|can|should|will) (?P<rest>(?!.*\b(?:{_WH}|right|i|it)\b)[^?.,;:]+?)\s*\?+\s*\Z",
    re.I,
)
"""A statement that only its question mark makes a question: "Gout is hereditary?"."""
_IT_IS = re.compile(
    r"\A(?:(?:so|and|but|ok|okay|then)\W+)*(?:(?:if|when)\b[^,?]*,\s*)?(?:then )?(?:it'?s|(?:it|this) (?:is|could be)) "
    r"(?P<what>(?:(?:an?|just|only|probably|likely|maybe) )*(?!not\b|the\b|\w+ing\b)\w[\w' -]*?)\s*\?+\s*\Z",
    re.I,
)
"""Whether what the asker has is this, as a statement: "So its bronchitis?"."""
_OR_ELSE = re.compile(r"\s*,?\s+or (?:is it |could it be )?(?:just )?(?:something|anything) else\b(?=\s*\?)", re.I)
_TOGETHER = re.compile(
    r"\bdifferences?\b(?:\s+(?:is there )?(?:between|of))?|\bversus\b|\bvs\b\.?|"
    r"\bsame (?:(?:thing|drug|med|medicine|medication|pill) )?as\b|"
    r"^(?:which|what)(?:'s| is)? (?:worse|better|more \w+)\b.*\bor\b|^(?:is it|do i have) (?:an?|the|just) .*\bor\b|"
    r"\b(?:the same(?: (?:thing|drug|med|medicine|medication|pill))?|different)$|"
    r"\b(?:how|which)\b.*\b(?:tell|know|distinguish|which|one)\b|\bdiffer(?:s|ent)?\b.*\b(?:from|than)\b|"
    r"^how (?:are|do)\b.+\band\b.+\bdiffer$|"
    r"\bcompared? (?:to|with)\b",
    re.I,
)
_SIDES = (
    re.compile(r"\b(?:between|differences? in)\s+(?P<a>.+?)\s+and\s+(?P<b>[^?.,]+)", re.I),
    re.compile(
        r"^(?:which|what)(?:'s| is)? (?:worse|better|more \w+)(?: (?:for|in) [^,:?]+?(?=[,:]))?[,:]?\s+"
        r"(?P<a>[^?.,:]+?)\s+or\s+(?P<b>[^?.,:]+)",
        re.I,
    ),
    re.compile(
        r"^(?:how (?:do|can|would|could) (?:i|you|we) (?:know|tell) (?:if|whether) "
        r"(?:it's|its|it is|this is|(?:i|you) have)|is it|do i have)\s+"
        r"(?=(?:an?|the|just)\s|.* or (?:an?|the|just)\s|.*(?:know|tell))"
        r"(?P<a>[^?.,:]+?)\s+or\s+(?:just |only )?(?P<b>[^?.,:]+)",
        re.I,
    ),
    re.compile(
        r"^(?:(?:what(?:'s| is) the )?differences? of\s+)?(?P<a>[^?.,:]+?)\s+(?:vs\.?|versus)\s+(?P<b>[^?.,:]+)", re.I
    ),
    re.compile(
        r"^(?:is|are)\s+(?P<a>.+?)\s+(?:(?:the )?same(?: (?:thing|drug|med|medicine|medication|pill))? as|"
        r"different (?:from|than|to))\s+(?P<b>[^?.,]+)",
        re.I,
    ),
    re.compile(
        r"^(?:is|are)\s+(?P<a>.+?)\s+and\s+(?P<b>.+?)\s+"
        r"(?:the same(?: (?:thing|drug|med|medicine|medication|pill))?|different)$",
        re.I,
    ),
    re.compile(r"\bhow\s+(?P<a>.+?)\s+(?:is|are) different (?:from|than|to)\s+(?P<b>[^?.,]+)", re.I),
    re.compile(r"^how (?:is|are|does|do)\s+(?P<a>.+?)\s+(?:differ(?:ent)?(?: from| than)?)\s+(?P<b>[^?.,]+)", re.I),
    re.compile(r"^how (?:are|do)\s+(?P<a>.+?)\s+and\s+(?P<b>.+?)\s+(?:different|differ)$", re.I),
    re.compile(
        r"\b(?:tell|distinguish|know)\s+(?!(?:if|whether|that|what|how|me|you|my|your)\b)(?P<a>.+?)\s+from\s+(?P<b>[^?.,]+)",
        re.I,
    ),
    re.compile(
        r"^(?:is it |do i have |have i got )?(?P<a>[^?.,:]+?)\s+or\s+(?:just |only )?(?P<b>[^?.,:]+?)"
        r"(?=[,:]|\s+(?:how|which|what|can|difference)\b)",
        re.I,
    ),
)
_EDGE = re.compile(
    r"^(?:(?:what|how)(?:'s| is| are)? )?(?:(?:just|only|a|an|the|latent|active)\s+(?=\w+\s+\w))?|"
    r"\s+(?:which|how|what|or|do|are (?:they|these)|difference|in terms)\b.*$|\s+[\u2013-]\s.*$",
    re.I,
)
_KIND = re.compile(r"\w*(?:al|ic|ive|ous|ary|ory|ar|ent|ant|oid|ute|ign|wet|dry|ed|[ivx]|\d)$", re.I)
"""What says of which kind something is, rather than what it is."""


LONGEST = 600
"""Characters of the longest sentence that is read whole; of a longer one the end, which asks."""


class Asking(NamedTuple):
    """A text's questions, each alone and in the words of the text, and what it compares."""

    questions: tuple[str, ...]
    compared: tuple[str, str] | None = None


def asking(text: str) -> Asking:
    """The questions of a text; its last sentence where none looks like one."""
    pieces = [_as_question(end_of(piece, LONGEST)) for piece in told(text)]
    asked = [piece for piece in map(_asked_in, pieces) if piece] or [pieces[-1]]
    questions: list[str] = []
    for part in (part for piece in asked for part in _divided(piece)):
        if questions and len(content_terms(part)) < _LEAST_CONTENT and not leans(part):
            questions[-1] = f"{questions[-1]} {part}"
        else:
            questions.append(part)
    sides = next((found for piece in asked if (found := compared(piece))), None)
    return Asking(tuple(dict.fromkeys(questions))[:MOST], sides)


def _as_question(piece: str) -> str:
    """A statement that asks, as a question, and without an "or something else"; any other as it is."""
    piece = _OR_ELSE.sub("", piece)
    return _IT_IS.sub(r"Is it \g<what>?", _STATED.sub(_confirmed, _TAGGED.sub(_confirmed, piece)))


def _confirmed(tagged: re.Match[str]) -> str:
    """The question that a statement asks; one that begins as a question stays as it is."""
    if _ASKS.match(tagged.group()) or YES_NO.match(tagged.group()):
        return tagged.group()
    subject = tagged["subject"].strip()
    subject = subject if subject.isupper() else subject[:1].lower() + subject[1:]
    return f"{tagged['verb'].capitalize()} {subject} {tagged['rest']}?"


def told(text: str) -> list[str]:
    """The sentences of a text; who types in small letters ends one without beginning the next with a capital."""
    pieces = [s.text for s in sentences(text)] or [text]
    return [part for piece in pieces for part in _SMALL_START.split(piece) if part.strip()] or [text]


def compared(question: str) -> tuple[str, str] | None:
    """The two things whose difference is asked for."""
    bare = question.strip().rstrip("?!. ")
    if not _TOGETHER.search(bare):
        return None
    for form in _SIDES:
        match = form.search(bare)
        if match:
            a, b = (_EDGE.sub("", side.strip()).strip(" '\"") for side in match.group("a", "b"))
            a, b = _with_noun_of(a, b), _with_noun_before(a, b)
            if a and b and max(len(words(a)), len(words(b))) <= _LONGEST_SIDE:
                return a, b
    return None


def _with_noun_of(kind: str, other: str) -> str:
    """A side that only says of which kind with the noun of the other: "viral and bacterial meningitis"."""
    said, named = kind.split(), other.split()
    short = 0 < len(said) < len(named) and (said[0].lower() == named[0].lower() or len(said) == 1)
    return " ".join([*said, *named[len(said) :]]) if short and _KIND.fullmatch(said[-1]) else kind


def _with_noun_before(other: str, kind: str) -> str:
    """The same where the noun stands first: "macular degeneration wet vs dry"."""
    *noun, last = other.split()
    short = bool(noun) and " " not in kind and _KIND.fullmatch(last) and _KIND.fullmatch(kind)
    return " ".join([*noun, kind]) if short else kind


def alone(question: str, subject: str) -> str:
    """The question with the subject in it that it leans on."""
    if not subject or subject.lower() in question.lower():
        return question
    if bare := _BARE.match(question.strip()):
        return f"What helps with {subject}?" if bare["helps"] else f"What can I do about {subject}?"
    body = _ANOTHER.sub(lambda _: subject, leaning.body_of(question))
    if subject in body:
        return leaning.finished(body)
    if _THEY_FIRST.match(body) and _PLURAL.match(subject):
        made: str | None = _THEY.sub(lambda _: subject, body, count=1)
    elif _THEY.search(body):  # most often those who treat, or who have it
        pointing = _IT.search(body)
        made = f"{body[: pointing.start()]}{subject}{body[pointing.end() :]}" if pointing else None
    else:
        made = leaning.with_subject(body, subject)
    if made is None and len(content_terms(body)) > _LITTLE:
        return question
    return leaning.finished(made or f"{body} with {subject}")


def leans(question: str) -> bool:
    """Whether a question points at something that was named before it."""
    if _WITHIN.search(question):
        return False
    if _BARE.match(question.strip()):
        return True
    body = leaning.body_of(question)
    bare = _IT.search(body) is not None and len(content_terms(body)) <= _LEAST_CONTENT
    return bare or leaning.dangling(body) is not None or leaning.asks_of_nothing(body)


def of_person(question: str) -> bool:
    """Whether a question asks of him or her who was spoken of."""
    return _PERSON.search(question) is not None


def names_nothing(text: str, subject: str, *, named: bool) -> bool:
    """Whether a text is one question about "it", or about an aspect, of nothing that it names.

    ``named`` tells whether a disease, a drug or a part of the body is linked in it.
    """
    if len(told(text)) > 1:
        return False
    if any(form.match(text) for form in (_REMEDY_ALONE, _GOES_WITHOUT, _REMEDY_WORKS, _EFFECTS_ALONE, _OF_THIS)):
        return True
    if not subject and not named:
        little = len(content_terms(text)) <= 1 and _FOR_IT.search(text) is None
        return little or leaning.asks_of_nothing(leaning.body_of(text))
    first = subject.lower().split(" ", 1)[0]
    bare = _IT.fullmatch(first) is not None or _THEY.fullmatch(first) is not None
    aspect = leaning.ASPECT.fullmatch(subject) is not None
    little = not named and len(content_terms(text)) <= _LITTLE and _POINTS_LAST.search(text) is not None
    return leans(text) and (bare or aspect or little)


def _asked_in(piece: str) -> str:
    """The asking part of a sentence: all of it, or what follows a story in the same sentence; empty where none."""
    if _ASKS.match(piece):
        return piece
    inside = _ASKS_INSIDE.search(piece)
    if inside and _is_story(piece[: inside.start()]):
        return piece[inside.end() :]
    if inside and len(words(piece[: inside.start()])) <= _TOPIC_WORDS and leans(piece[inside.end() :]):
        topic, asked = piece[: inside.start()].strip(), piece[inside.end() :]
        return asked if _HAVING.match(topic) or _SPOKEN.fullmatch(topic) else alone(asked, topic)
    return piece if piece.rstrip().endswith("?") else ""


def _is_story(text: str) -> bool:
    """Whether the words before a question are a sentence of their own and not its topic, as in "Lipitor - how …"."""
    return len(words(text)) > _TOPIC_WORDS and _TELLER.match(text) is not None


def _asks_yes_no(text: str) -> bool:
    return YES_NO.match(text) is not None and _WISH.match(text) is None


def _divided(question: str) -> Sequence[str]:
    """The questions that "and" or a comma joins; one that asks nothing by itself stays with its neighbour."""
    parts: list[str] = []
    start = 0
    for joint in _JOINT.finditer(question):
        before = question[start : joint.start()].strip(" ,;")
        if len(words(before)) >= _LEAST_WORDS and (_ASKS.match(before) or _asks_yes_no(before)):
            parts.append(before)
            start = joint.end()
        elif _is_story(before):
            start = joint.end()
    parts.append(question[start:].strip())
    return [part for part in parts if words(part)] or [question]
