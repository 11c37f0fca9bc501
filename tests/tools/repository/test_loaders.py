from __future__ import annotations

import io
import json
import os
from pathlib import Path

import pytest
from pypdf import PdfReader, PdfWriter

from core.errors import InputError
from tools.repository.documents import Document
from tools.repository.jsonl import JsonFields
from tools.repository.loaders import Limits, Loader


def load(*paths: Path, fields: JsonFields | None = None, **limits: int) -> tuple[list[Document], Loader]:
    loader = Loader(Limits(**limits), fields or JsonFields())
    return [loaded.document for loaded in loader.documents(paths)], loader


def pdf_bytes(*pages: str) -> bytes:
    """A PDF of one line a page, written by hand."""
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b""]
    kids = []
    for page in pages:
        stream = f"BT /F1 12 Tf 20 100 Td ({page}) Tj ET".encode()
        kids.append(f"{len(objects) + 1} 0 R")
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents %d 0 R /Resources << /Font << /F1 << "
            b"/Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>" % (len(objects) + 2)
        )
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(pages)} >>".encode()
    out, places = bytearray(b"%PDF-1.4\n"), []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    return bytes(out + b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, start))


def test_folder_is_walked_and_what_is_unknown_is_counted(docs: Path) -> None:
    (docs / ".hidden.md").write_text("hidden")
    (docs / ".git").mkdir()
    (docs / ".git" / "x.md").write_text("hidden")
    (docs / "scan.tiff").write_bytes(b"II")
    (docs / "README").write_text("no suffix")
    found, loader = load(docs)
    assert {d.id for d in found} == {"heart/afib.md", "gout.txt", "marfan.html"}
    assert loader.skipped == {".tiff": 1, "(no suffix)": 1}
    assert loader.share == 1


def test_file_is_known_by_its_name(docs: Path) -> None:
    assert [d.id for d in load(docs / "heart" / "afib.md")[0]] == ["afib.md"]


def test_missing_path_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nowhere does not exist"):
        load(tmp_path / "nowhere")


def test_html_gives_the_visible_text(docs: Path) -> None:
    (document,) = load(docs / "marfan.html")[0]
    assert document.title == "Marfan syndrome"
    assert document.text == "Marfan syndrome affects connective tissue.\n\n- tall stature\n\n- lens dislocation"


