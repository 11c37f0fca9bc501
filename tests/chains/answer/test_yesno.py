from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace

import pytest

from chains.answer.yesno import answer_yesno
from chains.verify.comparing import Learned
from core.embeddings import MiniLM
from core.rarity import wordpiece_rarity
from core.readers.entailment import Entailed, EntailmentReader
from core.schema import Draft, Evidence, Question

PRESENT = "Ectopia lentis is a frequent feature of Marfan syndrome."
ABSENT = "Ectopia lentis is not a feature of Loeys-Dietz syndrome."


def ask(
    embedder: MiniLM,
    question: str,
    *texts: str,
    subject: str = "",
    related: str = "",
    source: str = "given",
    learned: Learned | None = None,
    examined: bool = False,
) -> Draft:
    evidence = [Evidence(id=f"{source}:{n}", text=text, source=source) for n, text in enumerate(texts, start=1)]
    understanding = SimpleNamespace(text=question, subject=subject, object=related)
    rarity = wordpiece_rarity(embedder.vocabulary())
    return answer_yesno(
        Question(question=question),
        understanding,
        evidence,
        encode=embedder.encode,
        rarity=rarity,
        learned=learned,
        examined=examined,
    )


def reads(yes: float, no: float) -> Learned:
    """A reader that makes the same of everything."""

    def read(asked: Sequence[tuple[str, str, str]]) -> list[Entailed]:
        return [Entailed(yes, no)] * len(asked)

    return read


@pytest.mark.parametrize(
    ("question", "text", "choice"),
    [
        ("Does ectopia lentis belong to Marfan syndrome?", PRESENT, "yes"),
        ("Does ectopia lentis belong to Loeys-Dietz syndrome?", ABSENT, "no"),
        ("Does aspirin prevent dementia?", "Aspirin did not prevent dementia in adults.", "no"),
        ("Does aspirin affect blood pressure?", "Aspirin had no effect on blood pressure.", "no"),
        ("Does aspirin prevent dementia?", "Whether aspirin prevents dementia remains unclear.", "maybe"),
        ("Can men get breast cancer?", "Men can get breast cancer too.", "yes"),
    ],
)
def test_the_evidence_decides_and_is_quoted(embedder: MiniLM, question: str, text: str, choice: str) -> None:
    draft = ask(embedder, question, text)
    assert draft.choice == choice
    assert draft.text == f"{choice.capitalize()}. {text}"
    assert [draft.text[slice(*claim.span)] for claim in draft.claims] == [text]
    assert draft.citations == ("given:1",)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Can women get testicular cancer?", "You can get testicular cancer at any age."),
        ("Can women get testicular cancer?", "Men can get testicular cancer."),
        ("Can you get a cold from being cold?", "You can get hypothermia from being cold."),
        ("Is hemophilia inherited?", "Hemophilia that is not inherited is called acquired hemophilia."),
    ],
)
def test_what_is_said_of_others_decides_nothing(embedder: MiniLM, question: str, text: str) -> None:
    assert ask(embedder, question, text).choice is None


def test_evidence_on_something_else_decides_nothing(embedder: MiniLM) -> None:
    question = "Does cough belong to Marfan syndrome?"
    draft = ask(embedder, question, PRESENT, subject="cough", related="Marfan syndrome")
    assert (draft.choice, draft.text, draft.claims) == (None, "", ())
    assert draft.reasoning[-1] == "No evidence says either"
    assert ask(embedder, question).choice is None


SCURVY = "Scurvy is caused by a lack of vitamin C in the diet."
BELIEF = "It was once thought that the MMR vaccine causes autism. Many large studies have rejected this idea."
WAY = "The best way to prevent lung cancer is to not smoke."


@pytest.mark.parametrize(
    ("question", "text", "choice"),
    [
        ("Does vitamin C deficiency cause scurvy?", SCURVY, "yes"),
        ("Is scurvy caused by a lack of vitamin C?", "Vitamin C deficiency causes scurvy.", "yes"),
        ("Does the MMR vaccine cause autism?", BELIEF, "no"),
        ("Does smoking prevent lung cancer?", WAY, None),
        ("Isn't scurvy caused by a lack of vitamin C?", SCURVY, "yes"),
        ("Can metformin cause nausea?", "Metformin rarely causes nausea.", "yes"),
        ("Does garlic cure colds?", "Some people believe that garlic cures colds.", None),
        ("Does garlic cure colds?", "Garlic may cure colds.", "maybe"),
    ],
)
def test_what_is_stated_decides(embedder: MiniLM, question: str, text: str, choice: str | None) -> None:
    assert ask(embedder, question, text).choice == choice


def test_what_speaks_both_ways_is_quoted_both_ways(embedder: MiniLM) -> None:
    texts = ("Aspirin prevents dementia.", "Aspirin does not prevent dementia.")
    draft = ask(embedder, "Does aspirin prevent dementia?", *texts)
    assert draft.choice == "maybe"
    assert {claim.text for claim in draft.claims} == set(texts)


