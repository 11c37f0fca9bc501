from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

from core.errors import SourceError
from tests.emulators.entrez_medline import medline
from tests.emulators.entrez_records import article
from tools.pubmed.dates import date_of
from tools.pubmed.medline import read_records
from tools.pubmed.records import Record

DATA = Path(__file__).parent / "data"
FILES = sorted(DATA.glob("*/*.xml"))

BOOK = """<PubmedBookArticle><BookDocument><PMID Version="1">20301510</PMID>
<ArticleIdList><ArticleId IdType="bookaccession">NBK1335</ArticleId></ArticleIdList>
<Book><Publisher><PublisherName>University of Washington, Seattle</PublisherName></Publisher>
<BookTitle book="gene">GeneReviews<sup>®</sup></BookTitle><PubDate><Year>1993</Year></PubDate></Book>
<ArticleTitle book="gene" part="marfan"><i>FBN1</i>-Related Marfan Syndrome</ArticleTitle>
<Language>eng</Language><PublicationType UI="D016454">Review</PublicationType>
<Abstract><AbstractText Label="CLINICAL CHARACTERISTICS">Involves eye, skeleton and heart.</AbstractText>
<AbstractText Label="DIAGNOSIS/TESTING">By <b><i>FBN1</i></b>: sequencing.</AbstractText>
<CopyrightInformation>Copyright 1993-2024, University of Washington.</CopyrightInformation></Abstract>
<ContributionDate><Year>2001</Year><Month>4</Month><Day>18</Day></ContributionDate></BookDocument>
</PubmedBookArticle>"""


def records(xml: str | bytes) -> tuple[Record, ...]:
    """The records of a document, as its MEDLINE text is read."""
    return read_records(medline(xml).encode())


def one(xml: str) -> Record:
    (found,) = records(xml)
    return found


def record(name: str) -> Record:
    (found,) = records((DATA / name).read_bytes())
    return found


def plain(text: str) -> str:
    return "".join(re.findall(r"\w", text))


def abstracts_of(citation: ElementTree.Element) -> Iterator[tuple[str, str]]:
    """Label and text of the parts that the XML has, the markup and a label that says nothing left out."""
    for part in citation.iterfind("Article/Abstract/AbstractText"):
        if text := plain("".join(part.itertext())):
            label = part.get("Label", "")
            yield "" if label == "UNLABELLED" else label, text


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_nothing_of_a_real_record_is_lost_in_its_text(path: Path) -> None:
    citations = list(ElementTree.parse(path).getroot().iter("MedlineCitation"))
    found = records(path.read_bytes())
    assert len(found) == len(citations)
    for mine, there in zip(found, citations, strict=True):
        assert mine.pmid == there.findtext("PMID")
        title = there.find("Article/ArticleTitle")
        assert title is not None
        assert plain(mine.title) == plain("".join(title.itertext()))
        parts = mine.abstract.sections if mine.abstract else ()
        assert [(part.label, plain(part.text)) for part in parts] == list(abstracts_of(there))
        assert list(mine.types) == [e.text for e in there.iter("PublicationType")]
        assert [heading.name for heading in mine.headings] == [e.text for e in there.iter("DescriptorName")]
        assert list(mine.languages) == [e.text for e in there.iterfind("Article/Language")]


@pytest.mark.parametrize(("name", "count"), [("1", 1), ("2", 4), ("3", 1)])
def test_real_replies(name: str, count: int) -> None:
    found = read_records((DATA / f"medline/pubmed_result{name}.txt").read_bytes())
    assert len(found) == count
    assert all(one.title and one.abstract and one.published and one.journal.abbreviation for one in found)


def test_a_real_record_field_by_field() -> None:
    first, *_ = read_records((DATA / "medline/pubmed_result2.txt").read_bytes())
    assert (first.pmid, first.published, first.doi) == ("16403221", "2006-01-10", "10.1186/1471-2105-7-10")
    assert (first.pmcid, first.languages) == ("PMC1373603", ("eng",))
    assert first.types == ("Evaluation Studies", "Journal Article")
    assert (first.journal.title, first.journal.abbreviation) == ("BMC bioinformatics", "BMC Bioinformatics")
    assert [heading.name for heading in first.headings if not heading.major] == [
        "Programming Languages",
        "Sequence Homology, Amino Acid",
    ]
    assert first.abstract is not None
    assert [part.label for part in first.abstract.sections] == ["BACKGROUND", "RESULTS", "CONCLUSION"]
    assert "sequence similarity such that no two domains" in first.abstract.text


def test_a_structured_abstract_keeps_its_labels() -> None:
    found = record("metapub/35830032.xml")
    assert found.abstract is not None
    labels = [part.label for part in found.abstract.sections]
    assert labels == ["BACKGROUND", "OBJECTIVE", "METHODS", "RESULTS", "CONCLUSION"]
    assert found.abstract.text.startswith("BACKGROUND: Proton pump inhibitors (PPIs) are one of the most prescribed")
    assert "\n\nCONCLUSION: The key to mitigate" in found.abstract.text
    assert found.published == "2022-04"  # from the season Apr-Jun


@pytest.mark.parametrize(
    "text",
    [
        "Two groups were compared. RNA: was extracted.",
        "Metformin (DOSE: 500 mg) was given.",
        "Of all patients, 5% (95% CI: 1 to 9) died.",
        "METHODS were applied; CI: 2 to 4.",
    ],
)
def test_capitals_with_a_colon_within_a_plain_abstract_are_no_labels(text: str) -> None:
    abstract = one(article(1, "T", text)).abstract
    assert abstract is not None
    assert [(part.label, part.text) for part in abstract.sections] == [("", text)]


