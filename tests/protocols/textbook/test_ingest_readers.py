"""Every format gives the same paragraphs with their places; what is hostile or broken is refused in one sentence."""

import io
import json
import zipfile
from pathlib import Path

import pytest

from percuss.core.errors import BadInput
from percuss.protocols.textbook.ingest.funnel import sieve
from percuss.protocols.textbook.ingest.passage import Paragraph, paragraphs_of
from percuss.protocols.textbook.ingest.readers import books_of, files_of
from tests.protocols.textbook.books import CNXML, NOISE, PAGED, PROSE, epub, two_columns

PAGE = "".join(f"<p>{text}</p>" for text in PROSE)
FILES: dict[str, bytes] = {
    "a.txt": "\n\n".join(["Diuretics", *PROSE, *NOISE]).encode(),
    "a.md": "\n\n".join(
        ["# Diuretics", "## Loop", *PROSE, "| a | b |\n|---|---|\n| 1 | 2 |", *NOISE]
    ).encode(),
    "a.html": f"<html><head><title>Diuretics</title></head><body><nav>Next | Back</nav><h2>Loop</h2>{PAGE}"
    f"<table><tr><td>1</td></tr></table><p>{NOISE[1]}</p></body></html>".encode(),
    "a.epub": epub([("Loop", list(PROSE[:2])), ("Others", [PROSE[2], NOISE[2]])]),
    "a.cnxml": CNXML.format(PROSE[0], PROSE[1]).encode(),
    "a.jsonl": "\n".join(
        json.dumps(
            {
                "text": text,
                "section": "Loop",
                "book": "b",
                "module": "m1",
                "para_id": str(n),
                "licence": "CC BY 4.0",
            }
        )
        for n, text in enumerate([*PROSE, *NOISE])
    ).encode(),
}


def read(folder: Path, name: str, data: bytes) -> list[Paragraph]:
    (folder / name).write_bytes(data)
    return list(paragraphs_of(books_of(folder / name), name))


@pytest.mark.parametrize("name", FILES)
def test_prose_is_kept_and_noise_falls(name: str, tmp_path: Path) -> None:
    kept, dropped, _ = sieve(read(tmp_path, name, FILES[name]))
    texts = [one.paragraph.text for one in kept]
    expected = PROSE[:2] if name.endswith("cnxml") else PROSE
    assert [text for text in texts if text in PROSE] == list(expected)
    assert not [text for text in texts if text not in PROSE]
    assert {each.step for each in dropped} <= {"structure", "length"}


@pytest.mark.parametrize(
    ("name", "section", "licence"),
    [("a.md", "Loop", ""), ("a.html", "Loop", ""), ("a.epub", "Loop", "CC BY 4.0"), ("a.txt", "Diuretics", ""),
     ("a.cnxml", "Loop diuretics", "http://creativecommons.org/licenses/by/4.0/"), ("a.jsonl", "Loop", "CC BY 4.0")],
)  # fmt: skip
def test_a_paragraph_knows_its_place(name: str, section: str, licence: str, tmp_path: Path) -> None:
    paragraphs = read(tmp_path, name, FILES[name])
    first = next(p for p in paragraphs if p.text == PROSE[0])
    assert (first.section, first.licence, first.source) == (section, licence, name)
    whole = "\n\n".join(p.text for p in paragraphs)
    assert all(whole[p.start : p.stop] == p.text for p in paragraphs)


def test_a_pdf_of_two_columns_is_read_column_by_column(tmp_path: Path) -> None:
    paragraphs = read(tmp_path, "a.pdf", two_columns(list(PROSE)))
    assert [p.text for p in paragraphs if p.page == 2] == [PAGED.format("Two", text) for text in PROSE]
    assert {p.page for p in paragraphs} == {1, 2, 3}
    kept, dropped, _ = sieve(paragraphs)
    assert len(kept) + len([d for d in dropped if d.step == "duplicates"]) == 9


def test_cnxml_tells_exercises_figures_and_lists_inside_a_paragraph(tmp_path: Path) -> None:
    kinds = {p.name: (p.kind, p.section) for p in read(tmp_path, "a.cnxml", FILES["a.cnxml"])}
    assert kinds["e1"] == ("exercise", "Loop diuretics")
    assert kinds["f1"][0] == "caption"
    assert kinds["p3"] == ("prose", "Others")
    assert kinds["l1"] == ("list", "Others")


def test_pages_of_plain_text_are_told_by_form_feeds(tmp_path: Path) -> None:
    paragraphs = read(tmp_path, "b.txt", f"{PROSE[0]}\f{PROSE[1]}".encode())
    assert [p.page for p in paragraphs] == [1, 2]


def _bomb() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("META-INF/container.xml", b" " * 5_000_000)
    return out.getvalue()


XXE = b'<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/hostname">]><document xmlns="http://cnx.rice.edu/cnxml"><content><para>&x; %s</para></content></document>'


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [("a.epub", b"no zip", "cannot be opened as EPUB"), ("a.epub", _bomb(), "unpacks to more"), ("a.pdf", b"no", "cannot be opened as PDF"),
     ("a.cnxml", b"<open>", "cannot be read as XML"), ("a.jsonl", b'{"no": 1}', "line 1: has no text"), ("a.txt", b"a\0b", "bytes of no text")],
)  # fmt: skip
def test_what_cannot_be_read_is_said(name: str, data: bytes, words: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=words):
        read(tmp_path, name, data)


def test_no_entity_is_resolved(tmp_path: Path) -> None:
    paragraphs = read(tmp_path, "x.cnxml", XXE % PROSE[0].encode())
    assert [p.text for p in paragraphs] == [f"&x; {PROSE[0]}"]


def test_a_folder_gives_its_books_and_an_unknown_ending_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x", encoding="utf-8")
    (tmp_path / "b.docx").write_text("x", encoding="utf-8")
    assert [path.name for path in files_of(tmp_path)] == ["a.txt"]
    with pytest.raises(BadInput, match=r"ends in \.docx"):
        list(files_of(tmp_path / "b.docx"))
    with pytest.raises(BadInput, match="is not there"):
        list(files_of(tmp_path / "c.txt"))
