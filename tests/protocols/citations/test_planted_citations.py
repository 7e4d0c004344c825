"""225 planted citations against registries and pages on this machine: recall and precision per class."""

from collections import Counter
from pathlib import Path

import pytest
from msgspec import structs

from percuss.net.client import Client
from percuss.protocols.citations.audit.audit import Online, check_one
from percuss.protocols.citations.content.rule import check_content
from percuss.protocols.citations.references.record import Name, Reference
from percuss.protocols.citations.references.strings import parse
from percuss.protocols.citations.sources.archive import Archive
from percuss.protocols.citations.sources.fetch import Pages
from percuss.protocols.citations.sources.polite import Polite
from percuss.protocols.citations.sources.resolve import resolvers
from percuss.protocols.citations.sources.web_search import Serper
from tests.citing import STYLES, Hurried, Web, Work, vancouver, work

N = 25
STRANGER = Name(family="Quillfeather", given="Bartholomew")
OTHER_GROUP = Name(family="Harbour Diabetes Consortium", literal=True)
BROKEN = frozenset(f"10.5555/planted.{number:04d}" for number in range(7 * N, 7 * N + 10))


def _wrong_title(r: Reference) -> Reference:
    first = r.title.split(" ")[0]
    return structs.replace(
        r, title=r.title.replace(first, "Placebo").replace("a randomised trial", "an audit")
    )


def planted() -> list[tuple[str, Reference, Work | None]]:
    """Return (class, citation, its work) in 9 classes of 25."""
    rows: list[tuple[str, Reference, Work | None]] = []
    styles = list(STYLES.values())
    for n in range(N):
        right, year, author, title, page, content, retracted, gone = (work(N * c + n) for c in range(8))
        rows.append(("right", parse(styles[n % 5](right.record)), right))
        changed = structs.replace(year.record, year=(year.record.year or 0) - 3)
        rows.append(("wrong_year", parse(styles[n % 5](changed)), year))
        other = OTHER_GROUP if author.record.authors[0].literal else STRANGER
        people = structs.replace(author.record, authors=(other, *author.record.authors[1:]))
        rows.append(("wrong_author", parse(styles[n % 5](people)), author))
        rows.append(("wrong_title", parse(vancouver(_wrong_title(title.record))), title))
        first = int(page.record.pages.split("-")[0]) + 4321
        paged = structs.replace(page.record, pages=f"{first}-{first + 9}")
        rows.append(("wrong_page", parse(styles[n % 5](paged)), page))
        rows.append(("wrong_content", parse(styles[n % 5](content.record)), content))
        rows.append(("retracted", parse(vancouver(retracted.record)), retracted))
        nowhere = structs.replace(
            gone.record, title=f"Unheard remedies number {n} against melancholy among lighthouse keepers",
            ids={"doi": f"10.5555/nowhere.{n:04d}"}, authors=(STRANGER,),
        )  # fmt: skip
        rows.append(("nonexistent", parse(vancouver(nowhere)), None))
        rows.append(("unreachable", _unreachable(n), None))
    return rows


def _unreachable(n: int) -> Reference:
    paths = (
        "slow",
        "status/403",
        "status/404",
        "status/500",
        "loop",
        "huge",
        "login",
        "private",
        "status/401",
        "status/410",
    )
    if n % 5 == 4:
        return Reference(ids={"doi": sorted(BROKEN)[n % len(BROKEN)]}, kind="article")
    if n % 5 == 3:
        return Reference(
            ids={"url": f"nowhere-{n}.invalid/a"}, raw=f"http://nowhere-{n}.invalid/a", kind="web"
        )
    return Reference(
        title="", ids={"url": f"HOST/{paths[n % 10]}/{n}"}, raw=f"http://HOST/{paths[n % 10]}/{n}", kind="web"
    )


async def _statuses(server: Web, tmp_path: Path) -> list[tuple[str, str, str]]:
    archive = Archive(tmp_path / "archive")
    async with Client() as client, Hurried(server.place) as fetcher:
        polite = Polite(client, archive=archive, per_second=2000, tries=1)
        pages = Pages(archive, fetcher)
        asked = resolvers(("crossref", "openalex", "pubmed"), polite, server.environment())
        online = Online(asked, polite, pages)
        out: list[tuple[str, str, str]] = []
        for kind, drawn, source in planted():
            cited = structs.replace(
                drawn,
                raw=drawn.raw.replace("HOST", server.place),
                ids={k: v.replace("HOST", server.place) for k, v in drawn.ids.items()},
            )
            finding = check_one(cited, [], await online.ask(cited))
            said = finding.word
            if finding.status == "found" and source is not None:
                said = await _content(kind, source, server, polite, pages)
            out.append((kind, said, finding.status))
        return out


async def _content(kind: str, source: Work, server: Web, polite: Polite, pages: Pages) -> str:
    """Search the web index for the work, read its page, and check what it is cited for."""
    serper = Serper(polite, base_url=f"{server.url}/serper")
    hits = await serper.search(source.record.title)
    text = await pages.text(hits[0].url)
    fact = source.facts[source.number % 2]
    figure = next(word for word in fact.replace("%", " %").split() if word.isdigit())
    claim = fact if kind == "right" else fact.replace(figure, str(int(figure) * 3 + 1))
    verdict = check_content(claim, text.text)
    return f"content:{verdict.label}"


EXPECTED = {
    "right": "content:yes", "wrong_year": "mismatch:year", "wrong_author": "mismatch:author", "wrong_title": "mismatch:title",
    "wrong_page": "mismatch:pages", "wrong_content": "content:no", "retracted": "retracted", "nonexistent": "nonexistent",
    "unreachable": "unreachable",
}  # fmt: skip


@pytest.mark.slow
async def test_planted_citations_by_class(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    works = [work(n) for n in range(9 * N) if n not in range(7 * N, 8 * N)]
    works = [
        each._replace(state="retracted") if each.number in range(6 * N, 7 * N) else each for each in works
    ]
    async with Web(works, broken=BROKEN) as server:
        rows = await _statuses(server, tmp_path)
    said = Counter(label for _, label, _ in rows)
    right = Counter(kind for kind, label, _ in rows if label == EXPECTED[kind])
    with capsys.disabled():
        print(f"\n{len(rows)} planted citations")
        for kind, label in EXPECTED.items():
            precision = right[kind] / said[label] if said[label] else 0.0
            print(f"  {kind:14} recall {right[kind] / N:.3f}  precision {precision:.3f}")
    wrong = [row for row in rows if row[1] != EXPECTED[row[0]]]
    mismatched = [row for row in rows if EXPECTED[row[0]].startswith("mismatch")]
    assert sum(row[1] == EXPECTED[row[0]] for row in mismatched) >= 0.98 * len(mismatched), wrong
    assert right["nonexistent"] >= 0.98 * N, wrong
    assert not [row for row in rows if row[0] == "unreachable" and row[2] == "nonexistent"]
    assert not [row for row in rows if row[2] == "nonexistent" and row[0] != "nonexistent"]
    assert (
        right["right"] + right["wrong_content"] + right["retracted"] + right["unreachable"] >= 0.96 * 4 * N
    ), wrong
