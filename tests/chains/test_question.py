from __future__ import annotations

from chains.question import UnderstandInput, patient_words, understander
from core.schema import Question, Turn

TALK = Question(
    question="Since Monday. Is it zorblax?",
    history=(
        Turn(role="patient", text="I have a fever."),
        Turn(role="doctor", text="Are you on warfarin? Since when?"),
    ),
)


def test_the_patients_words_are_all_that_the_patient_said_and_nothing_else() -> None:
    assert patient_words(TALK) == "I have a fever.\n\nSince Monday. Is it zorblax?"
    assert patient_words(Question(question="What is gout?")) == "What is gout?"


def test_a_history_makes_a_dialogue_unless_a_task_is_given() -> None:
    def task(asked: Question) -> str:
        return understander(lambda _: ()).invoke(UnderstandInput(asked)).value.task

    assert task(TALK) == "dialogue"
    assert task(TALK.model_copy(update={"task": "yesno"})) == "yesno"
    assert task(Question(question="Is gout inherited?")) == "yesno"
    assert task(Question(question="Which organ?", options={"A": "Heart", "B": "Liver"})) == "choice"