def test_raised_and_lowered_figures_stay_apart() -> None:
    found = record("metapub/38914053.xml")
    assert found.abstract is not None
    assert "2.5 × 10(18)cm(-3)" in found.abstract.text
    assert one(article(1, "The <i>BRCA1</i> 10<sup>6</sup> of <b>H<sub>2</sub>O</b>.")).title == (
        "The BRCA1 10(6) of H(2)O."
    )


def test_a_title_in_another_language_is_kept_beside_the_english_one() -> None:
    found = record("metapub/36987902.xml")
    assert found.title.startswith("Patients over 75 years admitted")
    assert found.vernacular_title is not None
    assert found.vernacular_title.startswith("Pasienter over 75 år")
    assert found.languages == ("eng", "nor")
    no_english = article(1, "[Not Available].").replace(
        "</Article>", "<VernacularTitle>Die Leber.</VernacularTitle></Article>"
    )
    assert one(no_english).title == "Die Leber."


def test_abstracts_in_several_languages_are_kept_and_the_english_one_is_shown() -> None:
    other = '<OtherAbstract Type="Publisher" Language="spa"><AbstractText>El hígado.</AbstractText></OtherAbstract>'
    lay = other.replace("spa", "eng").replace("El hígado", "Plainly")
    away = other.replace("spa", "ger").replace("El hígado.", "Publisher: Abstract available from the publisher.")
    both = one(article(1, "T", "The liver.").replace("</MedlineCitation>", away + other + "</MedlineCitation>"))
    assert [abstract.language for abstract in both.abstracts] == ["eng", "spa"]
    assert both.abstract is both.abstracts[0]
    later = one(article(1, "T").replace("</MedlineCitation>", other + lay + "</MedlineCitation>"))
    assert later.abstract is not None
    assert later.abstract.text == "Plainly."


def test_a_chapter_of_a_book_is_a_record() -> None:
    found = one(BOOK)
    assert (found.kind, found.pmid, found.bookshelf) == ("book", "20301510", "NBK1335")
    assert found.title == "FBN1-Related Marfan Syndrome"
    assert found.journal.title == "GeneReviews(®)"
    assert found.abstract is not None
    assert found.abstract.text.endswith("\n\nDIAGNOSIS/TESTING: By FBN1: sequencing.")
    assert (found.published, found.types) == ("2001-04-18", ("Review", "Book Chapter"))
    assert found.copyright == "Copyright 1993-2024, University of Washington."


def test_a_long_link_that_goes_on_in_the_next_line_is_one_link() -> None:
    place = "The European journal of examples. 2021 May;2(1):9-12. doi: 10.1000/retraction.45."
    links = {"RetractionIn": (place, 77), "PartialRetractionIn": ("J Ex. 2022;3(1):1", 78)}
    told = medline(article(1, "T", links=links))
    assert "\n      PMID: 77" in told
    (found,) = read_records(told.encode())
    assert [(link.kind, link.cited, link.pmid) for link in found.links] == [
        ("RetractionIn", place, "77"),
        ("PartialRetractionIn", "J Ex. 2022;3(1):1", "78"),
    ]


def test_the_rest_of_a_record() -> None:
    found = record("metapub/35649368.xml")
    assert (found.doi, found.published) == ("10.1016/j.celrep.2022.110870", "2022-05-31")
    assert [(link.kind, link.pmid) for link in found.links] == [("ErratumIn", "35767954")]
    assert found.copyright is not None
    assert record("metapub/34709863.xml").pmcid == "PMC8561068"


def test_no_abstract_is_none_and_no_record_is_empty() -> None:
    assert record("metapub/38962805.xml").abstract is None
    assert records((DATA / "metapub/37909814.xml").read_bytes()) == ()


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ("2020", "2020"),
        ("2020 Feb", "2020-02"),
        ("2020 Feb 9", "2020-02-09"),
        ("2020 Winter", "2020"),
        ("2020 Jul-Aug", "2020-07"),
        ("1998 Dec-1999 Jan", "1998-12"),
        ("2000 Spring-Summer", "2000"),
        ("Winter 2000", "2000"),
        ("1999-2000 Jan", "1999"),
        ("20020916", "2002-09-16"),
        ("2006/01/13 09:00", "2006-01-13"),
        ("2020 Feb 40", "2020-02"),
        ("no date", None),
        ("", None),
    ],
)
def test_every_form_of_date(told: str, expected: str | None) -> None:
    assert date_of(told) == expected


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"<html><body>maintenance</body></html>", "sent no records but: maintenance;"),
        (b"<eFetchResult><ERROR>Cannot process ID list</ERROR></eFetchResult>", "but: Cannot process ID list;"),
        (b"id: 1 Error occurred: The following PMID is not available: 1", "but: id: 1 Error occurred"),
        (b"      goes on from nowhere\n", "no MEDLINE record"),
        (medline(article(1, "T", "A.")).encode()[:-40], "breaks off"),
        (medline(article(1, "T", "A.")).rstrip().encode(), "breaks off"),
    ],
)
def test_what_is_no_set_of_records_is_an_error(body: bytes, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        read_records(body)


def test_bytes_that_are_no_text_do_no_harm() -> None:
    (found,) = read_records(medline(article(1, "Title.", "Abstract.")).encode().replace(b"Title", b"T\xff\x00tle"))
    assert found.abstract is not None


def test_many_records_and_hostile_ones_are_read_fast_enough() -> None:
    body = "".join(medline(article(n, "A title.", "An abstract. " * 100)) for n in range(1, 201)).encode()
    hostile = medline(article(1, "T", "A: " + "B, C. " * 100_000)).encode()
    began = time.process_time()
    assert len(read_records(body)) == 200
    assert len(read_records(hostile)) == 1
    assert time.process_time() - began < 1.5