def test_html_that_stands_in_a_form_is_read(tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    page.write_text(
        "<body><form method=post><select><option>en</select><button>Go</button><h1>Gout</h1><p>Colchicine helps.</p>"
        "</form></body>"
    )
    (document,) = load(page)[0]
    assert document.text == "Gout\n\nColchicine helps."


def test_html_in_another_encoding_follows_its_declaration(tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    page.write_bytes('<meta charset="iso-8859-1"><meta name="owner" content="Ward 3"><p>Sjögren</p>'.encode("latin-1"))
    (document,) = load(page)[0]
    assert (document.text, document.title, document.owner) == ("Sjögren", "a", "Ward 3")


def test_markdown_front_matter_certifies(tmp_path: Path) -> None:
    note = tmp_path / "note.md"
    note.write_text(
        "---\ntitle: Anticoagulation\nowner: Pharmacy\nexpires: 2024-01-31\nreviewed: soon\n---\n# Other\n\nText.\n"
    )
    (document,), loader = load(note)
    assert (document.title, document.owner, document.expires, document.reviewed) == (
        "Anticoagulation",
        "Pharmacy",
        "2024-01-31",
        None,
    )
    assert document.text == "# Other\n\nText.\n"
    assert "reviewed 'soon' is no date" in str(loader.problems[0])
    assert loader.problems[0].where == str(note)


@pytest.mark.parametrize(
    ("raw", "text", "problems"),
    [
        (b"\xef\xbb\xbfplain\r\nlines\r", "plain\nlines\n", 0),
        ("Sjögren".encode("utf-16"), "Sjögren", 0),
        (b"Sj\xf6gren syndrome", "Sj\ufffdgren syndrome", 1),
        (b"a\x00b\x07c\td", "a b c\td", 0),
    ],
)
def test_encodings(tmp_path: Path, raw: bytes, text: str, problems: int) -> None:
    (tmp_path / "a.txt").write_bytes(raw)
    (document,), loader = load(tmp_path / "a.txt")
    assert (document.text, loader.problem_count) == (text, problems)


def test_long_text_becomes_parts_of_which_nothing_is_lost(tmp_path: Path) -> None:
    text = "".join(f"Paragraph {n} é.\r\n\r\n" for n in range(150_000))
    (tmp_path / "long.txt").write_bytes(text.encode())
    found, _ = load(tmp_path / "long.txt")
    assert [d.id for d in found] == ["long.txt", "long.txt/part-2", "long.txt/part-3", "long.txt/part-4"][: len(found)]
    assert "".join(d.text for d in found) == text.replace("\r\n", "\n")


def test_pdf_gives_its_pages(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(pdf_bytes("Statins lower LDL.", "They may cause myalgia."))
    (document,) = load(tmp_path / "a.pdf")[0]
    assert document.text.split("\n\n")[:2] == ["Statins lower LDL.", "They may cause myalgia."]


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        (pdf_bytes("", ""), "OCR"),
        (pdf_bytes("a", "b", "c"), "has 3 pages, the limit is 2: raise MEDATTEST_MAX_PDF_PAGES"),
        (b"%PDF-1.4 nothing more", "no PDF that can be read"),
        (b"", "no PDF that can be read"),
    ],
)
def test_pdf_that_cannot_be_read_is_named(tmp_path: Path, raw: bytes, says: str) -> None:
    (tmp_path / "a.pdf").write_bytes(raw)
    found, loader = load(tmp_path / "a.pdf", max_pdf_pages=2)
    assert not found
    assert says in str(loader.problems[0])
    assert loader.problems[0].where == str(tmp_path / "a.pdf")


@pytest.mark.parametrize(("user", "readable"), [("secret", False), ("", True)])
def test_encrypted_pdf(tmp_path: Path, user: str, readable: bool) -> None:
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf_bytes("Statins lower LDL."))))
    writer.encrypt(user, "owner", algorithm="AES-256")
    writer.write(tmp_path / "a.pdf")
    found, loader = load(tmp_path / "a.pdf")
    assert [d.text.strip() for d in found] == (["Statins lower LDL."] if readable else [])
    assert readable or "is encrypted" in str(loader.problems[0])


def test_file_over_the_limit_is_refused_by_name(tmp_path: Path) -> None:
    big = tmp_path / "big.txt"
    with big.open("wb") as file:
        file.truncate(2_000_001)
    found, loader = load(big, max_file_mb=1)
    assert not found
    assert "MEDATTEST_MAX_FILE_MB" in str(loader.problems[0])


def test_unreadable_kinds_of_files_are_named(tmp_path: Path) -> None:
    (tmp_path / "a.xlsx").write_bytes(b"PK")
    os.mkfifo(tmp_path / "pipe.txt")
    found, loader = load(tmp_path / "a.xlsx", tmp_path / "pipe.txt")
    assert not found
    assert [p.where for p in loader.problems] == [str(tmp_path / "a.xlsx"), str(tmp_path / "pipe.txt")]


def jsonl(folder: Path, *records: object) -> Path:
    path = folder / "in.jsonl"
    path.write_text("".join((r if isinstance(r, str) else json.dumps(r)) + "\n" for r in records))
    return path


def test_usual_fields_are_found(tmp_path: Path) -> None:
    path = jsonl(
        tmp_path, {"doc_id": 7, "title": "T", "abstract": ["One.", "Two."], "url": "http://x", "expires": "2030-01-01"}
    )
    assert load(path)[0] == [Document("7", "One. Two.", "T", url="http://x", expires="2030-01-01")]


