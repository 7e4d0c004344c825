"""Files that mean harm are refused in a sentence, quickly; nothing in them is run or fetched."""

import io
import time
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from percuss.cli import cli
from percuss.core.errors import BadInput
from percuss.protocols.citations.audit.library import read_library
from percuss.protocols.citations.audit.readers import read_document, read_documents
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


LAUGHS = '<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">'
LIST = f"<h2>References</h2><ol><li>{vancouver(work(1).record)}</li></ol>"
PAGE = f"<html><body><p>&b; was studied [1].</p>{LIST}</body></html>"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.html", f"<!DOCTYPE html [{LAUGHS}]>{PAGE}"),
        ("a.xhtml", f'<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x.dtd" [{LAUGHS}]>{PAGE}'),
        ("b.html", f'<!DOCTYPE html [<!ENTITY b SYSTEM "file:///etc/passwd">]>{PAGE}'),
        ("c.html", f'<!doctype html [<!entity % x SYSTEM "http://x.invalid/x.dtd"> %x;]>{PAGE}'),
        ("d.html", f"<!--{'x' * 100_000}--><!DOCTYPE html [{LAUGHS}]>{PAGE}"),
    ],
)  # fmt: skip
def test_entities_in_a_page(name: str, text: str, tmp_path: Path) -> None:
    for number, data in enumerate((text.encode(), text.encode("utf-16"), b"\xef\xbb\xbf" + text.encode())):
        said = _refused(tmp_path / name, data)
        assert "declares entities" in said, number
        assert "was not read" in said


def test_a_page_may_speak_of_entities(tmp_path: Path) -> None:
    text = "<!DOCTYPE html><html><body><pre>&lt;!DOCTYPE a [&lt;!ENTITY b 'c'&gt;]&gt;</pre>"
    (tmp_path / "a.html").write_text(f"{text}{LIST}</body></html>", encoding="utf-8")
    assert len(read_document(tmp_path / "a.html").references) == 1


@pytest.mark.parametrize(
    "text", [f"<!DOCTYPE svg [{LAUGHS}]><svg>&b;</svg>", '<?xml version="1.0"?><records/>', "<svg></svg>", "{\\rtf1 text}"]
)  # fmt: skip
def test_marks_of_no_format_that_is_read(text: str, tmp_path: Path) -> None:
    assert "no format" in _refused(tmp_path / "a.xml", text)


def test_entities_far_down_or_in_another_encoding_of_a_docx(tmp_path: Path) -> None:
    body = _document("<w:p><w:r><w:t>&b;</w:t></w:r></w:p>").partition("?>")[2]
    for text in (
        f"<!--{'x y' * 40_000}--><!DOCTYPE w [{LAUGHS}]>{body}",
        f"\ufeff<!DOCTYPE w [{LAUGHS}]>{body}",
    ):
        data = text.encode("utf-16-le") if text.startswith("\ufeff") else text.encode()
        assert "declares entities" in _refused(tmp_path / "a.docx", _zip({"word/document.xml": data}))


def _zip(parts: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def test_nesting_without_end_in_html(tmp_path: Path) -> None:
    assert "deeper than any page" in _refused(tmp_path / "a.html", "<html><body>" + "<div>" * 3000 + LIST)


@pytest.mark.parametrize("name", ["a.json", "a.ipynb"])
@pytest.mark.parametrize(
    "text", ["[" * 200_000, '[{"author":' + '{"a":' * 100_000 + "1" + "}" * 100_000 + "}]"]
)
def test_nesting_without_end_in_json(name: str, text: str, tmp_path: Path) -> None:
    assert "notebook" in (said := _refused(tmp_path / name, text)) or "nests without end" in said
    (tmp_path / "lib.jsonl").write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match=r"nests without end|is no JSON"):
        read_library(tmp_path / "lib.jsonl")


