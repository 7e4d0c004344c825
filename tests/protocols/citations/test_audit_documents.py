"""330 planted faults in 15 files of every format, and their clean twins; PDF layouts; the document against itself."""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import structs

from percuss.protocols.citations.audit.audit import audit
from percuss.protocols.citations.audit.issues import issues_of
from percuss.protocols.citations.audit.library import Library
from percuss.protocols.citations.audit.readers import read_document, read_documents
from percuss.protocols.citations.audit.report import AuditReport, ReferenceLine
from percuss.protocols.citations.references.names import surname
from percuss.protocols.citations.references.record import Known, Name, Reference
from percuss.protocols.citations.references.titles import same_title
from tests.citing import STYLES, known, paper, work
from tests.citing_files import NAMES, body, write_all

PER_FILE = 22
STRANGER = Name(family="Quillfeather", given="Bartholomew")
OTHER_GROUP = Name(family="Harbour Diabetes Consortium", literal=True)


def _year(r: Reference, n: int) -> Reference:
    return structs.replace(r, year=(r.year or 0) - 3 - n % 2)


def _author(r: Reference, n: int) -> Reference:
    del n
    return structs.replace(r, authors=(OTHER_GROUP if r.authors[0].literal else STRANGER, *r.authors[1:]))


def _title(r: Reference, n: int) -> Reference:
    words = r.title.split(" ")
    words[0] = ("Placebo", "Surgery", "Acupuncture")[n % 3]
    return structs.replace(r, title=" ".join(words))


def _pages(r: Reference, n: int) -> Reference:
    first = 7001 + n * 20
    return structs.replace(r, pages=f"{first}-{first + 9}")


def _container(r: Reference, n: int) -> Reference:
    del n
    return structs.replace(r, container="Quarterly Review of Balneology")


def _volume(r: Reference, n: int) -> Reference:
    del n
    return structs.replace(r, volume=str(int(r.volume) + 150))


def _identifier(r: Reference, n: int) -> Reference:
    return structs.replace(r, ids={**r.ids, "doi": work(900 + n).record.ids["doi"]})


def _unknown(r: Reference, n: int) -> Reference:
    title = f"Unheard remedies number {n} against melancholy among lighthouse keepers"
    return structs.replace(r, title=title, authors=(STRANGER,), ids={})


def _future(r: Reference, n: int) -> Reference:
    del n
    return structs.replace(r, year=2093)


FAULTS: dict[str, Callable[[Reference, int], Reference]] = {
    "year": _year, "author": _author, "title": _title, "pages": _pages, "container": _container, "volume": _volume,
    "identifier": _identifier, "not_located": _unknown, "future": _future, "retracted": lambda r, n: r, "duplicate": lambda r, n: r,
}  # fmt: skip
ONCE = {"m.docx"}  # a citation field repeats its item each time that the work is cited
WITHOUT_DOI = {"g.txt", "j.tex", "l.docx", "o.pdf"}


def _planted() -> tuple[
    dict[str, list[Reference]], dict[str, list[str]], dict[str, list[Reference]], Library
]:
    faulty: dict[str, list[Reference]] = defaultdict(list)
    kinds: dict[str, list[str]] = defaultdict(list)
    clean: dict[str, list[Reference]] = defaultdict(list)
    records: list[Known] = [known(work(900 + n)) for n in range(400)]
    for f, name in enumerate(NAMES):
        left_out = {"identifier"} if name in WITHOUT_DOI else {"duplicate"} if name in ONCE else set()
        names = [fault for fault in FAULTS if fault not in left_out]
        for n in range(PER_FILE):
            number = f * PER_FILE + n
            kind = names[n % len(names)]
            each = work(number)
            record = known(each._replace(state="retracted" if kind == "retracted" else ""))
            records.append(record)
            clean[name].append(each.record)
            faulty[name].append(FAULTS[kind](each.record, number))
            kinds[name].append(kind)
            if kind == "duplicate":
                faulty[name][-1] = structs.replace(clean[name][n - 1], key=each.record.key)
    return faulty, kinds, clean, Library(records)


def _flagged(kind: str, line: ReferenceLine | None, report: AuditReport, key: str) -> bool:
    if kind == "duplicate":
        return any(issue.kind == "duplicate" and key in issue.keys for issue in report.issues)
    if line is None:
        return False
    finding = line.finding
    if kind in {"not_located", "retracted"}:
        return finding.status == kind
    if kind == "future":
        return finding.status in {"mismatch", "malformed"} and "year" in finding.fields
    return finding.status == "mismatch" and kind in finding.fields


def _line_of(report: AuditReport, cited: Reference, place: int) -> ReferenceLine | None:
    keyed = [line for line in report.lines if line.reference.key == cited.key]
    if keyed:
        return keyed[0]
    same = [line for line in report.lines if line.reference.key == str(place)]
    return (
        same[0]
        if same
        else next((line for line in report.lines if same_title(line.reference.title, cited.title)), None)
    )


