"""A statement that asks, as the question that it is: "Gout is hereditary?", "so it's bronchitis?"."""

from __future__ import annotations

import re

from chains.form import YES_NO

WH = r"(?:what|whats|what's|how|how's|why|who|who's|when|where|which|whose)"
"""What asks for something, as a question begins."""
AUX = (
    r"(?:is|are|was|were|do|does|did|can|could|will|would|should|may|might|has|have)(?:n't)? "
    r"(?:it|they|this|that|these|there|he|she|i|we|you|people|someone|a|an|the|my)\b"
)
"""What asks for yes or no, with the first word of its subject."""
ASKS = re.compile(rf"^(?:(?:and|but|so|or|also|ok|hey|hi|hello|well|please)[\s,]+)*(?:{WH}\b|{AUX})", re.I)
"""A text that begins as a question."""
_TAGGED = re.compile(
    r"\A(?:(?:so|and|but|ok)\W+)?(?P<subject>\S.*?)\s+(?P<verb>is|are|was|were|can|should|will|does|do)\s+(?P<rest>.+?)[,\s]+"
    r"(?:right|correct|true|yes|isn't it|aren't they|(?:is|am) (?:that|this|i) (?:right|correct|true))\s*\?+\s*$",
    re.I,
)
"""A statement that asks to be confirmed."""
_NO_SUBJECT = (
    rf"(?:{WH}|so|and|but|or|okay|ok|no|yes|yo|oh|hi|hey|just|like|also|exactly|if|when|while|because|since|after|before|"
    r"at|in|on|with|for|from|of|to|there|theres|there's|anything|something|other|it|this|that|these|those|i|im|i'm|we|you|"
    r"he|she|they|my|his|her|our|their|your|not|\w+ing)"
)
_STATED = re.compile(
    rf"\A(?:(?:so|and|but|ok|okay)\W+)*(?P<subject>(?:an? |the )?(?:(?!{_NO_SUBJECT}\b)\w[\w'-]* ){{1,4}}?)"
    rf"(?P<verb>is|are|can|should|will) (?P<rest>(?!.*\b(?:{WH}|right|i|it)\b)[^?.,;:]+?)\s*\?+\s*\Z",
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


def as_question(piece: str) -> str:
    """A statement that asks, as a question, and without an "or something else"; any other as it is."""
    piece = _OR_ELSE.sub("", piece)
    return _IT_IS.sub(r"Is it \g<what>?", _STATED.sub(_confirmed, _TAGGED.sub(_confirmed, piece)))


def _confirmed(tagged: re.Match[str]) -> str:
    """The question that a statement asks; one that begins as a question stays as it is."""
    if ASKS.match(tagged.group()) or YES_NO.match(tagged.group()):
        return tagged.group()
    subject = tagged["subject"].strip()
    subject = subject if subject.isupper() else subject[:1].lower() + subject[1:]
    return f"{tagged['verb'].capitalize()} {subject} {tagged['rest']}?"
