"""What came out when `percuss citations audit` was tried on files as people have them: each row was wrong once."""

import json
from pathlib import Path

import pytest

from percuss.cli import main
from percuss.core.errors import BadInput
from percuss.protocols.citations.audit.document import of_text
from percuss.protocols.citations.audit.issues import issues_of
from percuss.protocols.citations.audit.readers import read_document, read_documents
from percuss.protocols.citations.references.strings import parse
from tests.citing import nature, paper, vancouver, work
from tests.citing_files import bib, body

WRAPPED = """Sepsis is common (Odum et al., 2016). Care helps (Evans et al., 2021), as van der Berg et al. (2017) say. The WHO (2020) agrees, and so
does NICE (2016); Garcés-Márquez and O'Neill (2018) reviewed it. Nobody listed Rhodes et al. (2017).

References

Evans, L., Rhodes, A., Alhazzani, W., et al. (2021). A campaign against sepsis: what to do in the first hour and in
    the days after it. Intensive Care, 47(11), 1181-1247. https://doi.org/10.5555/s00134-021-
    06506-y
Garcés-Márquez, A., & O'Neill, B. (2018). Sepsis en urgencias: una revisión. Emergencias, 30(2), 12-20.
NICE. (2016). Sepsis: recognition and early management. London: NICE.
Odum, M., Deutsch, C. S., & Seymour, C. W. (2016). New definitions of sepsis. JAMA, 315(8), 801-810.
van der Berg, T., van de Veer, F. L., & Scicluna, B. P. (2017). The immunopathology of sepsis. Nature Reviews, 17(7), 407-420.
World Health Organization. (2020). Global report on the burden of sepsis. Geneva: WHO.
"""


def test_a_wrapped_list_with_particles_and_bodies_is_cut_at_its_entries() -> None:
    document = of_text("a.txt", WRAPPED)
    assert [each.key for each in document.references] == [
        "Evans 2021", "Garcés-Márquez 2018", "NICE 2016", "Odum 2016", "van der Berg 2017", "World Health Organization 2020",
    ]  # fmt: skip
    assert document.references[0].ids == {"doi": "10.5555/s00134-021-06506-y"}
    assert [issue.note for issue in issues_of(document)] == [
        "Rhodes et al. (2017) points at no entry of the list"
    ]


def test_a_notebook_is_read_by_its_text_cells(tmp_path: Path) -> None:
    text = [
        "Statins help [1,2].\n",
        "\n",
        "## References\n",
        "1. Odum P. Statins in adults. Lancet 2019;1:2-9.\n",
    ]
    cells = [{"cell_type": "markdown", "source": text}, {"cell_type": "code", "source": "seen[7]"}]
    (tmp_path / "a.ipynb").write_text(json.dumps({"cells": cells, "nbformat": 4}))
    document = read_document(tmp_path / "a.ipynb")
    assert [each.title for each in document.references] == ["Statins in adults"]
    assert [issue.note for issue in issues_of(document)] == ["2 in [1,2] points at no entry of the list"]
    (tmp_path / "b.ipynb").write_text('{"worksheets": []}')
    with pytest.raises(BadInput, match="is no notebook"):
        read_document(tmp_path / "b.ipynb")


def test_of_several_numbers_only_the_one_without_entry_is_named() -> None:
    text = "Statins help [1] and lower LDL [1,2].\n\nReferences\n1. Odum P. Statins in adults. Lancet 2019;1:2-9.\n"
    assert [issue.note for issue in issues_of(of_text("a.md", text))] == [
        "2 in [1,2] points at no entry of the list"
    ]


def test_a_badge_is_no_reference_and_a_link_ends_before_its_bracket() -> None:
    text = "[![CI](https://img.example.org/badge/ci-ok-green)](https://code.example.org/x/actions)\n\nIt follows (see [this](https://example.org/a_(b)))."
    kept = [each.raw for each in of_text("README.md", text).references]
    assert kept == ["https://example.org/a_(b)"]


