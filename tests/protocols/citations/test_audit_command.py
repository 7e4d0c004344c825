"""`percuss citations audit`: what it prints, writes and returns; HALLMARK."""

import json
import os
import xml.etree.ElementTree as ET
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result

from percuss.cli import cli
from percuss.core.errors import UsageError
from percuss.protocols.citations.audit.audit import check_all
from percuss.protocols.citations.audit.library import Library, known_of_row, read_library
from percuss.protocols.citations.audit.readers import read_document
from percuss.protocols.citations.references.bibtex import from_fields, read_bibtex
from percuss.protocols.citations.references.status import FLAGGED
from tests.citing import Web, vancouver, work
from tests.citing_files import bib

SHARED = Path(os.environ.get("PERCUSS_SHARED") or Path(__file__).resolve().parents[4] / "shared")


def _run(*words: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(cli, ["citations", "audit", *words], input=stdin, standalone_mode=False)


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    refs = [work(n).record for n in range(6)]
    text = (
        bib(refs)
        .replace(f"year = {{{refs[2].year}}}", "year = {1999}")
        .replace(refs[4].title, "Kites over lighthouses at dusk")
    )
    (tmp_path / "refs.bib").write_text(text, encoding="utf-8")
    (tmp_path / "truth.bib").write_text(bib(refs), encoding="utf-8")
    return tmp_path / "refs.bib", tmp_path / "truth.bib"


def test_json_is_a_list_with_one_object_per_reference(files: tuple[Path, Path]) -> None:
    rows = json.loads(_run(str(files[0]), "--library", str(files[1]), "--json").stdout)
    assert [row["status"] for row in rows] == ["found", "found", "mismatch", "found", "mismatch", "found"]
    assert {"key", "status", "fields", "compared", "candidate", "note"} <= set(rows[0])
    assert (rows[2]["fields"], rows[4]["fields"]) == (["year"], ["title"])
    assert str(work(2).record.year) in rows[2]["candidate"]


def test_exit_codes_and_gates(files: tuple[Path, Path]) -> None:
    library = ("--library", str(files[1]))
    assert _run(str(files[0]), *library).return_value == 0
    assert _run(str(files[0]), *library, "--fail-if", "mismatch>0").return_value == 3
    assert _run(str(files[0]), *library, "--fail-if", "nonexistent>0").return_value == 0
    for words in (
        ("--fail-if", "mismatches>0"),
        ("--fix", str(files[0])),
        ("--offline", "--resolve", "crossref"),
        ("--resolve", "gopher"),
    ):
        assert isinstance(_run(str(files[0]), *words).exception, UsageError), words
    assert isinstance(_run("nowhere.bib").exception, UsageError)


def test_the_fixed_copy_is_right_and_the_original_untouched(files: tuple[Path, Path], tmp_path: Path) -> None:
    before = files[0].read_bytes()
    _run(str(files[0]), "--library", str(files[1]), "--fix", str(tmp_path / "out.bib"))
    assert files[0].read_bytes() == before
    fixed = read_bibtex((tmp_path / "out.bib").read_text(encoding="utf-8"))
    assert {f.status for f in check_all(fixed, [read_library(files[1])])} == {"found"}
    assert [each.key for each in fixed] == [f"w{n}" for n in range(6)]


def test_a_chat_answer_by_standard_input(files: tuple[Path, Path]) -> None:
    answer = f"Velustatin helps ({work(2).record.ids['doi']}). So does rest (doi:10.5555/planted.9999)."
    rows = json.loads(_run("-", "--library", str(files[1]), "--complete", "--json", stdin=answer).stdout)
    assert [row["status"] for row in rows] == ["found", "nonexistent"]


def test_a_case_is_shown_whole_and_what_is_lacking_is_named(files: tuple[Path, Path], tmp_path: Path) -> None:
    text = "Text [1, 2].\n\n## References\n1. Roe v. Wade, 410 U.S. 113 (1973).\n2. Doe A. Rest. BMJ. 2019;366:l4898. doi:10.1136/bmj.l4898\n"
    (tmp_path / "a.md").write_text(text, encoding="utf-8")
    said = _run(str(tmp_path / "a.md"), "--library", str(files[1]), "--complete").stdout
    assert "[1] nonexistent: Roe v. Wade, 410 U.S. 113 (1973)." in said
    assert "truth has no legal citation 410 U.S. 113" in said
    assert "truth has no doi 10.1136/bmj.l4898" in said


def test_html_sarif_and_junit(files: tuple[Path, Path], tmp_path: Path) -> None:
    paths = {name: tmp_path / f"out.{name}" for name in ("html", "sarif", "junit")}
    _run(
        str(files[0]),
        "--library",
        str(files[1]),
        *[word for name, path in paths.items() for word in (f"--{name}", str(path))],
    )
    sarif = json.loads(paths["sarif"].read_bytes())
    assert sarif["version"] == "2.1.0"
    assert len(sarif["runs"][0]["results"]) == 2
    suite = ET.fromstring(paths["junit"].read_text(encoding="utf-8"))
    assert (suite.get("tests"), suite.get("failures")) == ("6", "2")
    page = paths["html"].read_text(encoding="utf-8")
    assert "mismatch:year" in page
    assert (
        "http" not in page.replace("https://doi.org", "").replace("http://www.w3.org", "")
        or "src=" not in page
    )


def test_html_escapes_what_it_shows(tmp_path: Path) -> None:
    (tmp_path / "a.bib").write_text(
        "@misc{x, title = {<img src=a onerror=alert(1)>}, year = {2093}}", encoding="utf-8"
    )
    _run(str(tmp_path / "a.bib"), "--html", str(tmp_path / "out.html"))
    assert "<img" not in (tmp_path / "out.html").read_text(encoding="utf-8")


def test_what_a_source_denies_is_in_every_output(tmp_path: Path) -> None:
    each = work(2)
    row = {"bibtex_type": "article", "fields": {**_fields(2), "abstract": " ".join(each.facts)}}
    (tmp_path / "lib.jsonl").write_text(json.dumps(row), encoding="utf-8")
    claim = each.facts[1].removesuffix(".")
    text = f"{claim} [1]. {claim.replace(' mg', '0 mg')} [1].\n\n## References\n1. {vancouver(each.record)}\n"
    (tmp_path / "a.md").write_text(text, encoding="utf-8")
    (tmp_path / "b.md").write_text("Nothing is cited here.\n", encoding="utf-8")
    paths = {name: tmp_path / f"out.{name}" for name in ("html", "sarif", "junit")}
    done = _run(
        str(tmp_path / "a.md"), str(tmp_path / "b.md"), "--library", str(tmp_path / "lib.jsonl"), "--content", "--json",
        "--fail-if", "content_no>0", *[word for name, path in paths.items() for word in (f"--{name}", str(path))],
    )  # fmt: skip
    assert done.return_value == 3
    (row,) = json.loads(done.stdout)
    assert [line["label"] for line in row["content"]] == ["yes", "no"]
    (result,) = json.loads(paths["sarif"].read_bytes())["runs"][0]["results"]
    assert (result["ruleId"], result["level"]) == ("content_contradicted", "error")
    suite = ET.fromstring(paths["junit"].read_text(encoding="utf-8"))
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("3", "1", "0")
    assert len(suite.findall(".//failure")) == 1
    assert "a.md [1]" in paths["html"].read_text(encoding="utf-8"), "of several files it is said which one"


async def test_resolvers_say_what_leaves_and_what_was_sent(files: tuple[Path, Path], tmp_path: Path) -> None:
    import asyncio

    async with Web([work(n) for n in range(6)]) as server:
        cache = str(tmp_path / "cache")
        words = (str(files[0]), "--resolve", "crossref", "--mail", "a@example.org", "--cache", cache)
        runner = CliRunner(env=server.environment())
        done = await asyncio.to_thread(
            runner.invoke, cli, ["citations", "audit", *words], standalone_mode=False
        )
        again = await asyncio.to_thread(
            runner.invoke, cli, ["citations", "audit", *words], standalone_mode=False
        )
        assert any("mailto=a" in asked for asked in server.asked)
        rows = await asyncio.to_thread(
            runner.invoke, cli, ["citations", "audit", *words, "--json"], standalone_mode=False
        )
    count = len(json.loads(rows.stdout))
    assert "never the document or its name" in done.stderr
    assert f"asking {count} of {count}" in done.stderr, "a long audit says how far it is"
    assert "asking" not in done.stdout
    assert f"asking {count} of" not in rows.stderr
    assert "bytes in" in done.stdout
    assert "sent: 0 bytes in 0 requests" in again.stdout


def test_five_hundred_references_offline(tmp_path: Path) -> None:
    refs = [work(n).record for n in range(500)]
    (tmp_path / "refs.bib").write_text(bib(refs), encoding="utf-8")
    library = Library([known_of_row({"bibtex_type": "article", "fields": _fields(n)}) for n in range(500)])
    findings = check_all(read_document(tmp_path / "refs.bib").references, [library])
    assert len(findings) == 500
    assert {finding.status for finding in findings} == {"found"}


def _fields(n: int) -> dict[str, str]:
    record = work(n).record
    names = " and ".join(str(name) for name in record.authors)
    return {
        "title": record.title,
        "author": names,
        "year": str(record.year),
        "journal": record.container,
        "doi": record.ids["doi"],
    }


@pytest.mark.parametrize("drop", [0.0, 0.3])
def test_hallmark(drop: float, capsys: pytest.CaptureFixture[str]) -> None:
    """The library holds the truth of the valid entries: not like for like with tools that ask live services."""
    import random

    folder = SHARED / "data" / "hallmark"
    if not folder.exists():
        pytest.skip("HALLMARK is not beside this checkout (PERCUSS_SHARED)")
    rows = [msgspec.json.decode(line) for line in (folder / "dev_public.jsonl").read_bytes().splitlines()]
    draws = random.Random(1)
    truth = [
        line for line in (folder / "authority.jsonl").read_bytes().splitlines() if draws.random() >= drop
    ]
    library = Library([known_of_row(msgspec.json.decode(line)) for line in truth])
    findings = check_all([from_fields(row["bibtex_type"], row["fields"]) for row in rows], [library])
    flagged = [finding.status in FLAGGED for finding in findings]
    wrong = [flag for flag, row in zip(flagged, rows, strict=True) if row["label"] != "VALID"]
    valid = [f.status for f, row in zip(findings, rows, strict=True) if row["label"] == "VALID"]
    alarms = sum(status in FLAGGED - ({"not_located"} if drop else set()) for status in valid)
    with capsys.disabled():
        print(
            f"\nHALLMARK, {drop:.0%} of the authority gone: {sum(wrong) / len(wrong):.3f} found, {alarms / len(valid):.3f} false alarms",
            end="",
        )
    assert sum(wrong) >= 0.95 * len(wrong)
    assert alarms <= (0.02 if drop else 0.01) * len(valid)
