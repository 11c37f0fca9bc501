"""Whether a text asks of something that it does not name: "will this resolve without antibiotics?"."""

from __future__ import annotations

import re

from chains import leaning
from chains.parts import IT, LITTLE, THEY, leans, told
from core.text import content_terms

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
_CAUSED_WHAT = re.compile(
    rf"{_OPENING}(?:could|can|would|might|may|did|do|does|is|are|was|were)\b[^.?!,;]*"
    r"\b(?:caus\w+|trigger\w*|(?:lead|led|leading) to|responsible for|related to|(?:bring|brought|bringing) on) "
    r"(?:this|that|these|those)\W*$",
    re.I,
)
"""Whether a thing has brought about what only the asker sees: "could the medication have caused that?"."""
_FOR_IT = re.compile(
    r"\b(?:for|against|with)\s+(?:(?:the|a|an|my|his|her|this)\s+)?(?!(?:it|this|that|them|these|those|me|him|her)\b)\w{4,}\W*$",
    re.I,
)
"""What something is asked for, though nobody links it: "anything I could take for the phlegm"."""
_OF_NOTHING = (_REMEDY_ALONE, _GOES_WITHOUT, _REMEDY_WORKS, _EFFECTS_ALONE, _OF_THIS, _CAUSED_WHAT)


def names_nothing(text: str, subject: str, *, named: bool) -> bool:
    """Whether a text is one question about "it", or about an aspect, of nothing that it names.

    ``named`` tells whether a disease, a drug or a part of the body is linked in it.
    """
    if len(told(text)) > 1:
        return False
    if any(form.match(text) for form in _OF_NOTHING):
        return True
    if not subject and not named:
        little = len(content_terms(text)) <= 1 and _FOR_IT.search(text) is None
        return little or leaning.asks_of_nothing(leaning.body_of(text))
    first = subject.lower().split(" ", 1)[0]
    bare = IT.fullmatch(first) is not None or THEY.fullmatch(first) is not None
    aspect = leaning.ASPECT.fullmatch(subject) is not None
    little = not named and len(content_terms(text)) <= LITTLE and _POINTS_LAST.search(text) is not None
    return leans(text) and (bare or aspect or little)
