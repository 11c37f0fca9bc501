from __future__ import annotations

import io
import re
import time
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from core.errors import SourceError
from tests.emulators.entrez_records import article, article_set
from tools.pubmed.dates import date_of
from tools.pubmed.parse import read_records
from tools.pubmed.records import Record

DATA = Path(__file__).parent / "data"
FILES = sorted(DATA.glob("*/*.xml"))

BOOK = """<PubmedBookArticle><BookDocument><PMID Version="1">20301510</PMID>
<ArticleIdList><ArticleId IdType="bookaccession">NBK1335</ArticleId></ArticleIdList>
<Book><Publisher><PublisherName>University of Washington, Seattle</PublisherName></Publisher>
<BookTitle book="gene">GeneReviews<sup>®</sup></BookTitle><PubDate><Year>1993</Year></PubDate>
<AuthorList Type="editors" CompleteYN="Y"><Author><LastName>Adam</LastName><ForeName>Margaret P</ForeName></Author>
</AuthorList></Book><ArticleTitle book="gene" part="marfan"><i>FBN1</i>-Related Marfan Syndrome</ArticleTitle>
<Language>eng</Language><AuthorList Type="authors" CompleteYN="Y"><Author><LastName>Dietz</LastName>
<ForeName>Harry</ForeName></Author></AuthorList><PublicationType UI="D016454">Review</PublicationType>
<Abstract><AbstractText Label="CLINICAL CHARACTERISTICS">Involves eye, skeleton and heart.</AbstractText>
<AbstractText Label="MANAGEMENT"><b><i>Treatment:</i></b> Surgery of the aortic root.</AbstractText>
<CopyrightInformation>Copyright 1993-2024, University of Washington.</CopyrightInformation></Abstract>
<ContributionDate><Year>2001</Year><Month>4</Month><Day>18</Day></ContributionDate></BookDocument>
<PubmedBookData><History><PubMedPubDate PubStatus="pubmed"><Year>2010</Year></PubMedPubDate></History>
<ArticleIdList><ArticleId IdType="pubmed">20301510</ArticleId></ArticleIdList></PubmedBookData></PubmedBookArticle>"""


def record(name: str) -> Record:
    (found,) = read_records((DATA / name).read_bytes())
    return found


def one(xml: str) -> Record:
    (found,) = read_records(article_set([xml]))
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_what_biopython_reads_is_read_the_same(path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))  # where Biopython would keep DTDs that it fetched
    from Bio import Entrez

    read: Any = Entrez.read

    def plain(text: str) -> str:
        return "".join(re.findall(r"\w", re.sub(r"<[^>]+>", "", text)))

    ours = read_records(path.read_bytes())
    theirs = read(io.BytesIO(path.read_bytes()))["PubmedArticle"]
    assert len(ours) == len(theirs)
    for mine, other in zip(ours, theirs, strict=True):
        citation = other["MedlineCitation"]
        there = citation["Article"]
        assert mine.pmid == str(citation["PMID"])
        assert plain(mine.title) == plain(there["ArticleTitle"])
        told = there.get("Abstract", {}).get("AbstractText", [])
        assert len(mine.abstract.sections if mine.abstract else ()) == len(told)
        assert list(mine.types) == [str(kind) for kind in there["PublicationTypeList"]]
        assert [h.id for h in mine.headings] == [
            h["DescriptorName"].attributes["UI"] for h in citation.get("MeshHeadingList", [])
        ]
        assert len(mine.authors) == len(there.get("AuthorList", []))
        assert list(mine.languages) == [str(language) for language in there["Language"]]


def test_a_structured_abstract_keeps_its_labels() -> None:
    found = record("metapub/35830032.xml")
    assert found.abstract is not None
    labels = [part.label for part in found.abstract.sections]
    assert labels == ["BACKGROUND", "OBJECTIVE", "METHODS", "RESULTS", "CONCLUSION"]
    assert found.abstract.text.startswith("BACKGROUND: Proton pump inhibitors (PPIs) are one of the most prescribed")
    assert "\n\nCONCLUSION: The key to mitigate" in found.abstract.text
    assert found.published == "2022-04"  # from the season Apr-Jun


def test_inline_markup_is_joined_and_raised_figures_stay_apart() -> None:
    found = record("metapub/38914053.xml")
    assert found.title.startswith("Doped SnO2thin films fabricated at low temperature")
    assert found.abstract is not None
    assert "2.5 × 10¹⁸cm⁻³" in found.abstract.text
    assert one(article(1, "The <i>BRCA1</i> 10<sup>6</sup> of <b>H<sub>2</sub>O</b>, 1<sup>st</sup>.")).title == (
        "The BRCA1 10⁶ of H2O, 1st."
    )


def test_mathml_is_joined_without_its_layout() -> None:
    abstract = record("biopython/pubmed7.xml").abstract
    assert abstract is not None
    assert re.search(r"inhaled He3\b", abstract.text)


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
    both = one(article(1, "T", "The liver.").replace("</MedlineCitation>", other + "</MedlineCitation>"))
    assert [abstract.language for abstract in both.abstracts] == ["eng", "spa"]
    assert both.abstract is both.abstracts[0]
    later = one(article(1, "T").replace("</MedlineCitation>", other + lay + "</MedlineCitation>"))
    assert later.abstract is not None
    assert later.abstract.text == "Plainly."