def test_a_complete_list_that_leaves_it_out_says_no(embedder: MiniLM) -> None:
    piece = Evidence(id="knowledge:1", text="Marfan syndrome has ectopia lentis and scoliosis.", source="knowledge")
    question = "Does Marfan syndrome have fever?"
    draft = answer_yesno(
        Question(question=question),
        SimpleNamespace(text=question, subject="Marfan syndrome", object="fever"),
        [piece],
        encode=embedder.encode,
        rarity=wordpiece_rarity(embedder.vocabulary()),
        complete=lambda evidence, _: evidence.source == "knowledge",
    )
    assert draft.choice == "no"


NO_GAIN = (
    "Whether early physiotherapy shortens hospital stay after hip surgery is debated. We randomised 240 patients to "
    "physiotherapy on the first day or to usual care. Age and sex were alike in both groups. "
    "Stay did not differ between early physiotherapy and usual care (median 7.1 v 7.0 days, p=0.81). "
    "Pain scores on day three did not differ. There was no significant difference in complications."
)
GAIN = (
    "Early feeding after bowel surgery is thought to be unsafe. We randomised 180 patients to early or usual feeding. "
    "The groups were alike in age and disease. Median stay was 5.1 days with early feeding and 8.4 days without "
    "(p<0.001). Early feeding also significantly reduced infections (6% v 15%). Leaks were as frequent in both groups."
)


@pytest.mark.parametrize(
    ("question", "text", "choice"),
    [
        ("Does early physiotherapy shorten hospital stay after hip surgery?", NO_GAIN, "no"),
        ("Does early feeding reduce infections after bowel surgery?", GAIN, "yes"),
    ],
)
def test_a_report_that_was_given_is_taken_as_a_whole(embedder: MiniLM, question: str, text: str, choice: str) -> None:
    draft = ask(embedder, question, text, learned=EntailmentReader.load(1).read)
    assert draft.choice == choice
    assert draft.chance is not None
    assert 0.5 <= draft.chance < 1
    assert all(claim.text in text for claim in draft.claims)
    assert "debated" not in draft.text
    assert "thought to be" not in draft.text


def test_in_an_examination_what_settles_neither_is_a_maybe_by_both_its_sides(embedder: MiniLM) -> None:
    question, learned = "Does zinc shorten a cold?", EntailmentReader.load(1).read
    text = "Zinc lozenges are sold in pharmacies. Colds last a week. Most people have two colds a year."
    assert ask(embedder, question, text, learned=learned).choice is None
    draft = ask(embedder, question, text, learned=learned, examined=True)
    assert draft.choice == "maybe"
    assert 1 <= len(draft.claims) <= 2
    assert all(claim.text in text for claim in draft.claims)


def test_what_was_found_by_itself_has_no_chance(embedder: MiniLM) -> None:
    learned = EntailmentReader.load(1).read
    assert (
        ask(embedder, "Does vitamin C deficiency cause scurvy?", SCURVY, source="library", learned=learned).chance
        is None
    )
    assert ask(embedder, "Does vitamin C deficiency cause scurvy?", SCURVY).chance is None


@pytest.mark.parametrize(
    ("question", "text", "yes", "no", "choice"),
    [
        (
            "Will my kid be off school?",
            "Chickenpox keeps children at home until all spots have crusted.",
            0.99,
            0.005,
            "yes",
        ),
        ("Does aspirin prevent dementia?", "Aspirin did not prevent dementia in adults.", 0.005, 0.99, "no"),
        ("Does aspirin prevent dementia?", "Aspirin did not prevent dementia in adults.", 0.3, 0.3, None),
        ("Does ectopia lentis belong to Marfan syndrome?", PRESENT, 0.01, 0.01, None),
    ],
)
def test_a_single_short_text_decides_where_it_is_surely_read_so(
    embedder: MiniLM, question: str, text: str, yes: float, no: float, choice: str | None
) -> None:
    draft = ask(embedder, question, text, learned=reads(yes, no))
    assert draft.choice == choice
    assert draft.chance is None or draft.chance > 0.8


def test_of_what_was_found_a_denial_must_be_read_as_one(embedder: MiniLM) -> None:
    question, text = "Does aspirin prevent dementia?", "Aspirin did not prevent dementia in adults."
    for no, choice in ((0.9, "no"), (0.2, None)):
        draft = ask(embedder, question, text, source="library", learned=reads(0.05, no))
        assert draft.choice == choice


def test_what_two_texts_say_in_nearly_the_same_words_is_quoted_once(embedder: MiniLM) -> None:
    once = "Men can get breast cancer too, though they make up only 1 percent of all reported cases."
    draft = ask(
        embedder, "Can men get breast cancer?", once, once.replace("1 percent", "one percent"), source="library"
    )
    assert draft.text == f"Yes. {once}"
