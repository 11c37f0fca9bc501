"""Whether passages answer a question: the right disease and the right aspect, however documents are titled."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from chains.relevance import relevance, sentence_scores
from chains.relevance.match import conflict, match, name_of
from chains.relevance.model import MOST_READ
from chains.relevance.sentences import known_sentences, settled
from chains.relevance.signals import asked_as
from chains.relevance.windows import MOST_WINDOWS, Read, read_best, windows
from chains.understand import understand
from chains.understanding import Understanding
from core.embeddings import Matrix, MiniLM
from core.readers.reader import Reader
from core.schema import Concept, Evidence, Mention
from core.text import stem

_COMMON = {stem(w) for w in ("symptoms", "treatment", "disease", "people", "cause", "body", "called", "known", "type")}


def rarity(term: str) -> float:
    return 0.4 if term in _COMMON else 0.85


MARFAN = (
    "Marfan syndrome is a disorder that affects the connective tissue in many parts of the body. "
    "Signs and symptoms of Marfan syndrome include tall stature, long fingers and a dislocated lens."
)
LOEYS = (
    "Loeys-Dietz syndrome is a disorder that affects the connective tissue in many parts of the body. "
    "Signs and symptoms include an enlarged aorta and a curved spine."
)


def passage(text: str, title: str = "", identifier: str = "repository:c/a#0", about: tuple[str, ...] = ()) -> Evidence:
    return Evidence(id=identifier, text=text, title=title, source="repository", about=about)


Judge = Callable[..., list[float]]


@pytest.fixture(scope="module")
def read() -> Read:
    return Reader.load("answering", 1).outputs


@pytest.fixture(scope="module")
def p_answers(embedder: MiniLM, read: Read) -> Judge:
    """The probabilities that passages answer a question, read or not."""

    def judge(asked: str | Understanding, *evidence: Evidence, unread: bool = False) -> list[float]:
        understanding = understand(asked) if isinstance(asked, str) else asked
        found = relevance(
            understanding,
            evidence,
            rarity,
            encode=embedder.encode,
            vectors=lambda given: embedder.encode([e.text for e in given]),
            read=None if unread else read,
        )
        return [r.p_answers for r in found]

    return judge


@pytest.mark.parametrize("title", ["Marfan syndrome", "What are the symptoms of Marfan syndrome ?", ""])
@pytest.mark.parametrize(
    "question", ["What are the symptoms of Marfan syndrome ?", "Which signs does Marfan syndrome have?"]
)
def test_the_right_disease_answers(p_answers: Judge, title: str, question: str) -> None:
    assert p_answers(question, passage(MARFAN, title))[0] >= 0.5


@pytest.mark.parametrize(
    "title",
    ["Loeys-Dietz syndrome", "What are the symptoms of Loeys-Dietz syndrome ?", ""],
)
def test_a_true_sentence_about_another_disease_does_not(p_answers: Judge, title: str) -> None:
    assert p_answers("What are the symptoms of Marfan syndrome ?", passage(LOEYS, title))[0] < 0.5


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("Childhood Hodgkin Lymphoma", "Adult Hodgkin Lymphoma"),
        ("Usher syndrome type 1", "Usher syndrome type 2"),
        ("Childhood Hodgkin Lymphoma", "Childhood Non-Hodgkin Lymphoma"),
        ("Acute Lymphoblastic Leukemia", "Chronic Lymphocytic Leukemia"),
    ],
)
def test_siblings_are_told_apart(p_answers: Judge, asked: str, told: str) -> None:
    text = f"{told} is a disease. Signs and symptoms include fever and weakness."
    assert p_answers(f"What are the symptoms of {asked} ?", passage(text, told))[0] < 0.5


def test_the_aspect_orders_passages_of_one_disease(p_answers: Judge) -> None:
    symptoms = passage("The signs and symptoms of gout include pain and swelling.", "Gout", "repository:c/s#0")
    treatment = passage(
        "Treatment of gout: therapy with drugs such as colchicine manages it.", "Gout", "repository:c/t#0"
    )
    first, second = p_answers("What are the treatments for Gout ?", treatment, symptoms)
    assert first > second


def test_a_title_that_announces_another_aspect_does_not_answer(p_answers: Judge) -> None:
    told = passage("The inheritance recorded for Marfan syndrome is dominant.", "Marfan syndrome: inheritance")
    assert p_answers("How is Marfan syndrome treated?", told)[0] < 0.5


def test_a_later_passage_is_judged_with_its_document(p_answers: Judge) -> None:
    later = passage("Treatment includes surgery, therapy and drugs that manage pain.", "", "repository:c/a#1")
    alone = p_answers("What are the treatments for Marfan syndrome ?", later)[0]
    opening = passage(MARFAN, "", "repository:c/a#0")
    assert p_answers("What are the treatments for Marfan syndrome ?", later, opening)[0] > alone


@pytest.mark.parametrize(
    ("question", "title", "text"),
    [
        (
            "What are the features of Marfan syndrome?",
            "Marfan syndrome: features",
            "Features of Marfan syndrome: tall stature.",
        ),
        (
            "What is arachnodactyly?",
            "Arachnodactyly: definition",
            "Arachnodactyly: Abnormally long and slender fingers.",
        ),
        (
            "Which diseases show arachnodactyly?",
            "Arachnodactyly: diseases",
            "Arachnodactyly occurs in Marfan syndrome.",
        ),
        (
            "Does ectopia lentis belong to Marfan syndrome?",
            "Marfan syndrome: ectopia lentis",
            "Ectopia lentis is a feature of Marfan syndrome.",
        ),
        (
            "Do preoperative statins reduce atrial fibrillation?",
            "Statins before surgery",
            "Patients given preoperative statins had less atrial fibrillation; statins reduce its risk.",
        ),
    ],
)
def test_ordinary_questions_get_through(p_answers: Judge, question: str, title: str, text: str) -> None:
    assert p_answers(question, passage(text, title, "knowledge:X#y"))[0] >= 0.5


def test_the_same_concept_is_the_same_subject_whatever_its_words(p_answers: Judge) -> None:
    concept = Concept(id="C0024796", name="Marfan syndrome")

    def link(text: str) -> Sequence[Mention]:
        return [Mention(concept=concept, start=12, end=20, text=text[12:20])]

    understood = understand("What causes MFS type?", link)
    understood = understood.model_copy(update={"subject": "MFS", "subject_concepts": (concept,), "sure": True})
    told = passage("Mutations in FBN1 cause it.", "Marfan's disease", about=("C0024796",))
    assert p_answers(understood, told)[0] > 1.5 * p_answers(understood, told.model_copy(update={"about": ()}))[0]


def test_nothing_retrieved_is_nothing_weighed(p_answers: Judge) -> None:
    assert p_answers("What is gout?") == []


@pytest.mark.parametrize(
    ("question", "text", "title"),
    [
        ("how do u treat gout", "Gout is treated with colchicine, rest and medicines that lower uric acid.", "Gout"),
        ("whats gout", "Gout is a kind of arthritis that comes from uric acid crystals in the joints.", "Gout"),
        (
            "is pink eye contagious",
            "Pink eye spreads easily from person to person by hands and towels.",
            "Pink Eye",
        ),
    ],
)
def test_questions_as_people_type_them_get_through(p_answers: Judge, question: str, text: str, title: str) -> None:
    assert p_answers(question, passage(text, title))[0] >= 0.5


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("how do u treat a migrane", "Oxygen therapy also treats air or gas embolisms."),
        ("what are the treatments for bronchitis", "Other names of bronchitis are chest cold and acute bronchitis."),
        ("who won the world cup", "Gout is a kind of arthritis."),
        ("how many pills of losartan do i take today", "Losartan is classed as a kind of imidazoles."),
    ],
)
def test_what_is_beside_the_point_does_not(p_answers: Judge, question: str, text: str) -> None:
    assert p_answers(question, passage(text))[0] < 0.5


def test_without_the_reader_words_and_vectors_still_judge(p_answers: Judge) -> None:
    right = passage(MARFAN, "Marfan syndrome", "repository:c/a#0")
    wrong = passage(LOEYS, "Loeys-Dietz syndrome", "repository:c/b#0")
    first, second = p_answers("What are the symptoms of Marfan syndrome ?", right, wrong, unread=True)
    assert first >= 0.5 > second


def test_what_is_not_read_is_held_no_more_probable_than_what_is(embedder: MiniLM, read: Read) -> None:
    texts = [f"Gout is treated with medicine number {n}." for n in range(14)]
    evidence = [passage(text, "Gout", f"repository:c/{n}#0") for n, text in enumerate(texts)]
    found = relevance(
        understand("How is gout treated?"),
        evidence,
        rarity,
        encode=embedder.encode,
        vectors=lambda given: embedder.encode([e.text for e in given]),
        read=read,
    )
    seen = [r.p_answers for r in found if "read" in r.signals]
    unseen = [r.p_answers for r in found if "read" not in r.signals]
    assert (len(seen), len(unseen)) == (MOST_READ, 4)
    assert max(unseen) <= min(seen)


def test_an_answer_late_in_a_long_passage_is_found(p_answers: Judge) -> None:
    filler = "Gout has been known for a long time and many famous people had it in history books. " * 8
    answer = "Gout is treated with colchicine, rest and medicines that lower uric acid."
    long, without = passage(filler + answer, "Gout"), passage(filler, "Gout")
    found, lost = p_answers("how is gout treated?", long)[0], p_answers("how is gout treated?", without)[0]
    assert found >= 0.5
    assert found > lost


def test_the_sentence_that_answers_is_told_from_its_neighbours(embedder: MiniLM, read: Read) -> None:
    sentences = [
        "Gout is a kind of arthritis.",
        "Gout is treated with colchicine, rest and medicines that lower uric acid.",
        "Men have gout more often than women.",
    ]
    found = sentence_scores("how do you treat gout?", sentences, "Gout", encode=embedder.encode, read=read)
    assert found[1] == max(found)
    assert found[1] >= 0.5 > max(found[0], found[2])
    assert sentence_scores("why?", [], "", encode=embedder.encode, read=None) == []


def test_under_a_heading_that_asks_the_same_the_sentence_that_answers_is_still_the_best(
    embedder: MiniLM, read: Read
) -> None:
    sentences = [
        "Cystic fibrosis, or CF, is an inherited disease of the glands that make mucus and sweat.",
        "Mucus is a substance made by tissues that line some organs and body cavities.",
        "Normally, mucus is a slippery, watery substance.",
    ]
    title = "Cystic Fibrosis: What is Cystic Fibrosis?"
    found = sentence_scores("what is cystic fibrosis", sentences, title, encode=embedder.encode, read=read)
    assert found[0] == max(found)
    assert len(set(found)) == len(found)


def test_the_first_sentence_is_favoured_only_where_the_heading_asks_the_question(embedder: MiniLM) -> None:
    alike = ["Gout hurts a lot.", "Gout hurts a lot."]

    def under(title: str, *, begins: bool = True) -> list[float]:
        asked = "What are the symptoms of gout?"
        return sentence_scores(asked, alike, title, encode=embedder.encode, read=None, begins=begins)

    opening, following = under("Gout: What are the symptoms of gout?")
    assert opening > following
    assert len(set(under("Gout: What are the symptoms of gout?", begins=False))) == 1
    assert len(set(under("Gout"))) == 1
    assert len(set(under("Gout: Where can I read more?"))) == 1


def test_windows_are_whole_sentences_and_few() -> None:
    text = "This sentence has just six words. " * 200
    cut = windows(text)
    assert len(cut) == MOST_WINDOWS
    assert all(piece.startswith("This") and piece.endswith("words.") for piece in cut)
    assert windows("") == [""]


def test_a_passage_is_read_by_its_two_best_windows_the_best_counting_double() -> None:
    sentence = "This sentence has just six words. "
    long, short = passage(sentence * 60, "Long"), passage(sentence, "Short")
    outputs = iter([[1.0], [7.0], [4.0]])  # windows of both, then the second and third of the long one

    def read(pairs: Sequence[tuple[str, str]]) -> Matrix:
        return np.array([next(outputs, [-2.0]) for _ in pairs], dtype=np.float32)

    assert read_best(["why?"] * 2, [long, short], read, 4) == [pytest.approx((2 * 4.0 + 1.0) / 3), 7.0]


def test_match_tells_near_from_apart() -> None:
    name = name_of("retinal artery occlusion", rarity)
    assert name is not None
    near = match(name, ["sudden", "retin", "arteri", "occlus"])
    apart = match(name, ["retin", "a", "b", "c", "d", "arteri", "e", "f", "g", "h", "occlus"])
    assert near.cover == apart.cover == 1.0
    assert near.near == 1.0 > apart.near


@pytest.mark.parametrize(("told", "expected"), [("diabetes type 2", 1.0), ("diabetes", 0.5), ("type 1 diabetes", 0.0)])
def test_conflict_of_numbers(told: str, expected: float) -> None:
    asked, other = name_of("diabetes type 1", rarity), name_of(told, rarity)
    assert asked is not None
    assert other is not None
    assert conflict(asked, other.stems) == expected


def test_a_passage_is_likelier_where_it_is_known_to_answer_a_question_like_this(embedder: MiniLM) -> None:
    evidence = [passage("Podagra is treated with colchicine.", "Gout", f"library:m/1#{n}") for n in range(3)]

    def known(question: str, pieces: Sequence[Evidence]) -> list[float]:
        return [0.95, 0.3, 0.0][: len(pieces)]

    found = relevance(
        understand("what pill helps with gout"),
        evidence,
        rarity,
        encode=embedder.encode,
        vectors=lambda given: embedder.encode([e.text for e in given]),
        read=None,
        known=known,
    )
    near, far, unknown = (r.p_answers for r in found)
    assert near > unknown > far


def test_a_sentence_is_likelier_where_it_is_known_to_answer_a_question_like_this(embedder: MiniLM) -> None:
    sentences = ["It hurts a lot.", "It hurts a lot."]
    spans = [(0, 15), (16, 31)]
    known = known_sentences(0.9, {16: 2}, spans)
    assert known == [0.0, pytest.approx(0.75)]
    assert known_sentences(0.5, {16: 2}, spans) == [0.0, 0.0]
    assert known_sentences(0.9, {16: 1}, spans)[1] < known[1]
    found = sentence_scores("is gout painful", sentences, "Gout", encode=embedder.encode, read=None, known=known)
    assert found[1] > found[0]


def test_what_was_read_beside_nearly_the_same_question_settles_which_sentences_answer() -> None:
    spans = [(0, 15), (16, 40), (41, 60)]
    grades = {16: 2, 41: 1}
    told = settled([0.8, 0.3, 0.2], 0.97, grades, spans)
    assert told[1] > told[2] > told[0]
    assert settled([0.8, 0.3, 0.2], 0.85, grades, spans) == [0.8, 0.3, 0.2]
    assert settled([0.8, 0.3, 0.2], 0.97, {}, spans) == [0.8, 0.3, 0.2]
    between = settled([0.8, 0.3, 0.2], 0.91, grades, spans)
    assert told[0] < between[0] < 0.8


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("What is Farxiga?", "What is dapagliflozin?"),
        ("What is Farxiga also known as?", "What is Farxiga also known as?"),
        ("Is Farxiga better than metformin?", "Is Farxiga better than metformin?"),
    ],
)
def test_what_is_recorded_of_a_medicine_is_asked_for_by_its_own_name(question: str, asked: str) -> None:
    concepts = {"Farxiga": Concept(id="M1", name="dapagliflozin"), "metformin": Concept(id="M2", name="metformin")}

    def link(text: str) -> list[Mention]:
        return [
            Mention(concept=concept, start=text.find(name), end=text.find(name) + len(name), text=name)
            for name, concept in concepts.items()
            if name in text
        ]

    text = "Dapagliflozin is a medicine that acts against high blood sugar. Dapagliflozin is also known as Farxiga."
    told = passage(text, "dapagliflozin: medicine", "knowledge:M1#medicine", ("M1",))
    assert asked_as(understand(question, link), told) == asked
    assert asked_as(understand(question, link), passage(text, "Diabetes Medicines")) == question