def test_a_chapter_of_a_book_is_a_record() -> None:
    (found,) = read_records(article_set([BOOK]))
    assert (found.kind, found.pmid, found.bookshelf) == ("book", "20301510", "NBK1335")
    assert found.title == "FBN1-Related Marfan Syndrome"
    assert found.journal.title == "GeneReviews®"
    assert (found.authors, found.editors) == (("Dietz Harry",), ("Adam Margaret P",))
    assert found.abstract is not None
    assert found.abstract.text.endswith("MANAGEMENT: Treatment: Surgery of the aortic root.")
    assert (found.published, found.types) == ("2001-04-18", ("Review",))
    assert found.copyright == "Copyright 1993-2024, University of Washington."


def test_the_rest_of_a_record() -> None:
    found = record("metapub/35649368.xml")
    assert (found.doi, found.published) == ("10.1016/j.celrep.2022.110870", "2022-05-31")
    assert [(link.kind, link.pmid) for link in found.links] == [("ErratumIn", "35767954")]
    assert "ACSL" in found.keywords
    assert found.copyright is not None
    heading = next(heading for heading in found.headings if heading.qualifiers)
    assert re.fullmatch(r"D\d+", heading.id)
    assert re.fullmatch(r"Q\d+", heading.qualifiers[0][0])
    assert record("metapub/34709863.xml").pmcid == "PMC8561068"
    assert record("metapub/38534005.xml").authors[-1].startswith("Task and Finish Group for Urinalysis")


def test_no_abstract_is_none_and_no_record_is_empty() -> None:
    assert record("metapub/38962805.xml").abstract is None
    assert read_records((DATA / "metapub/37909814.xml").read_bytes()) == ()


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        ("<Year>2020</Year>", "2020"),
        ("<Year>2020</Year><Month>Feb</Month>", "2020-02"),
        ("<Year>2020</Year><Month>2</Month><Day>29</Day>", "2020-02-29"),
        ("<Year>2020</Year><Season>Winter</Season>", "2020"),
        ("<Year>2020</Year><Season>Jul-Aug</Season>", "2020-07"),
        ("<MedlineDate>1998 Dec-1999 Jan</MedlineDate>", "1998-12"),
        ("<MedlineDate>2000 Spring-Summer</MedlineDate>", "2000"),
        ("<MedlineDate>Winter 2000</MedlineDate>", "2000"),
        ("<MedlineDate>1999-2000 Jan</MedlineDate>", "1999"),
        ("<MedlineDate>no date</MedlineDate>", None),
        ("<Year>0</Year>", None),
        ("<Year>2020</Year><Month>13</Month><Day>1</Day>", "2020"),
        ("<Year>2020</Year><Day>4</Day>", "2020"),
    ],
)
def test_every_form_of_date(inside: str, expected: str | None) -> None:
    assert date_of(ElementTree.fromstring(f"<PubDate>{inside}</PubDate>")) == expected


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"", "not well-formed"),
        (article_set([article(1, "T")])[:-40], "breaks off"),
        (b"<html><body>maintenance</body></html>", "sent no records but <html>"),
        (b"<eFetchResult><ERROR>Cannot process ID list</ERROR></eFetchResult>", "says: Cannot process ID list"),
        (b"<!DOCTYPE html><html><p>unclosed</html>", "not well-formed"),
        (b'<?xml version="1.0" encoding="no-such"?><PubmedArticleSet/>', "not well-formed"),
        (article_set([article(1, "Caf&eacute;")]), "not well-formed"),
    ],
)
def test_what_is_no_set_of_records_is_an_error(body: bytes, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        read_records(body)


@pytest.mark.parametrize(
    "subset",
    [
        '[<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]',
        '[<!ENTITY file SYSTEM "file:///etc/passwd">]',
        '[<!ENTITY % remote SYSTEM "http://127.0.0.1:1/evil.dtd"> %remote;]',
        "[<!ELEMENT PubmedArticleSet ANY>]",
        "[]",
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_document_that_declares_anything_is_refused(subset: str, encoding: str) -> None:
    body = f'<?xml version="1.0" encoding="{encoding}"?><!DOCTYPE PubmedArticleSet {subset}><PubmedArticleSet/>'
    with pytest.raises(SourceError, match="declares entities"):
        read_records(body.encode(encoding))


def test_deep_nesting_is_survived() -> None:
    deep = "<i>" * 5_000 + "x" + "</i>" * 5_000
    with pytest.raises(SourceError, match="nested"):
        read_records(article_set([article(1, deep)]))


def test_the_text_of_many_records_is_read_fast_enough() -> None:
    body = article_set([article(n, "A title.", "An abstract. " * 100) for n in range(1, 501)])
    began = time.process_time()
    assert len(read_records(body)) == 500
    assert time.process_time() - began < 1.0
