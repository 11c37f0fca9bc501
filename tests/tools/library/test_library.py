from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import DataMissing, InputError, SourceError
from core.source import SourceQuery
from tests.tools.library.conftest import NEWER, HashingEmbedder, MakeLibrary, write_library
from tools.library import LibrarySource
from tools.library.library import UNKNOWN
from tools.library.making.questions import main as put_in
from tools.library.shipped import Document, Passage


def test_a_passage_comes_with_its_question_owner_age_address_and_licence(make_library: MakeLibrary) -> None:
    best = make_library().search(["what are the treatments for gout"], 3)[0]
    assert best.id == "library:newer/1#1"
    assert best.title == "Gout: What are the treatments for gout?"
    assert (best.owner, best.published, best.licence) == ("NLM", "2024-06", "public domain")
    assert best.url == "https://medlineplus.gov/gout.html"
    assert best.source == "library"
    assert not best.certified
    assert 0 < best.score <= 1


def test_a_document_may_have_an_owner_and_an_id_of_its_own(make_library: MakeLibrary) -> None:
    found = {e.id: e for e in make_library().search(["is gout a form of arthritis"], 6)}
    assert found["library:older/5-1%2Fa#0"].owner == "NIDDK"


def test_the_newer_text_stands_before_the_older(make_library: MakeLibrary) -> None:
    found = make_library().search(["does uric acid cause gout"], 6)
    corpora = [e.id.split("/")[0] for e in found]
    assert corpora[0] == "library:newer"
    assert "library:older" in corpora


def test_what_two_documents_say_alike_counts_once(make_library: MakeLibrary) -> None:
    found = make_library().search(["is zorblax inherited"], 6)
    assert [e.title for e in found if e.text == "This condition is inherited."] == ["Zorblax: Is Zorblax inherited?"]


def test_a_search_embeds_the_question_alone(make_library: MakeLibrary, hashing: HashingEmbedder) -> None:
    make_library().search(["is zorblax inherited"], 3)
    assert hashing.encoded == ["is zorblax inherited"]


def test_vectors_are_those_of_the_passages(make_library: MakeLibrary, hashing: HashingEmbedder) -> None:
    library = make_library()
    newer, older = library.vectors(["library:newer/1#0", "library:older/5-1%2Fa#0"])
    wanted = hashing.encode(
        [
            "Gout: What causes gout?\nGout happens when too much uric acid builds up in your body.",
            "Gout: What is Gout?\nGout is a form of arthritis that uric acid causes.",
        ]
    )
    assert float(newer @ wanted[0]) > 0.98
    assert float(older @ wanted[1]) > 0.98


@pytest.mark.parametrize("wrong", ["library:newer/1#9", "library:newer/9#0", "library:other/1#0", "library:newer/1#x"])
def test_a_passage_that_is_not_there_is_named(make_library: MakeLibrary, wrong: str) -> None:
    with pytest.raises(InputError, match=wrong):
        make_library().vectors([wrong])


async def test_as_a_source_it_searches_every_phrasing_and_the_hypothetical_document(make_library: MakeLibrary) -> None:
    source = LibrarySource(make_library())
    (best, *_) = await source.search(SourceQuery(queries=("podagra therapy", "treatments for gout"), limit=2))
    assert (best.id, best.query) == ("library:newer/1#1", "treatments for gout")
    query = SourceQuery(queries=("podagra",), hypothetical="Flu is a respiratory infection.", dense=True, limit=1)
    assert [e.id for e in await source.search(query)] == ["library:newer/2#0"]
    assert await source.search(SourceQuery(queries=(" ",))) == []


@pytest.mark.parametrize("content", [b"", b"damaged", None])
@pytest.mark.parametrize("name", ["newer.jsonl.xz", "older.vectors.xz", "sheet.json"])
async def test_a_damaged_or_missing_file_is_one_sentence(
    make_library: MakeLibrary, data: Path, name: str, content: bytes | None
) -> None:
    if content is None:
        (data / name).unlink()
    else:
        (data / name).write_bytes(content)
    with pytest.raises(SourceError, match=f"library's file .*{name} is missing or damaged"):
        await LibrarySource(make_library()).search(SourceQuery(queries=("gout",)))
    with pytest.raises(DataMissing):
        make_library().open()


