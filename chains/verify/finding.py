"""What one piece of evidence says on one claim, and whether that supports or contradicts it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from chains.verify.entailment import LEAST_READ, Probabilities, vetoed
from chains.verify.passage import Window
from chains.verify.report import WHOLE
from chains.verify.statements.stand import NOTHING_SAID, Stand
from core.readers.entailment import read_at_once
from core.schema import Evidence

SURE = 0.915
"""How likely support must be where no statement of the passage is the claim's: of 2,302 pairs written to mislead, 3 in
100 of those that nothing supports are then called supported (4 in 100 at 0.9)."""
SEEN = 0.8
"""How likely support must be to the reader that has learned where a statement of a short text is the claim's: of 12
such pairs below it 4 were not supported."""
OVERRULES = 0.9
"""How likely it must be to that reader where a part of the claim stands in other words than the statements have or
seems to be said of others alone; and, whatever all signals come to, where nothing lacks: of 1,000 older pairs, most of
them beside short texts and written to mislead, 57 in 100 of the true ones are found with that, and 4.5 of the others
called supported; without it 50 and 3.5."""
TELLING = 0.8
"""Rarity of a word of the claim that the whole passage lacks, from which on words alone support nothing."""
SURE_OF_REPORTS, SURE_OF_PIECES, SURE_OF_PAGES = 0.5, 0.85, 0.65
"""The same of reports that are too long to be read at once, which seldom say in one sentence what they found, of pieces
of reports (of 200 other pairs 9 in 100 of those that nothing supports are called supported at 0.85, as many as at 0.9,
and 21 at 0.5), and of pages of as many sentences that report nothing."""
READ_THERE, READ_WHATEVER_LACKS = 0.65, 0.85
"""How likely support must be to the reader that has learned in a text of many sentences that it reads at once; and
where a measure of the claim, or which group has more, was not found in it by the rules. Chosen on the 1,255 pairs of
the fifteenth to the nineteenth set, most of them beside such texts."""
EVEN = 0.5
"""How likely support must be at least by all signals together, whatever the reader thinks."""
SURE_AGAINST, PAGES_AGAINST = 0.75, 0.7
"""How likely a contradiction must be in a short text where no statement of it is the claim's, and in a page: of 775
claims 6 in 100 of the true ones are called contradicted then."""
UNSEEN_AGAINST = 0.03
"""A contradiction that the reader that has learned thinks less likely than this is none, whatever the statements say:
of 199 found in 900 pairs written to mislead, it thought so of two, and both were wrong."""
NEARLY_ALL = 0.9
"""How much of a claim without a statement must stand in one sentence."""
_OVERRULED = ("lacks", "scope")


@dataclass(frozen=True, eq=False)
class Finding:
    """One piece of evidence on one claim: its nearest window, the signals and the probabilities they make."""

    evidence: Evidence
    window: Window
    signals: Mapping[str, float | None]
    probabilities: Probabilities
    stand: Stand = NOTHING_SAID
    verbatim: bool = False
    long: bool = False
    """Whether it is long enough to be a whole report."""
    report: float = 0.0
    """How far it is a report: ``WHOLE``, ``PIECE``, or 0."""
    spoken: bool = True
    """Whether it has the words of those who report."""

    @property
    def supports(self) -> bool:
        """Whether supporting is the likeliest of the three, and nothing that the passage states forbids it.

        Its statements must say so; or they say nothing that was read as standing against it, and other words leave
        little doubt.
        """
        p = self.probabilities
        likeliest = p.supported >= max(p.contradicted, p.neither) and not self.vetoed
        return self.verbatim or (likeliest and (self._seen if self._stated else self._in_other_words))

    @property
    def contradicts(self) -> bool:
        """Whether contradicting is the likeliest of the three, and the passage does not state the claim.

        The reader that has learned, where it was asked, can veto that too. Where figures alone tell how groups compare,
        it sees a contradiction in whatever compares them.
        """
        counted = self.signals.get("counted")
        if counted:
            return counted < 0
        unseen = (self.signals.get("read_contradiction") or (0.0 if self.read else 1.0)) < UNSEEN_AGAINST
        if unseen or counted == 0:
            return False
        p = self.probabilities
        likeliest = p.contradicted > max(p.supported, p.neither)
        stated = self.stand.contradicts and not self.stand.supports
        of_others = self.report == 0 and self.stand.obstacle == "scope"
        worded = p.contradicted >= self._sure_against and not of_others
        return likeliest and not self._stated and (stated or worded)

    @property
    def read(self) -> bool:
        """Whether the reader that has learned was asked."""
        return self.signals.get("read_support") is not None

    @property
    def vetoed(self) -> bool:
        """Whether the reader that has learned does not see the support."""
        return not self.verbatim and vetoed(self.signals)

    @property
    def denies(self) -> bool:
        """Whether a statement of it denies the claim; the reader that has learned, if it was asked, must see that."""
        seen = self.signals.get("read_contradiction")
        return self.stand.contradicts and (seen is None or seen >= LEAST_READ)

    @property
    def _stated(self) -> bool:
        return self.stand.supports and not self.stand.contradicts

    @property
    def _seen(self) -> bool:
        """Whether the reader that has learned, where it was asked of a short text, sees what the statements say."""
        read = self.signals.get("read_support")
        return self.report == WHOLE or read is None or read >= SEEN or self._told_by_others

    @property
    def _told_by_others(self) -> bool:
        """Whether the claim begins a sentence, or figures say it: what the reader does not count."""
        return bool(self.signals.get("opening") or self.signals.get("counted"))

    @property
    def _in_other_words(self) -> bool:
        """Whether it says the claim surely enough in other words than a statement of the claim has.

        A text that the reader that has learned reads at once it may judge though something of the claim was not found
        there; elsewhere, and without it, all signals together decide, and nothing may lack.
        """
        if self._forbidden or not self._worded:
            return False
        if self.long and self.read and read_at_once(self.evidence.text, self.evidence.title):
            return self._reads_so(READ_WHATEVER_LACKS if self._lacks or self._open else READ_THERE)
        return not self._lacks and (self.probabilities.supported >= self._sure or self._reads_so(OVERRULES))

    def _reads_so(self, sure: float) -> bool:
        """Whether support is that likely to the reader that has learned, and to all signals together not unlikely."""
        return self._read_support >= sure and self.probabilities.supported >= EVEN

    @property
    def _read_support(self) -> float:
        """How likely support is to the reader that has learned; 0 where it was not asked."""
        return self.signals.get("read_support") or 0.0

    @property
    def _sure(self) -> float:
        """How likely support must be; of a comparison that figures leave open as likely as of a piece of a report."""
        if self.report == WHOLE:
            least = SURE_OF_REPORTS if self.spoken else SURE_OF_PAGES
            return max(least, SURE_OF_PIECES) if self._open else least
        return SURE_OF_PIECES if self.report else SURE

    @property
    def _sure_against(self) -> float:
        """How likely a contradiction must be; in a report it need only be the likeliest."""
        if self.report == WHOLE and not self.spoken:
            return PAGES_AGAINST
        return 0.0 if self.report else SURE_AGAINST

    @property
    def _worded(self) -> bool:
        """Whether a claim that makes no statement, such as a note, has nearly all of its words in one sentence."""
        held, turned = (self.signals.get(name) or 0.0 for name in ("containment", "opposition"))
        return self.stand.readable or (held >= NEARLY_ALL and turned == 0.0)

    @property
    def _forbidden(self) -> bool:
        """Whether what was read there keeps it from saying so in whatever words: a belief, a doubt, a denial."""
        seen = self.report == WHOLE or self._read_support >= OVERRULES
        overruled = self.stand.obstacle in _OVERRULED and self.read and seen
        return self.stand.contradicts or not (self.stand.obstacle is None or overruled)

    @property
    def _lacks(self) -> bool:
        """Whether a measure or a telling word of the claim was not found there, or a difference may be chance."""
        found = self.signals.get("numbers_found")
        telling = not self.read and (self.signals.get("missing_rare") or 0.0) >= TELLING
        unsettled = bool(self.signals.get("chance") or self.signals.get("unmeasured"))
        return (found is not None and found < 1.0) or telling or unsettled

    @property
    def _open(self) -> bool:
        """Whether it gives figures of groups that do not settle the claim's comparison."""
        return self.signals.get("counted") == 0.0
