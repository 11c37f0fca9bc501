"""The pieces of a passage that can stand in an answer."""

from __future__ import annotations

import pytest

from chains.answer.sentences import units_of
from core.schema import Evidence


def piece(number: int, text: str, title: str = "Gout") -> Evidence:
    return Evidence(id=f"repository:c/{number}#0", text=text, title=title, source="repository")


GOUT = piece(
    1,
    "Key Points - Gout is a kind of arthritis that causes sudden pain. What are the symptoms of gout? "
    "The signs and symptoms of gout include: - Severe pain in one joint. - Redness and warmth. "
    "Gout was known to Hippocrates. Symptoms of gout often begin at night",
)


@pytest.mark.parametrize(
    "debris",
    [
        "Check out the information here.",
        'Also, see "Key Words" related to gout.',
        "The treatments described above generally apply to all people who have gout.",
    ],
)
def test_what_only_points_at_a_page_is_not_told(debris: str) -> None:
    (unit,) = units_of(piece(1, debris))
    assert unit.boilerplate


def test_lists_stay_with_their_heads_and_fragments_stay_out() -> None:
    units = [u.text for u in units_of(GOUT)]
    assert "The signs and symptoms of gout include: - Severe pain in one joint. - Redness and warmth." in units
    assert "Gout is a kind of arthritis that causes sudden pain." in units
    assert not any(u.endswith("?") or u.startswith("Key Points") or u.endswith("night") for u in units)


def test_a_list_goes_with_a_head_that_has_no_colon() -> None:
    text = "A manic episode can include\n- feeling very elated\n- feeling jumpy or wired\n\nIt may last for weeks."
    told = [unit.text for unit in units_of(piece(3, text))]
    assert told == [
        "A manic episode can include\n- feeling very elated\n- feeling jumpy or wired",
        "It may last for weeks.",
    ]


def test_a_list_may_follow_a_full_stop_that_announces_it() -> None:
    told = "Studies have found the following risk factors for gout.\n- older age\n- male sex\n- beer."
    assert [unit.text for unit in units_of(piece(3, told))] == [told]
    apart = "Gout is often inherited.\n- older age\n- male sex"
    assert [unit.text for unit in units_of(piece(3, apart))] == ["Gout is often inherited."]


@pytest.mark.parametrize(
    ("text", "lists"),
    [
        ("You are likelier to get it if you:\n- Are male.\n\nHave a family history of gout.\n\nMost people do not.", 1),
        ("Your provider:\n- Will ask about gout.\n\nMay order tests, such as:\n- An ultrasound of the joint.", 1),
        ("Symptoms are:\n- A sore throat\n\nPain of the joints", 1),
        ("Symptoms are:\n- A sore throat\n\nOther symptoms may include:\n- Pain of the joints", 2),
        ("Symptoms are:\n- A sore throat\n\nGenes and Family History", 1),
    ],
)
def test_an_item_that_has_lost_its_mark_stays_in_its_list(text: str, lists: int) -> None:
    told = [unit.text for unit in units_of(piece(3, text))]
    heads = ("You are", "Your", "Symptoms", "Other")
    assert sum(one.startswith(heads) for one in told) == lists
    assert ("\n\n" in told[0]) == (lists == 1 and not text.endswith("History"))


def test_a_head_without_its_list_is_left_out() -> None:
    assert units_of(piece(1, "The symptoms of gout include the following:")) == []


def test_a_heading_without_a_full_stop_is_no_sentence() -> None:
    text = "Gout hurts in one joint.\nWhich Treatment Is Best\nColchicine eases gout within a day."
    assert [u.text for u in units_of(piece(1, text))] == [
        "Gout hurts in one joint.",
        "Colchicine eases gout within a day.",
    ]


def test_a_list_told_in_one_sentence_needs_no_full_stop_at_the_end_unless_it_may_be_cut_off() -> None:
    told = "The signs and symptoms of gout vary but may include: Severe pain in one joint Redness Warmth Fever"
    assert [unit.text for unit in units_of(piece(7, f"Gout is a kind of arthritis. {told}"))][1:] == [told]
    assert not units_of(piece(7, told + " and pain elsewhere" * 40))
    assert not units_of(piece(7, "Write the day and the hour of each attack here: To my doctor or my nurse"))


def test_sentences_that_a_source_has_joined_by_semicolons_are_several() -> None:
    text = "Gout is a kind of arthritis.; Uric acid builds up in the joints of the body.; Medicines lower it in time.;"
    assert [unit.text for unit in units_of(piece(7, text))] == [part + "." for part in text.rstrip(".;").split(".; ")]


def test_a_name_stays_with_the_sentence_that_speaks_of_it() -> None:
    text = "Several medicines lower cholesterol. Statins. They slow the liver. "
    text += "Bile acid sequestrants. They keep bile acids."
    told = ["Several medicines lower cholesterol.", "Statins. They slow the liver."]
    told.append("Bile acid sequestrants. They keep bile acids.")
    assert [unit.text for unit in units_of(piece(7, text))] == told


def test_an_item_of_several_sentences_stays_in_its_list() -> None:
    text = "Treatments of gout are:\n- Rest. It helps most people.\n- Colchicine\n\nAsk your provider for more."
    assert [u.text for u in units_of(piece(1, text))] == [
        "Treatments of gout are:\n- Rest. It helps most people.\n- Colchicine",
        "Ask your provider for more.",
    ]


def test_an_item_of_what_raises_a_risk_is_no_advice() -> None:
    text = (
        "Drink alcohol every day.\n\nEat and drink lots of foods that contain fructose.\n\nGout is a painful disease."
    )
    risks = Evidence(id="library:g#1", text=text, title="Gout: Who is more likely to develop gout?", source="library")
    assert [unit.text for unit in units_of(risks)] == ["Gout is a painful disease."]
    care = Evidence(
        id="library:k#1", text="Drink plenty of water.", title="Kidney Stones: What helps?", source="library"
    )
    assert [unit.text for unit in units_of(care)] == [care.text]


def test_the_cells_of_a_table_that_were_run_together_are_no_sentence() -> None:
    cells = (
        "2.9 grams 1 medium sweet potato, with skin 4.8 grams 1/2 cup of green peas 4.4 grams 1 medium potato "
        "3.8 grams 1/2 cup of mixed vegetables 4.0 grams 1 cup of cauliflower 2.5 grams "
        "Scientists now believe that nuts do no harm."
    )
    weeks = "My walking program has this week number and minutes 1 5 5 5 15 2 5 8 5 18 3 5 11 5 21."
    amounts = "Eat 10 grams of fat, 1,200 calories and 1 cup of milk a day, or 2 cups where you weigh 200 pounds."
    dashless = "A fasting level between 100125 mg/dL is called prediabetes."
    for text, boilerplate in ((cells, True), (weeks, True), (dashless, True), (amounts, False)):
        (unit,) = units_of(Evidence(id="1", text=text, source="library"))
        assert unit.boilerplate is boilerplate
