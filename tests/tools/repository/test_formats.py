"""Formats of office programs and of books, from files as these programs write them, made small by hand."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.tools.repository.test_loaders import load
from tools.repository import archives

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"
SLIDES = "http://schemas.openxmlformats.org/presentationml/2006/main"
RELATED = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
LISTED = "http://schemas.openxmlformats.org/package/2006/relationships"
TITLED = (
    '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" '
    'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Gout on the ward</dc:title></cp:coreProperties>'
)


def archive(path: Path, members: Mapping[str, str]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for name, text in members.items():
            made.writestr(name, text)
    return path


def docx(path: Path, *paragraphs: str, **more: str) -> Path:
    body = "".join(f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>" for text in paragraphs)
    document = f'<w:document xmlns:w="{WORD}"><w:body>{body}</w:body></w:document>'
    return archive(path, {"word/document.xml": document, **more})


def slide(*paragraphs: str) -> str:
    body = "".join(f"<a:p><a:r><a:t>{text}</a:t></a:r></a:p>" for text in paragraphs)
    number = "<a:p><a:fld><a:t>7</a:t></a:fld></a:p>"
    return f'<p:sld xmlns:p="{SLIDES}" xmlns:a="{DRAWING}">{body}{number}</p:sld>'


def relations(**targets: str) -> str:
    entries = "".join(
        f'<Relationship Id="{key}" Type="{RELATED}/{key[:-1]}" Target="{t}"/>' for key, t in targets.items()
    )
    return f'<Relationships xmlns="{LISTED}">{entries}</Relationships>'


def pptx(path: Path) -> Path:
    order = "".join(f'<p:sldId r:id="{key}"/>' for key in ("slide2", "slide1"))
    return archive(
        path,
        {
            "ppt/presentation.xml": f'<p:presentation xmlns:p="{SLIDES}" xmlns:r="{RELATED}">{order}</p:presentation>',
            "ppt/_rels/presentation.xml.rels": relations(slide1="slides/slide1.xml", slide2="slides/slide2.xml"),
            "ppt/slides/slide1.xml": slide("Treatment", "Colchicine is given for a flare."),
            "ppt/slides/slide2.xml": slide("Causes", "Urate crystals cause gout."),
            "ppt/slides/_rels/slide1.xml.rels": relations(notesSlide1="../notesSlides/notesSlide1.xml"),
            "ppt/notesSlides/notesSlide1.xml": slide("Mind the kidneys."),
            archives.CORE: TITLED,
        },
    )


def epub(path: Path) -> Path:
    opf = (
        '<package xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">'
        "<dc:title>Living with gout</dc:title></metadata><manifest>"
        '<item id="a" href="text/one%20a.xhtml"/><item id="b" href="text/two.xhtml"/></manifest>'
        '<spine><itemref idref="b"/><itemref idref="a"/><itemref idref="gone"/></spine></package>'
    )
    page = '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body>{}</body></html>'
    return archive(
        path,
        {
            "META-INF/container.xml": '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
            '<rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
            "OEBPS/book.opf": opf,
            "OEBPS/text/one a.xhtml": page.format("<p>Drink water.</p>"),
            "OEBPS/text/two.xhtml": page.format("<h1>Gout</h1><p>It hurts&#160;at night.</p>"),
        },
    )


def test_word(tmp_path: Path) -> None:
    (document,) = load(docx(tmp_path / "a.docx", "Gout hurts.", "It flares.", **{archives.CORE: TITLED}))[0]
    assert (document.title, document.text.split()) == ("Gout on the ward", "Gout hurts. It flares.".split())
    assert "\n\n" in document.text


def test_slides_come_in_their_order_with_their_notes(tmp_path: Path) -> None:
    (document,) = load(pptx(tmp_path / "a.pptx"))[0]
    assert document.title == "Gout on the ward"
    assert document.text.strip().split("\n\n") == [
        "Causes\nUrate crystals cause gout.",
        "Treatment\nColchicine is given for a flare.\nMind the kidneys.",
    ]


def test_a_book_comes_in_the_order_of_its_spine(tmp_path: Path) -> None:
    (document,), loader = load(epub(tmp_path / "a.epub"))
    assert document.title == "Living with gout"
    assert document.text.split() == "Gout It hurts at night. Drink water.".split()
    assert "has no page" in str(loader.problems[0])


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_rows_of_a_table_keep_their_columns(tmp_path: Path, mark: str) -> None:
    rows = [("question", "answer"), ("What is gout?", '"Arthritis, by urate"'), ("Is it treated?", "Yes.")]
    (tmp_path / "faq.csv").write_text("\ufeff" + "".join(f"{a}{mark}{b}\n" for a, b in rows), encoding="utf-8")
    (document,) = load(tmp_path / "faq.csv")[0]
    assert document.text.strip() == (
        "question: What is gout?\nanswer: Arthritis, by urate\n\nquestion: Is it treated?\nanswer: Yes."
    )


def test_rich_text(tmp_path: Path) -> None:
    (tmp_path / "a.rtf").write_bytes(
        rb"{\rtf1\ansi\ansicpg1252\uc1{\fonttbl{\f0 Arial;}}{\*\generator Word;}{\info{\title x}}\f0\b Gout\b0\par "
        rb"Sj\'f6gren\u8217?s \{5 mg\} \u-10179?\u-8704?\line caf\'e9 \emdash now.{\pict 89504e47}\par}"
    )
    (document,) = load(tmp_path / "a.rtf")[0]
    assert document.text == "Gout\n\nSjögren’s {5 mg} 😀\n\ncafé —now."


@pytest.mark.parametrize("suffix", ["docx", "pptx", "epub", "csv", "rtf"])
@pytest.mark.parametrize("raw", [b"", b"PK\x03\x04 no archive", b"\xff\xfe\x00\xd8", b"{\\rtf1 {{{ \\u \\'zz"])
def test_a_damaged_file_is_named_and_the_rest_is_read(tmp_path: Path, suffix: str, raw: bytes) -> None:
    (tmp_path / f"a.{suffix}").write_bytes(raw)
    (tmp_path / "b.txt").write_text("Gout hurts.")
    found, loader = load(tmp_path)
    assert found[-1].text == "Gout hurts."
    assert len(found) + loader.problem_count + loader.empty == 2


def test_what_lacks_its_parts_or_declares_entities_is_named(tmp_path: Path) -> None:
    bomb = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
    archive(tmp_path / "a.pptx", {"other.xml": "<a/>"})
    docx(tmp_path / "b.docx", "&b;")
    archive(tmp_path / "c.pptx", {"ppt/presentation.xml": f"{bomb}<a>&b;</a>"})
    found, loader = load(tmp_path)
    assert [document.text for document in found] == []
    assert ["a.pptx" in str(p) or "b.docx" in str(p) for p in loader.problems] == [True, True]


def test_an_archive_that_unpacks_into_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MAX_UNPACKED", 1_000_000)
    docx(tmp_path / "a.docx", "x" * 2_000_000)
    found, loader = load(tmp_path / "a.docx")
    assert not found
    assert "unpacks to more than 1 MB" in str(loader.problems[0])