async def test_no_room_for_the_index_is_one_sentence(make_library: MakeLibrary, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(SourceError, match="MEDATTEST_HOME"):
        await LibrarySource(make_library(home=tmp_path / "file")).search(SourceQuery(queries=("gout",)))


@pytest.mark.parametrize("part", ["texts.sqlite", "vectors.f32", "head.json", "lexical/weights.npy"])
def test_a_damaged_index_is_made_again(make_library: MakeLibrary, tmp_path: Path, part: str) -> None:
    make_library().open().close()
    (folder,) = (path for path in (tmp_path / "home" / "library").iterdir() if path.is_dir())
    (folder / part).write_bytes(b"x")
    assert make_library().search(["gout"], 1)


def test_other_files_have_an_index_of_their_own(make_library: MakeLibrary, data: Path, tmp_path: Path) -> None:
    make_library().open().close()
    sheet = (data / "sheet.json").read_text()
    (data / "sheet.json").write_text(sheet.replace("2024-06", "2025-01"))
    assert make_library().search(["gout"], 1)[0].published == "2025-01"
    assert len([path for path in (tmp_path / "home" / "library").iterdir() if path.is_dir()]) == 1


def test_a_passage_is_found_by_a_question_that_it_answers_in_other_words(make_library: MakeLibrary) -> None:
    found = make_library().search(["which pill for podagra"], 3)
    assert found[0].id == "library:newer/1#1"


def test_what_a_passage_is_known_to_answer_comes_with_the_sentences_that_do(make_library: MakeLibrary) -> None:
    ids = ["library:newer/1#1", "library:newer/1#0", "library:older/3-2#0"]
    pill, cause, none = make_library().known("which pill for podagra", ids)
    assert pill.similar > 0.98
    assert dict(pill.grades) == {0: 2}
    assert cause.similar < 0.98
    assert dict(cause.grades) == {0: 2}
    assert none == UNKNOWN
    (apart,) = make_library().known("which pill for podagra", ids[:1], apart=True)
    assert apart.similar == 0.0


def test_a_passage_begins_what_its_title_announces_or_goes_on_with_it(
    make_library: MakeLibrary, tmp_path: Path, hashing: HashingEmbedder
) -> None:
    cause, risk = "Gout: What causes gout?", "Gout: Who gets gout?"
    passages = (Passage(cause, "Uric acid."), Passage(cause, "Crystals form."), Passage(risk, "Men."))
    more = Document("2", "Gout", "https://medlineplus.gov/gout2.html", "", (Passage(risk, "Women, later."),))
    document = Document("1", "Gout", "https://medlineplus.gov/gout.html", "", passages)
    write_library(tmp_path / "long", {"newer": [document, more]}, {}, hashing)
    library = make_library(data=tmp_path / "long")
    ids = [*(f"library:newer/1#{n}" for n in range(3)), "library:newer/2#0"]
    assert [library.begins(one) for one in ids] == [True, False, True, True]


def test_what_is_answered_is_told_by_the_questions_that_are_and_those_that_are_not(make_library: MakeLibrary) -> None:
    library = make_library()
    assert library.answered("which pill for podagra") > 0 > library.answered("is podagra catching")


def test_a_library_without_questions_is_searched_by_its_texts_alone(
    make_library: MakeLibrary, tmp_path: Path, hashing: HashingEmbedder
) -> None:
    write_library(tmp_path / "plain", {"newer": NEWER}, {}, hashing)
    library = make_library(data=tmp_path / "plain")
    assert library.search(["what causes gout"], 1)[0].id == "library:newer/1#0"
    assert library.known("what causes gout", ["library:newer/1#0"]) == [UNKNOWN]
    assert library.answered("what causes gout") == 0.0


def test_questions_are_put_in_and_told_of(data: Path, tmp_path: Path, make_library: MakeLibrary) -> None:
    (tmp_path / "questions.jsonl").write_text('["2", "is the grippe a germ", {"0": {"0": 2}}]\n', encoding="utf-8")
    put_in("newer", tmp_path / "questions.jsonl", data)
    newer, older = make_library().sheet().corpora
    assert (newer.questions, older.questions) == (1, 0)
    with pytest.raises(InputError, match="newer, older"):
        put_in("other", tmp_path / "questions.jsonl", data)


@pytest.mark.parametrize(
    "line",
    [
        '["9", "why", {}]',
        '["1", "why", {"7": {"0": 2}}]',
        '["1", "why", {"0": {"999": 2}}]',
        '["1", "why", {"0": {"0": 3}}]',
    ],
)
def test_questions_for_what_is_not_there_are_refused(data: Path, tmp_path: Path, line: str) -> None:
    (tmp_path / "questions.jsonl").write_text(line + "\n", encoding="utf-8")
    with pytest.raises(InputError, match="why"):
        put_in("newer", tmp_path / "questions.jsonl", data)
