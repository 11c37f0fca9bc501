from __future__ import annotations

from tools.library.making import medlineplus, medquad
from tools.library.making.blocks import MOST_TOKENS, Block, blocks, passages
from tools.library.making.newer import without_older
from tools.library.shipped import Document, Passage


def words(text: str) -> int:
    return len(text.split())


def topic(text: str) -> Document:
    (found,) = medlineplus.documents(iter([{"id": "1", "title": "Gout", "url": "u", "text": text}]), words)
    return found


def answer(text: str, question: str = "What is (are) Gout ?") -> tuple[Passage, ...]:
    line = {
        "doc_id": "1", "source": "NIDDK", "url": "u", "focus": "Gout", "qa": [{"question": question, "answer": text}]
    }  # fmt: skip
    return next((d.passages for d in medquad.documents(iter([line]), words)), ())


def test_a_list_ends_where_sentences_begin() -> None:
    lines = ["It can cause:", "", "Pain", "Swelling", "It gets better in a week. Then it returns.", "", "See a doctor."]
    assert blocks(lines) == [
        Block("It can cause:", ("Pain", "Swelling")),
        Block("It gets better in a week. Then it returns."),
        Block("See a doctor."),
    ]


def test_a_table_is_a_list_of_its_rows() -> None:
    told = ["Signs differ:", "", "Sign", "Cold", "Flu", "", "Fever", "Rarely", "Usually", "", "Ache", "No", "Yes", ""]
    lines = [*told, "Start", "Slow", "Sudden", "", "Both pass."]
    rows = ("Fever - Cold: Rarely; Flu: Usually", "Ache - Cold: No; Flu: Yes", "Start - Cold: Slow; Flu: Sudden")
    assert blocks(lines) == [Block("Signs differ:", rows), Block("Both pass.")]
    pairs = ["Levels are", "", "Level", "Meaning", "", "1", "Low", "", "2", "Good", "", "3", "High"]
    assert blocks(pairs) == [Block("Levels are", ("1: Low", "2: Good", "3: High"))]


def test_a_row_may_join_its_values() -> None:
    head = ["It has a category:", "Category", "Upper", "", "Lower", ""]
    rows = ["Normal", "< 120", "and", "< 80", "", "High", "> 140", "or", "> 90", "", "Crisis", "> 180", "and", "> 120"]
    (block,) = blocks([*head, *rows])
    assert block.items[:2] == ("Normal - Upper: < 120 and Lower: < 80", "High - Upper: > 140 or Lower: > 90")


def test_short_paragraphs_are_no_table() -> None:
    lines = ["It has two forms.", "", "Mild", "", "Severe", "", "Both", "", "See a doctor."]
    assert [block.items for block in blocks(lines)] == [()] * 5


def test_a_long_list_repeats_what_introduces_it() -> None:
    block = Block("Many things help. They include:", tuple(f"thing {n} " + "word " * 20 for n in range(20)))
    found = passages([block], words)
    assert len(found) > 2
    assert found[0].startswith("Many things help.")
    assert all("They include:\n- thing" in passage for passage in found)
    assert all(words(passage) <= MOST_TOKENS + 10 for passage in found)


def test_an_endless_text_is_cut_between_words() -> None:
    found = passages([Block("word " * 1000)], words)
    assert all(words(passage) <= MOST_TOKENS for passage in found)
    assert sum(map(words, found)) == 1000


def test_a_topic_is_divided_by_its_questions_and_ends_before_its_author() -> None:
    text = (
        "Gout hurts.\nWhat causes gout?\nUric acid causes it.\nNIH: National Institute of Arthritis\nFederal Agency X"
    )
    assert topic(text).passages == (
        Passage("Gout", "Gout hurts."),
        Passage("Gout: What causes gout?", "Uric acid causes it."),
    )


def test_questions_in_a_list_are_its_items() -> None:
    found = topic("Ask your doctor:\nWhat should I eat?\nShould I walk?\n\nThen decide.").passages
    assert found == (Passage("Gout", "Ask your doctor:\n- What should I eat?\n- Should I walk?\n\nThen decide."),)


def test_dashes_in_one_line_are_items_and_an_echo_of_them_is_left_out() -> None:
    (found,) = answer("You may have - pain - a red toe. pain a red toe. It goes away.")
    assert found == Passage("Gout: What is Gout?", "You may have\n- pain\n- a red toe.\n\nIt goes away.")


def test_an_item_may_introduce_the_next_list() -> None:
    (found,) = answer("Tests are: - Blood test. - X-ray. Treatment includes the following: - Colchicine. - Rest.")
    assert "- X-ray.\n\nTreatment includes the following:\n- Colchicine.\n- Rest." in found.text


def test_tables_navigation_and_repeated_headings_are_left_out() -> None:
    table = (
        "What are the signs and symptoms of Gout? The Human Phenotype Ontology provides the following list of signs "
        "and symptoms for Gout. Pain 90% - In these cases, the sign or symptom may be rare or common."
    )
    assert answer(table) == ()
    assert answer("These resources address the diagnosis or management of gout: - A - B") == ()
    (found,) = answer(
        "Key Points - Gout hurts the toe. - See more. Gout hurts the toe. (Watch the video to learn.) Rest."
    )
    assert found.text == "Gout hurts the toe. Rest."
    (found,) = answer("What causes gout? Uric acid causes gout. Click here to view a diagram.", "What causes Gout ??")
    assert found == Passage("Gout: What causes Gout?", "Uric acid causes gout.")


def test_the_older_copy_of_a_page_or_passage_is_left_out() -> None:
    text = "Gout happens when too much uric acid builds up in your body over a long time."
    newer = [Document("1", "Gout", "https://medlineplus.gov/gout.html", "", (Passage("Gout", text),))]
    page = Document("4-1", "Gout", "http://nlm.nih.gov/medlineplus/gout.html", "", (Passage("Gout", "Old text."),))
    copied = Document("5-1", "Joints", "http://x", "", (Passage("a", text + " Yes."), Passage("b", "Joints wear out.")))
    kept = without_older([page, copied], newer)
    assert [(document.id, [p.title for p in document.passages]) for document in kept] == [("5-1", ["b"])]


def test_a_heading_that_ran_into_its_sentence_stands_by_itself() -> None:
    run_in = "It is common. Caused By A Virus Shingles is caused by a virus. Blood Tests Blood tests show it."
    stage = "Stage III In stage III, it has spread. Medicare Part A is insurance."
    told = medquad.headed(run_in, "Shingles")
    assert told == "It is common. Caused By A Virus\nShingles is caused by a virus. Blood Tests\nBlood tests show it."
    assert medquad.headed(stage, "Shingles") == stage
