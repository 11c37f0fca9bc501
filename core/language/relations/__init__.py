"""Which relations a parsed sentence states, each between words of the parse, in the order of the relation's meaning."""

from __future__ import annotations

from collections.abc import Iterator

from core.language import lexicon
from core.language.grammar import is_verb
from core.language.parser import Tree
from core.language.relations.draft import Draft
from core.language.relations.nouns import adjoined, apposed, compound, nominal
from core.language.relations.verbs import verbal


def drafts(tree: Tree) -> Iterator[Draft]:
    """Every relation of a sentence."""
    for token in tree.doc:
        if is_verb(token):
            yield from verbal(tree, token)
        elif token.pos_ in ("NOUN", "PROPN"):
            yield from nominal(tree, token)
            yield from apposed(tree, token)
        if token.i >= 2 and token.text.lower() in lexicon.compounds():
            yield from compound(tree, token)
        if token.pos_ in ("ADJ", "ADP") and token.dep_ in ("amod", "prep", "acl", "advmod"):
            yield from adjoined(tree, token)
