"""The words of a sentence, each with whether it is denied, doubted or said of a relative."""

from __future__ import annotations

from collections.abc import Sequence

from core.language.notes import qualify
from core.language.parser import Tree
from core.language.statement import Statement, Word
from core.text import Span


def words_of(tree: Tree, told: Sequence[Statement], span: Span) -> list[Word]:
    """The words of a tree that stand in a sentence, in the order of the text."""
    order = sorted((n for n, unit in enumerate(tree.units) if unit.text), key=lambda n: tree.units[n].start)
    said = qualify([tree.units[n].text.lower() for n in order])
    doubtful = [
        each
        for each in told
        if (each.modality != "asserted" and each.modality != "possible") or each.attribution in ("believed", "refuted")
    ]
    found = []
    for place, n in enumerate(order):
        unit, token = tree.units[n], tree.doc[n]
        if not span.start <= unit.start < span.end:
            continue
        found.append(
            Word(
                text=unit.text,
                start=unit.start,
                end=unit.end,
                lemma=tree.lemma(token),
                pos=str(token.pos_),
                negated=said.negated[place],
                doubted=said.doubted[place] or any(each.start <= unit.start < each.end for each in doubtful),
                family=said.family[place],
            )
        )
    return found
