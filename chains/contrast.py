"""The two things whose difference a question asks for: "viral vs bacterial meningitis", "is it a cold or the flu"."""

from __future__ import annotations

import re

from core.text import words

_LONGEST_SIDE = 5
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
    re.compile(r"\bdifferences? between\s+(?P<a>.+?)\s+(?:an|n|&)\s+(?P<b>[^?.,]+)", re.I),
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