@pytest.mark.parametrize(
    "title",
    ["Edoxaban versus warfarin in atrial fibrillation", "Edema of the ankles and what to do", "Editing genes in adults"],
)  # fmt: skip
def test_a_title_that_begins_like_the_word_editor_stays_whole(title: str) -> None:
    assert parse(f"Odum CB, Dyar L. {title}. Lancet 2019;1:2-9.").title == title


def audited(*words: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    """Run the command; return its exit code, what it printed, and what it complained of."""
    with pytest.raises(SystemExit) as ended:
        main(["citations", "audit", *words])
    out = capsys.readouterr()
    return int(ended.value.code or 0), out.out, out.err


def test_bad_input_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    noise, text, bib = tmp_path / "noise.txt", tmp_path / "none.txt", tmp_path / "refs.bib"
    noise.write_bytes(b"\x00\x01\x02" * 100)
    text.write_text("Hello, nothing is cited here at all.\n", encoding="utf-8")
    bib.write_text("@article{broken, title={From, year={2020}}\n@article{ok, title={Masks and viruses}, year={2020}}", "utf-8")  # fmt: skip
    for words, sentence in (
        ((str(noise),), "holds no text that can be read"),
        ((str(tmp_path),), "is a folder; expected a file"),
        ((str(text), "--html", str(tmp_path / "no" / "a.html")), "expected a file in a folder that is there"),
        ((str(text), "--resolve", "crossrefs"), "--resolve got 'crossrefs'"),
    ):
        code, out, err = audited(*words, capsys=capsys)
        assert code == 2
        assert not out
        assert sentence in err
        assert len(err.splitlines()) == 1
    code, out, _ = audited(str(text), capsys=capsys)
    assert code == 0
    assert "no reference was found" in out
    code, out, err = audited(str(bib), capsys=capsys)
    assert code == 0
    assert "the BibTeX entry cannot be read" in out
    assert not err


def test_markdown_that_cites_by_key_is_read_against_its_bib(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paper, refs, again = tmp_path / "paper.md", tmp_path / "refs.bib", tmp_path / "named.md"
    text = "Masks help [see @odum2020, p. 3; @nobody2019], as -@dyar2018 says. Write to @somebody.\n\n```\n[@code]\n```\n"
    paper.write_text(text, encoding="utf-8")
    again.write_text(f"---\nbibliography: refs.bib\n---\n{text}", encoding="utf-8")
    refs.write_text("@article{odum2020, title={Masks}, year={2020}}\n@book{dyar2018, title={Fevers of old}, year={2018}}\n@book{spare, title={A book more}, year={2001}}\n", encoding="utf-8")  # fmt: skip
    for words in ((str(paper), str(refs)), (str(refs), str(paper)), (str(again),)):
        code, out, _ = audited(*words, capsys=capsys)
        assert code == 0
        assert "3 references" in out
        issues = [line.strip() for line in out.splitlines() if "listed" in line]
        assert issues == [
            "cited_not_listed: nobody2019 points at no entry of the list",
            "listed_not_cited: spare is listed and cited nowhere",
        ]


def test_a_record_of_ris_without_its_end_is_read(tmp_path: Path) -> None:
    """Found by hand: the last record of a file that was cut off, and one before the next "TY", were left out in silence."""
    text = "TY  - JOUR\nAU  - Smith, J\nTI  - One\nTY  - JOUR\nTI  - Two\nER  - \n\nTY  - BOOK\nTI  - Three\n"
    (tmp_path / "a.ris").write_text(text, encoding="utf-8")
    assert [each.title for each in read_document(tmp_path / "a.ris").references] == ["One", "Two", "Three"]
    (tmp_path / "b.ris").write_text("hello\n", encoding="utf-8")
    with pytest.raises(BadInput, match="no RIS record"):
        read_document(tmp_path / "b.ris")


def test_what_an_included_file_cites_is_cited(tmp_path: Path) -> None:
    """Found by hand: a paper in several files had nearly all of its list "cited nowhere"."""
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "one.tex").write_text(r"Text \cite{b}. % \input{gone}", encoding="utf-8")
    (tmp_path / "a.bib").write_text(
        bib([work(1).record, work(2).record]).replace("w1", "a").replace("w2", "b"), encoding="utf-8"
    )
    main = r"\input{macros}\begin{document}Text \cite{a}. \include{parts/one}\bibliography{a}"
    (tmp_path / "a.tex").write_text(main, encoding="utf-8")
    document = read_documents([tmp_path / "a.tex"])[0]
    assert issues_of(document) == ()
    given = read_documents([tmp_path / "parts" / "one.tex", tmp_path / "a.tex", tmp_path / "a.bib"])
    assert [each.name for each in given] == ["a.tex"], (
        "a part given beside its main file is no document of its own"
    )
    (tmp_path / "a.tex").write_text(main + r"\input{lost}", encoding="utf-8")
    (tmp_path / "a.bib").write_text(
        bib([work(n).record for n in range(4)]).replace("w1", "a").replace("w2", "b"), encoding="utf-8"
    )
    notes = [issue.note for issue in issues_of(read_documents([tmp_path / "a.tex"])[0])]
    assert notes == [
        "lost is included and was not read (not in this folder): what is listed and cited nowhere can't be told"
    ]


def test_a_web_page_as_xhtml_and_in_two_byte_letters(tmp_path: Path) -> None:
    """Found by hand: XHTML was read as plain text, its name space as a reference; UTF-16 as nothing."""
    page = f'<html xmlns="http://www.w3.org/1999/xhtml"><body><p>A [1].</p><h2>References</h2><ol><li>{vancouver(work(1).record)}</li></ol></body></html>'
    (tmp_path / "a.xhtml").write_text(f'<?xml version="1.0"?>{page}', encoding="utf-8")
    (tmp_path / "saved").write_text(f'<?xml version="1.0"?><!-- saved -->{page}', encoding="utf-8")
    (tmp_path / "b.html").write_bytes(page.encode("utf-16"))
    for name in ("a.xhtml", "saved", "b.html"):
        assert [each.title for each in read_document(tmp_path / name).references] == [work(1).record.title], (
            name
        )


@pytest.mark.parametrize("n", [8, 15, 23])
def test_a_short_second_column_of_the_last_page_is_read_after_the_first(n: int, tmp_path: Path) -> None:
    """Found by hand: its lines were read between those of the first column, and the last entries were lost."""
    refs = [work(number).record for number in range(n)]
    listed = [f"[{number}] {nature(each)}" for number, each in enumerate(refs, start=1)]
    (tmp_path / "a.pdf").write_bytes(paper(body(refs).split("\n\n"), listed, columns=2))
    document = read_document(tmp_path / "a.pdf")
    assert [each.title for each in document.references] == [each.title for each in refs]
    assert issues_of(document) == ()


def test_standard_input_is_told_by_its_first_bytes() -> None:
    """Found by hand: a PDF or .bib by way of a pipe was read as a text without references."""
    refs = [work(1).record, work(2).record]
    listed = [f"[{number}] {nature(each)}" for number, each in enumerate(refs, start=1)]
    note = f"<!-- drafted by a model -->\nText [1].\n\n## References\n1. {vancouver(refs[0])}\n"
    for data, n in (
        (bib(refs).encode(), 2),
        (paper(["Text [1, 2]."], listed), 2),
        (note.encode(), 1),
        (b"no source", 0),
    ):
        (document,) = read_documents(["-"], standard_input=data)
        assert (document.name, len(document.references)) == ("stdin", n)
    with pytest.raises(BadInput, match="standard input: is of no format"):
        read_documents(["-"], standard_input=b"\x00\x01" * 50)
