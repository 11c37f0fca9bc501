"""What a passage, as far as it was read, says of a claim."""

from __future__ import annotations

from collections.abc import Sequence

from chains.verify.passage import Passage
from chains.verify.statements.rule import Known, claimed_statements, stand
from chains.verify.statements.stand import FOREIGN_CLAIM, FOREIGN_TEXT, Stand
from chains.verify.statements.vocabulary import Vocabulary
from core.language import language_of
from core.language.statement import Reading
from core.text import content_terms


def stand_of(claim: Reading, runs: Sequence[Reading], passage: Passage, vocabulary: Vocabulary) -> Stand:
    """What the statements in these runs of a passage's sentences say of a claim; its title sets the scene."""
    if language_of(claim.text) != "en":
        return FOREIGN_CLAIM
    if language_of(passage.text) != "en":
        return FOREIGN_TEXT
    known = Known(vocabulary, passage.short_forms, passage.title.stems, frozenset(content_terms(claim.text)))
    return stand(claimed_statements(claim), runs, known)
