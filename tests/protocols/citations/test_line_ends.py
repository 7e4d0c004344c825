"""Identifiers that a line's end broke at a hyphen, and notes of a Word file that are no references."""

import io
import zipfile

import pytest

from percuss.net.client import Client
from percuss.protocols.citations.audit.document import of_text
from percuss.protocols.citations.audit.docx import read_docx
from percuss.protocols.citations.references.record import Known, Reference
from percuss.protocols.citations.references.status import Answer, Finding, decide
from percuss.protocols.citations.sources.polite import Polite
from percuss.protocols.citations.sources.resolve import ask_all, resolvers
from tests.citing import Web, work

TITLE = "A study of cells in culture and their growth"


def cited(doi: str) -> Reference:
    """Return the one entry of a document, its DOI printed over two lines."""
    text = f"So it is said [1].\n\n## References\n1. Smith J, Doe A. {TITLE}. Cell. 2020;180(1):1-10. doi:{doi}\n"
    (found,) = of_text("a.md", text).references
    return found


@pytest.mark.parametrize(
    ("printed", "read"),
    [
        ("10.1016/j.-\ncell.2020.01.001", "10.1016/j.cell.2020.01.001"),
        ("10.1136/bmj.-\nk123", "10.1136/bmj.k123"),
        ("10.1016/S0140-\n6736(19)30001-3", "10.1016/s0140-6736(19)30001-3"),
        ("10.1016/j.cell.2020.\n01.001", "10.1016/j.cell.2020.01.001"),
        ("https://doi.org/10.1186/s13-\n  017-1", "10.1186/s13-017-1"),
    ],
)
def test_a_doi_over_two_lines_is_one(printed: str, read: str) -> None:
    assert cited(printed).ids["doi"] == read


def asked(reference: Reference, *records: Known) -> Finding:
    """Decide as where Crossref has no such DOI and its search gave these."""
    return decide(
        reference,
        (
            Answer(source="crossref", by="doi", state="absent", authority=True),
            Answer(source="crossref", by="search", state="found" if records else "absent", records=records),
        ),
    )


@pytest.mark.parametrize("printed", ["10.1186/s13-\n017-1", "10.1016/j.jacc-\nheart.2020.1"])
def test_a_hyphen_that_may_be_the_lines_own_makes_no_work_nonexistent(printed: str) -> None:
    assert cited(printed).raw.isprintable(), "what a resolver is sent, and people copy, holds no mark of ours"
    finding = asked(cited(printed))
    assert finding.status == "not_located"
    assert "a hyphen at a line's end" in finding.notes[0]
    record = Known(reference=Reference(title=TITLE, year=2020, container="Cell"), source="crossref")
    finding = asked(cited(printed), record)
    assert (finding.status, finding.fields) == ("found", ())
    assert any("a hyphen at a line's end" in note for note in finding.notes)


@pytest.mark.parametrize("printed", ["10.1186/s13-017-1", "10.1016/j.-\ncell.2020.01.001"])
def test_a_doi_that_is_certain_still_decides(printed: str) -> None:
    assert asked(cited(printed)).status == "nonexistent"


@pytest.mark.parametrize(
    ("held", "printed", "status"),
    [
        ("10.5555/s13-017-1", "10.5555/s13-\n017-1", "found"),
        ("10.5555/s13017-1", "10.5555/s13-\n017-1", "found"),
        ("10.5555/j.jacc-heart.2020.1", "10.5555/j.jacc-\nheart.2020.1", "found"),
        ("10.5555/j.jaccheart.2020.1", "10.5555/j.jacc-\nheart.2020.1", "found"),
        ("10.5555/another.1", "10.5555/j.jacc-\nheart.2020.1", "nonexistent"),
    ],
)
async def test_a_registry_is_asked_for_both_spellings(held: str, printed: str, status: str) -> None:
    given = Reference(
        title=TITLE, year=2020, container="Cell", ids={"doi": held, "pmid": "7", "arxiv": "2001.00001"}
    )
    async with Web([work(3)._replace(record=given)]) as server, Client() as client:
        asked_of = resolvers(("crossref",), Polite(client, per_second=1000), server.environment())
        named = [each for each in await ask_all(cited(printed), asked_of) if each.by == "doi"]
    finding = decide(cited(printed), named)
    assert (finding.status, finding.fields) == (status, ())
    assert not any("hyphen" in note for note in finding.notes)


def test_a_note_that_is_no_reference_is_not_called_missing() -> None:
    space = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    runs = "".join(f'<w:r><w:footnoteReference w:id="{n}"/></w:r>' for n in (2, 3, 4, 9))
    entry = f"Smith J, Doe A. {TITLE}. Cell. 2020;180(1):1-10."
    numbered = "<w:p><w:pPr><w:numPr/></w:pPr>"
    body = f"<w:p><w:r><w:t>So it is said [1].</w:t></w:r>{runs}</w:p><w:p><w:r><w:t>References</w:t></w:r></w:p>"
    body += f"{numbered}<w:r><w:t>{entry}</w:t></w:r></w:p>"
    notes = {
        2: "Brown T. Tissue in culture, again. Lancet. 2019;394(1):20-30.",
        3: "Ibid., p. 12.",
        4: "Not adjusted.",
    }
    rows = "".join(
        f'<w:footnote w:id="{n}"><w:p><w:r><w:t>{said}</w:t></w:r></w:p></w:footnote>'
        for n, said in notes.items()
    )
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        archive.writestr("word/document.xml", f"<w:document {space}><w:body>{body}</w:body></w:document>")
        archive.writestr("word/footnotes.xml", f"<w:footnotes {space}>{rows}</w:footnotes>")
    found = read_docx("a.docx", held.getvalue())
    assert [each.key for each in found.references] == ["1", "f2"]
    assert found.dangling == ("[^f9]",), "only the note that isn't there"