def test_nesting_without_end_in_bibtex_and_latex(tmp_path: Path) -> None:
    deep = "\\emph{" * 20_000 + "x" + "}" * 20_000
    (tmp_path / "a.bib").write_text(f"@article{{a, title = {{{deep}}}, year = {{2020}}}}", encoding="utf-8")
    assert read_document(tmp_path / "a.bib").references[0].year == 2020
    (tmp_path / "a.tex").write_text("\\bibitem" * 5_000, encoding="utf-8")
    assert read_documents([tmp_path / "a.tex"])[0].references == ()


def test_latex_that_includes_itself(tmp_path: Path) -> None:
    (tmp_path / "b.tex").write_text("\\input{a}", encoding="utf-8")
    (tmp_path / "a.tex").write_text("\\begin{document}\\include{b}\\end{document}", encoding="utf-8")
    with pytest.raises(BadInput, match="includes itself by way of a"):
        read_documents([tmp_path / "a.tex"])


def test_latex_that_includes_without_end(tmp_path: Path) -> None:
    for n in range(20):
        (tmp_path / f"p{n}.tex").write_text(f"\\input{{p{n + 1}}}" * 3, encoding="utf-8")
    with pytest.raises(BadInput, match="includes more than 500 files"):
        read_documents([tmp_path / "p0.tex"])


def test_latex_reads_nothing_outside_its_folder(tmp_path: Path) -> None:
    (tmp_path / "secret.tex").write_text("\\cite{secret}", encoding="utf-8")
    (tmp_path / "in").mkdir()
    text = "\\begin{document}\\input{../secret}\\input{/etc/passwd}\\cite{a}\\end{document}"
    (tmp_path / "in" / "a.tex").write_text(text, encoding="utf-8")
    document = read_documents([tmp_path / "in" / "a.tex"])[0]
    assert "secret" not in document.text.replace("../secret", "")
    assert document.missing == ("../secret", "/etc/passwd")


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("a.html", f"<script>References 1. Evil E. Script. 2020.</script><p onclick='x()'>t [1]</p>{LIST}", "neither run nor read"),
        ("a.pdf", pdf([[(50, 700, "x")]]).replace(b"/Type /Catalog", b"/Type /Catalog /OpenAction << /S /JavaScript /JS (x) >>"), "none of them was run"),
        ("a.docx", zipped({"word/vbaProject.bin": "Sub AutoOpen()", "word/document.xml": _document("")}), "holds macros; they were not opened"),
    ],
)  # fmt: skip
def test_what_could_run_is_said_and_left_alone(
    name: str, data: bytes | str, said: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_bytes(data if isinstance(data, bytes) else data.encode())
    words = ["citations", "audit", str(tmp_path / name)]
    printed = CliRunner().invoke(cli, words, standalone_mode=False)
    assert f"{name} holds" in printed.stdout
    assert said in printed.stdout
    assert "Evil" not in printed.stdout
    beside = CliRunner().invoke(
        cli, [*words, "--json", "--html", str(tmp_path / "out")], standalone_mode=False
    )
    assert said in beside.stderr
    assert said in (tmp_path / "out").read_text(encoding="utf-8")


def test_a_file_of_no_format(tmp_path: Path) -> None:
    assert "no format" in _refused(tmp_path / "a.bin", b"\x00\x01\x02" * 100)


def test_a_broken_field_is_no_reference(tmp_path: Path) -> None:
    data = docx([work(1).record, work(2).record], how="fields").replace(b"x", b"x")
    (tmp_path / "a.docx").write_bytes(data)
    assert len(read_document(tmp_path / "a.docx").references) == 2


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.md", "# References\n" + "abc def ghi jkl mno\n" * 60_000),
        ("a.html", "<ol>" + "<li>Smith J. A paper. 2020.</li>" * 40_000 + "</ol>"),
        ("a.nbib", "PMID- 1\nTI  - a\n" + "      bbbbbbbbb\n" * 500_000),
    ],
)
def test_long_lists_stay_linear(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    started = time.process_time()
    read_document(tmp_path / name)
    assert time.process_time() - started < 60


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