def test_list_fans_out_into_documents(tmp_path: Path) -> None:
    qa = [{"qid": "a", "answer": "First."}, {"qid": "b", "answer": " "}, {"qid": "c", "answer": "Third."}]
    path = jsonl(tmp_path, {"doc_id": "d", "url": "http://x", "focus": "Gout", "qa": qa})
    found, loader = load(path, fields=JsonFields("qa[].qid", "qa[].answer", "focus"))
    assert found == [Document("a", "First.", "Gout", url="http://x"), Document("c", "Third.", "Gout", url="http://x")]
    assert loader.empty == 1
    shared, _ = load(path, fields=JsonFields(None, "qa[].answer"))
    assert [d.id for d in shared] == ["d.1", "d.3"]
    joined, _ = load(path, fields=JsonFields("doc_id,qa[].qid", "qa[].answer", "focus, doc_id"))
    assert [(d.id, d.title) for d in joined] == [("d.a", "Gout d"), ("d.c", "Gout d")]


def test_faulty_lines_are_named_and_the_rest_is_read(tmp_path: Path) -> None:
    deep = "[" * 100_000
    path = jsonl(
        tmp_path, {"id": "a", "text": "A."}, "{no json", "", "[1]", {"id": "b"}, {"text": "C."},
        {"id": {}, "text": "D"}, deep, {"id": "\ud800", "text": "E."}, {"id": "z", "text": "lone \ud800 surrogate"},
    )  # fmt: skip
    found, loader = load(path)
    assert [d.id for d in found] == ["a", "z"]
    assert [p.where for p in loader.problems] == [f"{path}:{n}" for n in (2, 4, 5, 6, 7, 8, 9)]
    assert "no text (looked for text, abstract" in str(loader.problems[2])
    assert "the line has id): name it by --text-field" in str(loader.problems[2])


def test_named_field_is_not_replaced_by_a_usual_one(tmp_path: Path) -> None:
    found, loader = load(jsonl(tmp_path, {"id": "a", "text": "A."}), fields=JsonFields(text_field="body"))
    assert not found
    assert "looked for body" in str(loader.problems[0])


def test_files_of_one_name_are_told_apart_by_their_folders(tmp_path: Path) -> None:
    for folder in ("x/one", "x/two", "x/two/below"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "a.txt").write_text(f"Text of {folder}.")
    (tmp_path / "x" / "one" / "b.txt").write_text("Text of b.")
    one, two = tmp_path / "x" / "one", tmp_path / "x" / "two"
    documents, loader = load(one / "a.txt", two / "a.txt", one / "b.txt", one / "a.txt")
    assert [d.id for d in documents] == ["one/a.txt", "two/a.txt", "b.txt"]
    documents, _ = load(one, two)
    assert [d.id for d in documents] == ["one/a.txt", "b.txt", "two/a.txt", "below/a.txt"]
    assert not loader.problems


def test_links_out_of_a_folder_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.txt").write_text("A patient's letter.")
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "a.txt").write_text("Inside.")
    (folder / "b.txt").symlink_to(tmp_path / "outside" / "secret.txt")
    (folder / "c").symlink_to(tmp_path / "outside")
    (folder / "d.txt").symlink_to(folder / "a.txt")
    documents, loader = load(folder)
    assert [d.text for d in documents] == ["Inside.", "Inside."]
    assert loader.skipped == {"link out of the folder": 2}
    assert [d.text for d in load(folder / "b.txt")[0]] == ["A patient's letter."], "one that is named is meant"


@pytest.mark.parametrize(
    "raw",
    [
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR and words enough to pass for text",
        bytes(range(128, 256)) * 9,
        "Köln".encode("utf-16-le"),
    ],
)
def test_a_binary_file_is_no_text_whatever_its_name(tmp_path: Path, raw: bytes) -> None:
    (tmp_path / "image.txt").write_bytes(raw)
    documents, loader = load(tmp_path / "image.txt")
    assert documents == []
    assert "is no text" in loader.problems[0].what


def test_latin_1_is_read_with_a_note(tmp_path: Path) -> None:
    (tmp_path / "old.txt").write_bytes("Fièvre élevée, très pénible à gérer.".encode("latin-1"))
    documents, loader = load(tmp_path / "old.txt")
    assert "tr\ufffds" in documents[0].text
    assert "is not UTF-8" in loader.problems[0].what
