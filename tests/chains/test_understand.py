"""Questions as people write them: what they are about and what they ask."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chains.form import read_form
from chains.understand import understand
from chains.understanding import names_nothing
from core.schema import Concept, Mention


@pytest.mark.parametrize(
    ("question", "subject", "aspect"),
    [
        ("What is (are) Marfan syndrome ?", "Marfan syndrome", "definition"),
        ("What are the symptoms of Marfan syndrome ?", "Marfan syndrome", "symptoms"),
        ("What are the features of Marfan syndrome?", "Marfan syndrome", "symptoms"),
        ("How to diagnose Marfan syndrome ?", "Marfan syndrome", "diagnosis"),
        ("Is Marfan syndrome inherited ?", "Marfan syndrome", "inheritance"),
        ("what is used to treat upper respiratory infection?", "upper respiratory infection", "treatment"),
        ("how do i get relief from hot flashes", "hot flashes", "treatment"),
        ("is coughing a common flu symptom", "coughing", "relation"),
        ("But is testicular pain not a symptom of chlamydia?", "testicular pain", "relation"),
        ("How many people are affected by gout ?", "gout", "frequency"),
        ("What are the genetic changes related to Leigh syndrome ?", "Leigh syndrome", "genetic changes"),
        ("what research (or clinical trials) is being done for Depression ?", "Depression", "research"),
        ("Who is at risk for Angina? ?", "Angina", "risk factors"),
        ("What to do for Hypothyroidism ?", "Hypothyroidism", "care"),
        ("How to prevent Skin Cancer ?", "Skin Cancer", "prevention"),
        ("What is the outlook for Laryngeal Cancer ?", "Laryngeal Cancer", "outlook"),
        ("What are the treatments for What I need to know about Kidney Stones ?", "Kidney Stones", "treatment"),
        ("how do you treat lung cancer", "lung cancer", "treatment"),
        ("can gout be cured?", "gout", "treatment"),
        ("Can you tell me what causes gout?", "gout", "causes"),
        ("Which symptoms does Noonan syndrome have?", "Noonan syndrome", "symptoms"),
        ("which diseases show arachnodactyly?", "arachnodactyly", "carriers"),
        ("what does tachycardia mean", "tachycardia", "definition"),
        ("What gene is mutated in cystic fibrosis?", "cystic fibrosis", "genetic changes"),
        ("what are the side effects of taking ibuprofen?", "ibuprofen", "side effects"),
        ("how should I store insulin", "insulin", "storage"),
        ("what is the dose of amoxicillin?", "amoxicillin", "dosage"),
        ("How long do people with Rett syndrome live?", "Rett syndrome", "outlook"),
        ("Are there any medications to reduce the uvula swelling?", "uvula swelling", "treatment"),
        ("what medicines are there to lower blood pressure", "blood pressure", "treatment"),
        ("what exactly is lithium used for", "lithium", "uses"),
        ("whats Mucinex for", "Mucinex", "uses"),
        ("whats the generic for prozac", "prozac", "names"),
        ("generic name for zestril", "zestril", "names"),
        ("what is escitalopram sold as", "escitalopram", "names"),
        ("what are the other names of gout", "gout", "names"),
        ("marfan syndrome symptoms", "marfan syndrome", "symptoms"),
        ("Marfan syndrome", "Marfan syndrome", "definition"),
    ],
)
def test_reads_subject_and_aspect(question: str, subject: str, aspect: str) -> None:
    understanding = understand(question)
    assert (understanding.subject, understanding.aspect, understanding.sure) == (subject, aspect, True)


@pytest.mark.parametrize(
    ("question", "subject"),
    [
        ("Foods to avoid with acid reflux", "acid reflux"),
        ("Serious side effects of methotrexate I should watch for?", "methotrexate"),
        ("how can I keep from getting kidney stones again", "kidney stones"),
        ("what causes cirrhosis besides drinking", "cirrhosis"),
        ("How long does a concussion take to get better?", "concussion"),
        ("how can my elderly mother avoid falls at home", "falls"),
        ("what age do kids get the mmr", "mmr"),
        ("What happens during an MRI and does it hurt?", "MRI"),
        ("should I get a mole checked? it changed colour", "mole"),
    ],
)
def test_what_is_done_and_for_whom_is_not_the_subject(question: str, subject: str) -> None:
    assert understand(question).questions[0].subject == subject


def test_a_relation_has_two_sides() -> None:
    understanding = understand("Does ectopia lentis belong to Marfan syndrome?")
    assert (understanding.subject, understanding.object) == ("ectopia lentis", "Marfan syndrome")
    assert (understanding.aspect, understanding.task) == ("relation", "yesno")


@pytest.mark.parametrize(
    ("letter", "subject", "aspect"),
    [
        (
            "My son was diagnosed with Dravet syndrome two years ago. He has many seizures. What are the treatments?",
            "Dravet syndrome",
            "treatment",
        ),
        (
            "Dear doctor, I am 34 and pregnant. My husband's brother suffers from hemophilia A. "
            "Can this be passed on to my child? Thanks",
            "hemophilia A",
            "inheritance",
        ),
        (
            "Hello, my sister has cystic fibrosis and we want children. Is it inherited?",
            "cystic fibrosis",
            "inheritance",
        ),
    ],
)
def test_reads_a_letter(letter: str, subject: str, aspect: str) -> None:
    understanding = understand(letter)
    assert (understanding.subject, understanding.aspect) == (subject, aspect)


def test_aliases_in_brackets_are_names() -> None:
    understanding = understand("What causes Enterobiasis (also known as Pinworm Infection) ?")
    assert (understanding.subject, understanding.names) == ("Enterobiasis", ("Pinworm Infection",))


def test_concepts_of_the_subject_are_told_from_other_mentions() -> None:
    marfan, lens = Concept(id="OMIM:154700", name="Marfan syndrome"), Concept(id="HP:0001083", name="Ectopia lentis")

    def link(text: str) -> list[Mention]:
        found = [(c, text.find(c.name)) for c in (marfan, lens)]
        return [Mention(concept=c, start=s, end=s + len(c.name), text=c.name) for c, s in found if s >= 0]

    understanding = understand(
        "What are the symptoms of Marfan syndrome?", link, synonyms=lambda c: [f"{c.id} disease"]
    )
    assert understanding.subject_concepts == (marfan,)
    assert "OMIM:154700 disease" in understanding.names


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("What are the symptoms of gout?", "en"),
        ("Cornelia de Lange syndrome", "en"),
        ("Quali sono i sintomi della sindrome di Marfan?", "it"),
        ("¿Cuáles son los síntomas de la diabetes?", "es"),
        ("Quels sont les symptômes de la maladie de Lyme ?", "fr"),
        ("Wie wird Asthma bei Kindern behandelt und was ist die Ursache?", "de"),
        ("Quais são os sintomas da dengue e como tratar?", "pt"),
        ("Какие симптомы гриппа?", "ru"),
        ("糖尿病の症状は何ですか", "ja"),
        ("糖尿病有什么症状", "zh"),
        ("β-thalassemia", "en"),
    ],
)
def test_language(text: str, language: str) -> None:
    assert understand(text).language == language


@pytest.mark.parametrize(
    ("question", "options", "task"),
    [
        ("What is gout?", {}, "open"),
        ("Is gout inherited?", {}, "yesno"),
        ("Do statins reduce atrial fibrillation after surgery?", {}, "yesno"),
        ("Which drug treats gout?", {"A": "allopurinol", "B": "insulin"}, "choice"),
    ],
)
def test_task(question: str, options: dict[str, str], task: str) -> None:
    assert understand(question, options=options).task == task


def test_nothing_to_point_back_to_leaves_the_pronoun() -> None:
    assert understand("Is it inherited?").subject == "it"


@given(st.text(max_size=200))
def test_any_text_is_read(text: str) -> None:
    understanding = understand(text)
    assert understanding.subject in text or understanding.subject


@pytest.mark.parametrize(
    "question",
    [
        "Could the prednisone I've been on for two years be why I have a round face?",
        "Can you get mad cow from eating beef in England, like would it still show up now?",
        "What can I do for nosebleeds that start every morning while I'm on Eliquis?",
        "Does that mean he will have them for life?",
    ],
)
def test_a_form_that_cuts_a_sentence_in_two_names_no_subject(question: str) -> None:
    assert read_form(question) is None


@pytest.mark.parametrize(
    ("question", "subject"),
    [
        ("what are the symptoms of glycogen storage disease type i", "glycogen storage disease type i"),
        ("What are the symptoms of overt HE?", "overt HE"),
        ("how long does the flu usually last", "flu"),
        ("heat stroke emergency treatment", "heat stroke"),
        ("first aid for a snake bite", "snake bite"),
        ("seizure first aid what to do", "seizure"),
        ("what is first aid", "first aid"),
        ("what is emergency care", "emergency care"),
    ],
)
def test_a_form_names_its_subject_whole_and_nothing_else(question: str, subject: str) -> None:
    form = read_form(question)
    assert form is not None
    assert form.subject == subject


def test_a_statement_has_no_form() -> None:
    assert read_form("The aorta is wide") is None


@pytest.mark.parametrize(
    ("question", "nothing"),
    [
        ("Is it contagious?", True),
        ("how long should i take it before it works", True),
        ("Am I contagious?", True),
        ("Is there an antibiotic that could help ?", True),
        ("Is there an antibiotic that helps with acne?", False),
        ("Is there medicine we can get over the counter for this?", True),
        ("What OTC medications are recommended", True),
        ("or symptoms to look for at least?", True),
        ("which medicine is best for gout", False),
        ("Is it normal to pee at night?", False),
        ("how do i know if it's the flu", False),
        ("i broke my arm, how long does it take to heal", False),
        ("why do i sneeze", False),
        ("what foods have iron in them", False),
    ],
)
def test_a_question_about_it_alone_names_nothing(question: str, nothing: bool) -> None:
    assert names_nothing(understand(question)) is nothing


@pytest.mark.parametrize(
    ("question", "nothing"),
    [
        ("What may cause this type of bacteria?", True),
        ("Could it be due to the infection", True),
        ("What causes a bacterial infection?", False),
        ("Is an infection contagious?", False),
    ],
)
def test_a_kind_of_thing_that_is_only_pointed_at_names_nothing(question: str, nothing: bool) -> None:
    def link(text: str) -> list[Mention]:
        return [
            Mention(concept=Concept(id=name, name=name, group="DISO"), start=at, end=at + len(name), text=name)
            for name in ("bacteria", "bacterial infection", "infection")
            if (at := f"{text} ".find(f" {name}") + 1)
        ][:1]

    assert names_nothing(understand(question, link)) is nothing


@pytest.mark.parametrize(
    ("letter", "subject", "parts"),
    [
        (
            "My toe blew up, the doctor said gout. What is going on in the joint and what should I stop eating?",
            "gout",
            ["What is going on in the joint with gout?", "What should I stop eating with gout?"],
        ),
        (
            "GP reckons carpal tunnel. What do they usually do for it?",
            "carpal tunnel",
            ["What do they usually do for carpal tunnel?"],
        ),
        (
            "Dad's hand trembles. Neurologist says Parkinson's. What is missing in his brain?",
            "Parkinson's",
            ["What is missing in his brain with Parkinson's?"],
        ),
        (
            "Never had spots as a teen. It's rosacea apparently. What sets it off?",
            "rosacea",
            ["What sets rosacea off?"],
        ),
        (
            "Passed a kidney stone last week. What can I change so that I never have another?",
            "kidney stone",
            ["What can I change so that I never have another with kidney stone?"],
        ),
        ("My son has asthma. What are the symptoms of measles?", "measles", ["What are the symptoms of measles?"]),
    ],
)
def test_a_question_that_names_no_disease_is_about_what_the_story_tells_of(
    letter: str, subject: str, parts: list[str]
) -> None:
    names = ("gout", "rosacea", "kidney stone", "asthma", "measles")
    asked = understand(letter, lambda text: [disease(name, text) for name in names if name in text])
    assert asked.subject == subject
    assert [part.text for part in asked.questions] == parts


def disease(name: str, text: str) -> Mention:
    start = text.index(name)
    return Mention(concept=Concept(id=name, name=name, group="DISO"), start=start, end=start + len(name), text=name)


def test_a_question_is_heard_last_after_all_else_that_its_text_says() -> None:
    text = (
        "Whole house has norovirus since Sunday, my husband too. When will we stop being sick? Can I cook for guests?"
    )
    first, second = understand(text).questions
    assert second.told == text
    assert first.told.endswith("Can I cook for guests? When will we stop being sick?")


def test_a_question_is_heard_in_the_words_of_its_text_and_searched_with_what_it_points_at() -> None:
    (part,) = understand("I was told that I have gout. My toe is red. How is it treated?").questions
    assert part.text == "How is gout treated?"
    assert part.told == "I was told that I have gout. My toe is red. How is it treated?"


def test_a_question_by_itself_is_heard_as_it_stands() -> None:
    assert understand("What is gout?").told == "What is gout?"


def test_of_two_questions_without_a_story_each_is_heard_alone() -> None:
    assert [part.told for part in understand("What is gout and how is it treated?").questions] == [
        "What is gout",
        "How is gout treated?",
    ]


@pytest.mark.parametrize(
    ("text", "subject", "group", "named"),
    [
        ("I burn easily and once had gout. What does a bad mole look like?", "gout", "DISO", False),
        ("My toe hurts so much. Does allopurinol help with that?", "allopurinol", "CHEM", True),
        ("I take allopurinol every day. What should I eat?", "allopurinol", "CHEM", False),
        ("What is gout?", "gout", "DISO", True),
    ],
)
def test_of_a_text_that_tells_much_the_subject_is_a_guess(text: str, subject: str, group: str, named: bool) -> None:
    start = text.index(subject)
    concept = Concept(id="C1", name=subject, group=group)
    mention = Mention(concept=concept, start=start, end=start + len(subject), text=subject)
    assert [part.named for part in understand(text, lambda _: [mention]).questions] == [named]


def test_a_name_that_nobody_knows_is_no_guess_where_somebody_was_told_of_it() -> None:
    (part,) = understand("My mum has been told she has retrograde spleen drift. How is it treated?").questions
    assert "spleen drift" in part.subject
    assert part.named


@pytest.mark.parametrize(
    "text",
    [
        "He gets up to pee and says he never feels empty. What treatments are there?",
        "My heart pounded and the hospital found nothing. What could it be?",
        "My calf has been swollen since Sunday. What could this be?",
    ],
)
def test_what_is_told_without_a_name_is_no_subject(text: str) -> None:
    assert understand(text).subject not in {"never feels empty", "nothing", "been swollen"}


def test_a_word_of_the_story_alone_is_not_asked_of() -> None:
    letter = understand("My toe is so sore that I cannot stand the bedsheet on it. What could be causing this?")
    assert letter.asks_of("causing")
    assert not letter.asks_of("bedsheet")
    assert understand("What is bedsheet disease?").asks_of("bedsheet")


def test_of_a_long_story_the_end_is_heard() -> None:
    text = f"{'I walked to the shop. ' * 40}Then my knee went pop. Does a torn meniscus heal?"
    (part,) = understand(text).questions
    assert part.story.endswith("Then my knee went pop.")
    assert len(part.story.split()) == 60


@pytest.mark.parametrize(
    ("text", "named", "group"),
    [
        ("my newborn looks yellow on day 3, is it dangerous or does it go away", "newborn", "LIVB"),
        ("Ringing in my ears since the concert. will it go away?", "ears", "ANAT"),
    ],
)
def test_it_is_no_person_and_no_part_of_the_body(text: str, named: str, group: str) -> None:
    mention = disease(named, text)
    mention = mention.model_copy(update={"concept": mention.concept.model_copy(update={"group": group})})
    assert [part.text for part in understand(text, lambda _: [mention]).questions] == [text]


def test_how_much_is_asked_is_no_part_of_the_subject() -> None:
    assert understand("Are q-tips really that bad for ear wax?").subject == "q-tips"


def test_what_is_asked_is_not_what_it_is_asked_of() -> None:
    def link(text: str) -> list[Mention]:
        return [
            Mention(
                concept=Concept(id=name, name=name, group=group),
                start=text.index(name),
                end=text.index(name) + len(name),
                text=name,
            )
            for name, group in (("hives", "DISO"), ("treatment", "PROC"))
        ]

    assert understand("hives treatment at home", link).subject == "hives"


@pytest.mark.parametrize(
    ("question", "subject"),
    [
        ("is 7.2 a1c good", "a1c"),
        ("a1c 6.2 meaning", "a1c"),
        ("blood pressure 160/95", "blood pressure"),
        ("type 2 diabetes", "type 2 diabetes"),
        ("120", "120"),
    ],
)
def test_a_value_is_not_what_is_measured(question: str, subject: str) -> None:
    assert understand(question).subject == subject


def test_what_a_text_names_and_then_asks_about_is_no_story() -> None:
    (asked,) = understand("plantar fasciitis what is that").questions
    assert asked.named
    assert asked.told == "What is plantar fasciitis?"


@pytest.mark.parametrize(
    "question", ["Can you define uncontrolled asthma", "Could you please explain uncontrolled asthma?"]
)
def test_what_somebody_is_asked_to_define_is_the_subject_whole(question: str) -> None:
    asked = understand(question)
    assert (asked.subject, asked.aspect) == ("uncontrolled asthma", "definition")


def linked(text: str, name: str) -> list[Mention]:
    return [disease(name, text)] if name in text else []


@pytest.mark.parametrize(
    ("text", "name", "asked"),
    [
        ("Could it be a kidney infection?", "kidney infection", "What are the symptoms of kidney infection?"),
        ("Do u think its sinus infection", "sinus infection", "What are the symptoms of sinus infection?"),
        ("Is it possible for it to be pneumonia?", "pneumonia", "What are the symptoms of pneumonia?"),
        ("does it look like ringworm", "ringworm", "What are the symptoms of ringworm?"),
    ],
)
def test_whether_it_is_a_disease_is_told_by_the_signs_of_that(text: str, name: str, asked: str) -> None:
    (question,) = understand(text, lambda given: linked(given, name)).questions
    assert (question.text, question.subject, question.aspect, question.written) == (asked, name, "symptoms", text)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("My T score is minus 1.8 at the hip. Is that osteoporosis?", "osteoporosis"),
        ("Is it an emergency?", "emergency"),
        ("Could it be that pneumonia came back?", "pneumonia"),
        ("Is pneumonia contagious?", "pneumonia"),
    ],
)
def test_other_questions_on_a_disease_stay_what_they_are(text: str, name: str) -> None:
    asked = understand(text, lambda given: linked(given, name)).questions
    assert not any("symptoms of" in question.text for question in asked)
