"""Files that mean harm are refused in a sentence, quickly; nothing in them is run or fetched."""

import time
from pathlib import Path

import pytest

from percuss.core.errors import BadInput
from percuss.protocols.citations.audit.readers import read_document
from percuss.protocols.citations.references.lists import markers
from percuss.protocols.citations.references.strings import parse
from tests.citing import pdf, vancouver, work
from tests.citing_files import W, docx, zipped


def _document(body: str) -> str:
    return f'<?xml version="1.0"?><w:document xmlns:w="{W}"><w:body>{body}</w:body></w:document>'


def _refused(path: Path, data: bytes | str) -> str:
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    started = time.process_time()
    with pytest.raises(BadInput) as caught:
        read_document(path)
    assert time.process_time() - started < 90
    return str(caught.value)


def test_zip_bomb(tmp_path: Path) -> None:
    assert "unfolds beyond" in _refused(tmp_path / "a.docx", zipped({"word/document.xml": "0" * (40 << 20)}))


def test_entities(tmp_path: Path) -> None:
    laughs = '<!DOCTYPE w [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>' + _document(
        "<w:p><w:r><w:t>&b;</w:t></w:r></w:p>"
    )
    assert "entities" in _refused(tmp_path / "a.docx", zipped({"word/document.xml": laughs}))


def test_a_macro_is_never_opened(tmp_path: Path) -> None:
    parts = {
        "word/vbaProject.bin": "Sub AutoOpen()",
        "word/document.xml": _document("<w:p><w:r><w:t>Text.</w:t></w:r></w:p>"),
    }
    (tmp_path / "a.docm").write_bytes(zipped(parts))
    assert read_document(tmp_path / "a.docm").text.strip() == "Text."


@pytest.mark.parametrize("data", [b"PK\x03\x04broken", b"", b"not a zip"])
def test_damaged_docx(data: bytes, tmp_path: Path) -> None:
    assert ".docx" in _refused(tmp_path / "a.docx", data)


def test_a_hundred_thousand_pages(tmp_path: Path) -> None:
    kids = b" ".join(b"4 0 R" for _ in range(100_000))
    data = pdf([[(50, 700, "x")]]).replace(b"/Kids [4 0 R] /Count 1", b"/Kids [" + kids + b"] /Count 100000")
    assert "pages" in _refused(tmp_path / "a.pdf", data) or "PDF" in _refused(tmp_path / "b.pdf", data)


def test_no_pdf(tmp_path: Path) -> None:
    assert "PDF" in _refused(tmp_path / "a.pdf", b"%PDF-1.7 nothing follows")


def test_scripts_and_nesting_in_html(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        "<html><body><script>References 1. Evil E. Script. 2020.</script><iframe src='http://x.invalid'></iframe>"
        + "<div>" * 3000 + f"<h2>References</h2><ol><li>{vancouver(work(1).record)}</li></ol>", encoding="utf-8",
    )  # fmt: skip
    document = read_document(tmp_path / "a.html")
    assert "Evil" not in document.text


def test_a_file_of_no_format(tmp_path: Path) -> None:
    assert "no format" in _refused(tmp_path / "a.bin", b"\x00\x01\x02" * 100)


def test_a_broken_field_is_no_reference(tmp_path: Path) -> None:
    data = docx([work(1).record, work(2).record], how="fields").replace(b"x", b"x")
    (tmp_path / "a.docx").write_bytes(data)
    assert len(read_document(tmp_path / "a.docx").references) == 2


@pytest.mark.parametrize(
    "text",
    [
        "[" * 20_000,
        "(" + "A" * 20_000,
        "Aa, " * 5_000,
        "A. " * 10_000,
        "1" * 30_000,
        "10.1000/" + "(" * 5_000,
        "[^" * 9_000,
        "A-" * 9_000,
    ],
)
def test_reading_stays_linear(text: str) -> None:
    started = time.process_time()
    markers(text)
    parse(text)
    assert time.process_time() - started < 90