@pytest.mark.slow
def test_planted_faults_in_every_format(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    faulty, kinds, clean, library = _planted()
    recall: Counter[str] = Counter()
    planted: Counter[str] = Counter()
    missed: list[tuple[object, ...]] = []
    alarms: list[tuple[object, ...]] = []
    read: dict[str, float] = {}
    for name, paths in write_all(tmp_path / "faulty", faulty).items():
        report = asyncio.run(audit(read_documents(paths), [library]))
        for place, (cited, kind) in enumerate(zip(faulty[name], kinds[name], strict=True), start=1):
            planted[kind] += 1
            line = _line_of(report, cited, place)
            key = line.reference.key if line else cited.key
            found = _flagged(kind, line, report, key)
            recall[kind] += found
            if not found:
                missed.append((name, kind, cited.title, line and line.finding.word, line and line.reference))
    spotless = Library([known(work(n)) for n in range(1300)])
    for name, paths in write_all(tmp_path / "clean", clean).items():
        report = asyncio.run(audit(read_documents(paths), [spotless]))
        read[name] = len(report.lines) / PER_FILE
        alarms += [
            (name, line.finding.word, line.finding.notes)
            for line in report.lines
            if line.finding.status != "found"
        ]
        alarms += [(name, issue.kind, issue.note) for issue in report.issues]
    total = len(NAMES) * PER_FILE
    with capsys.disabled():
        print(
            f"\n{sum(planted.values())} planted faults in {len(NAMES)} files; false alarms on clean twins {len(alarms)} of {total}"
        )
        print("  " + ", ".join(f"{kind} {recall[kind]}/{planted[kind]}" for kind in planted))
        print("  references read: " + ", ".join(f"{name} {share:.2f}" for name, share in read.items()))
    assert sum(planted.values()) >= 300
    for kind in planted:
        assert recall[kind] >= 0.98 * planted[kind], (kind, [m for m in missed if m[1] == kind])
    assert len(alarms) <= 0.01 * total, alarms
    assert all(share == 1 for name, share in read.items() if not name.endswith((".docx", ".pdf"))), read
    assert all(share >= 0.98 for name, share in read.items() if name.endswith(".docx")), read


@pytest.mark.slow
def test_thirty_pdfs_by_layout(capsys: pytest.CaptureFixture[str]) -> None:
    from percuss.protocols.citations.audit.pdf import read_pdf

    shares: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for n in range(30):
        columns, style = 1 + n % 2, list(STYLES)[n // 2 % 5]
        hanging = n % 4 >= 2 and style in {"apa", "nature"}
        refs = [work(n * 20 + each).record for each in range(20)]
        marks = ["" if hanging else f"[{place}] " if n % 3 else f"{place}. " for place in range(1, 21)]
        entries = [mark + STYLES[style](r).replace("*", "") for mark, r in zip(marks, refs, strict=True)]
        document = read_pdf(
            "a.pdf", paper(body(refs).split("\n\n"), entries, columns=columns, hanging=hanging)
        )
        counts = shares[f"{columns} column{'s' * (columns - 1)}"]
        for r in refs:
            held = next((each for each in document.references if same_title(each.title, r.title)), None)
            near = held or next(
                (each for each in document.references if r.title.split(":")[0] in each.raw), None
            )
            counts[0] += 1
            counts[1] += near is not None
            counts[2] += held is not None and held.year == r.year and _first(held) == _first(r)
    with capsys.disabled():
        for layout, (n, found, right) in shares.items():
            print(
                f"\n  PDF, {layout}: found {found / n:.3f}, title, first author and year right in {right / found:.3f} of found",
                end="",
            )
    assert shares["1 column"][1] >= 0.95 * shares["1 column"][0]
    assert shares["2 columns"][1] >= 0.90 * shares["2 columns"][0]
    assert all(right >= 0.95 * found for _, found, right in shares.values())


def _first(r: Reference) -> str:
    """First surname, folded: a Western font prints no Ł."""
    return surname(r.authors[0]) if r.authors else ""


def test_a_pdf_that_cannot_be_cut_says_so() -> None:
    from percuss.protocols.citations.audit.pdf import read_pdf
    from tests.citing import pdf

    run_on = (
        "smith said in 2001 that doe in 2002 and roe in 2003 and poe in 2004 saw it, in 2005 too, then 2006, 2007, 2008 "
        * 12
    )
    document = read_pdf("a.pdf", paper(["Some text."], [run_on]))
    assert document.problem.startswith("layout:")
    assert [issue.kind for issue in issues_of(document)] == ["not_checkable"]
    assert read_pdf("b.pdf", pdf([[]])).problem == "layout: no text in the PDF (scanned pages?)"


def test_a_document_against_itself(tmp_path: Path) -> None:
    text = (
        "Aspirin works [1, 2]. Statins work too [9].\n\n## References\n"
        "1. Smith J, Doe A. Aspirin in older adults. Lancet. 2019;1:22-3. doi:10.1000/abc\n"
        "2. Doe A. Other things entirely. BMJ. 2015;3:4-5. doi:10.1000/abc\n"
        "3. Smith J, Doe A. Aspirin in older adults. Lancet. 2019;1:22-3.\n"
    )
    (tmp_path / "a.md").write_text(text, encoding="utf-8")
    kinds = Counter(issue.kind for issue in issues_of(read_document(tmp_path / "a.md")))
    assert kinds == {"cited_not_listed": 1, "listed_not_cited": 1, "duplicate": 1, "two_titles": 1}


@pytest.mark.parametrize(
    ("titles", "kind"),
    [
        (("Aspirin and stroke", "Aspirin in stroke: another"), "two_titles"),
        (("Long-form factuality in models", "Short-form factuality in models"), "two_titles"),
        (("Aspirin and stroke", "Aspirin and stroke: a trial"), "duplicate"),
        (("Tumour growth in adults", "Tumor growth in adults"), "duplicate"),
    ],
)
def test_entries_that_share_a_doi_are_one_work_or_have_two_titles(
    titles: tuple[str, str], kind: str, tmp_path: Path
) -> None:
    entries = (
        f"@article{{k{n}, title={{{title}}}, author={{Smith, John}}, journal={{BMJ}}, year={{2019}}, doi={{10.1000/abc}}}}"
        for n, title in enumerate(titles)
    )
    (tmp_path / "a.bib").write_text("\n".join(entries), encoding="utf-8")
    issues = issues_of(read_document(tmp_path / "a.bib"))
    assert [(issue.kind, issue.keys) for issue in issues] == [(kind, ("k0", "k1"))]
