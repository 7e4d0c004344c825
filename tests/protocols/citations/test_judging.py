"""The whole protocol with a judge and searches: planned citations against registries, an index and pages on the loopback."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from percuss.core.ports import Fetch, Search
from percuss.engine import Archive, ArchivedFetch
from percuss.net.client import Client
from percuss.net.fetching import PageFetcher
from percuss.protocols.citations.judge.verdict import Judged, by_what_was_shown
from percuss.protocols.citations.sources.backends import built
from percuss.protocols.citations.sources.passages import Passage
from percuss.protocols.citations.sources.polite import Polite
from percuss.store import RunStore
from percuss.store.verify import verify
from tests.citing import Hurried, Web, Work, vancouver, work
from tests.citing_people import Reader, Writer
from tests.protocols.citations.conversations import Ran, answer, document, entry, ran

NAMES = ("serper", "crossref", "openalex", "pubmed", "web")
Reached = Callable[[RunStore], tuple[Search | None, Fetch | None]]


def reaching(server: Web, client: Client | None, pages: PageFetcher | None, refetch: str = "no") -> Reached:
    """Return what makes search and fetch of a run; without a client nobody is contacted."""

    def made(store: RunStore) -> tuple[Search | None, Fetch | None]:
        archive = Archive(store, pages, refetch=refetch)  # type: ignore[arg-type]
        polite = Polite(client, archive=archive, per_second=2000, tries=1)
        return built(NAMES, polite, server.environment()), ArchivedFetch(archive)

    return made


def questions(folder: Path, names: list[str]) -> str:
    """Write a file of questions, one turn each."""
    path = folder / "questions.jsonl"
    rows = [
        {"id": name, "question": f"What is known of {name}?", "domain": "research_questions"}
        for name in names
    ]
    path.write_bytes(b"\n".join(map(msgspec.json.encode, rows)))
    return str(path)


def said_of(scored: Ran, aspect: str = "support", rater: str = "judge") -> list[str]:
    """Return the labels or reasons under an aspect, in the order of claims and passes."""
    return [
        v.label or v.unscored or ""
        for each in scored.scored
        for v in each.verdicts
        if v.aspect == aspect and v.rater.startswith(rater)
    ]


RIGHT, WRONG, GONE = work(4), work(5), work(6)
PRINTED = work(3)
"""Its page is a PDF."""
ANSWER = (
    f"{RIGHT.facts[1].removesuffix('.')} [1]. {WRONG.facts[1].replace('0 mg', '1 mg').replace('5 mg', '6 mg').removesuffix('.')} [2]. "
    f"{GONE.facts[0].removesuffix('.')} [3].\n\nReferences\n[1] {vancouver(RIGHT.record)}\n[2] {vancouver(WRONG.record)}\n"
    f"[3] {vancouver(msgspec.structs.replace(GONE.record, ids={'doi': '10.5555/nowhere.1'}, title='Unheard remedies against melancholy among lighthouse keepers'))}"
)


async def test_a_judge_reads_pages_that_were_searched_and_its_inputs_replay_offline(tmp_path: Path) -> None:
    source, writer = questions(tmp_path, ["alpha"]), Writer({"alpha": ANSWER})
    works = [work(n) for n in range(12) if n != 6]
    async with (
        Web(works) as server,
        Client() as client,
        Hurried(server.place) as pages,
    ):
        online = Reader()
        first = await ran(
            tmp_path / "run",
            writer,
            source=source,
            roles={"judge": online},
            reach=reaching(server, client, pages),
            turns=1,
        )
        asked = len(server.asked)
        assert {"_page", "_serper", "_crossref"} <= {f"_{path.split('/')[1]}" for path in server.asked}
        offline = Reader()
        again = await ran(
            tmp_path / "run", None, source=source, roles={"judge": offline}, reach=reaching(server, None, None),
            turns=1, claims_per_turn=0,
        )  # fmt: skip
        assert len(server.asked) == asked, "offline nobody is contacted"
    assert said_of(first) == [
        "supported",
        "supported",
        "unsupported",
        "unsupported",
        "unsupported",
        "unsupported",
    ]
    assert said_of(first, rater="rule:") == ["supported", "unsupported", "unsupported"]
    calls = [v.call for each in first.scored for v in each.verdicts if v.rater.startswith("judge")]
    assert calls == [v.call for each in again.scored for v in each.verdicts if v.rater.startswith("judge")]
    assert offline.asked == [], "the same verdict inputs, byte for byte: every call is in the journal"
    assert said_of(again) == said_of(first)
    quotes = [
        e
        for each in first.scored
        for v in each.verdicts
        if v.aspect == "support"
        for e in v.evidence
        if "quote" in e
    ]
    assert quotes
    assert all("before" in found and "after" in found for found in quotes)
    marks = [m for each in first.sections if each.kind == "viewer" for case in each.body["cases"] for pane in case["panes"] for m in pane["marks"]]  # fmt: skip
    shown = [row for m in marks for row in m["evidence"] if "look" in row]
    assert shown, "a source that was opened as a web page is shown as that page has it"
    for row in shown:
        quoted = "".join(quoted for _, _, quoted, _ in row["look"])
        assert quoted.split()[0] == row["quote"].split()[0]
        assert {tag for tag, *_ in row["look"]} & {"p", "h1", "h2"}
        assert row["url"].startswith(server.url)
    assert all(found.ok for found in verify(tmp_path / "run"))


async def judged(works: list[Work], answer: str, tmp_path: Path) -> Ran:
    """Return the run of one answer that a judge read, its sources looked up and opened on this machine."""
    async with (
        Web(works) as server,
        Client() as client,
        Hurried(server.place) as pages,
    ):
        return await ran(
            tmp_path / "run", Writer({"alpha": answer}), source=questions(tmp_path, ["alpha"]), turns=1,
            roles={"judge": Reader()}, reach=reaching(server, client, pages),
        )  # fmt: skip


async def test_a_pdf_is_opened_at_its_page(tmp_path: Path) -> None:
    answer = f"{PRINTED.facts[1].removesuffix('.')} [1].\n\nReferences\n[1] {vancouver(PRINTED.record)}"
    found = await judged([PRINTED], answer, tmp_path)
    held = [v for each in found.scored for v in each.verdicts if v.rater.startswith("judge")]
    rows = [e for v in held for e in v.evidence if "quote" in e]
    assert rows
    assert {row["page"] for row in rows} == {2}, "sixty lines of other things come first"
    assert all("contraindicated" in row["after"] for row in rows)


async def test_what_the_registries_say_counts_beside_a_judge_too(tmp_path: Path) -> None:
    withdrawn = RIGHT._replace(state="retracted")
    nowhere = msgspec.structs.replace(GONE.record, ids={}, title="Unheard remedies among lighthouse keepers")
    answer = (
        f"{withdrawn.facts[1].removesuffix('.')} [1]. {GONE.facts[0].removesuffix('.')} [2].\n\nReferences\n"
        f"[1] {vancouver(withdrawn.record)}\n[2] {vancouver(nowhere)}\n"
    )
    others = (work(n) for n in range(12) if n not in (4, 6))
    found = await judged([withdrawn, *others], answer, tmp_path)
    for labels in ("rule:citations", "agreement"):
        assert found.one("flagged_references", labels=labels).value == 0.5, "the retracted one of two"
        assert found.one("hallucination_pooled", labels=labels).value == 0.5
        located = found.one("hallucination_located", labels=labels)
        assert (located.value, located.n) == (0.0, 1), "the one that nobody has is left out of the twin"
    marks = [m for each in found.sections if each.kind == "viewer" for case in each.body["cases"] for pane in case["panes"] for m in pane["marks"]]  # fmt: skip
    assert [set(m["tags"]) & {"reference retracted", "reference not located"} for m in marks] == [
        {"reference retracted"},
        {"reference not located"},
    ]
    assert all(len(m["tags"]) == len(set(m["tags"])) for m in marks)
    told = [[(row["aspect"], row["rater"].split(":")[0]) for row in m["said"]] for m in marks]
    assert {aspect for aspect, _ in told[0]} == {"reference", "content", "support"}, "each line says of what"


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"reference": "no", "content": "yes", "hallucination": False}, ["unsupported", "inconsistent"]),
        ({"reference": "yes", "content": "yes", "quote": "words that stand nowhere in any page"}, ["invalid_quote"]),
        ({"reference": "yes", "content": "no", "subtype": "unsupported", "quote": "", "hallucination": True, "insufficient": False}, ["unsupported"]),
        ({"abstention": True}, ["abstained:the sentence"]),
        ({"reference": "maybe"}, ["unparsable:label"]),
        ({"insufficient": True, "content": "n/a"}, ["not_checkable:insufficient_evidence"]),
    ],
)  # fmt: skip
async def test_consistency_is_enforced_and_quotes_are_verified(
    change: dict[str, object], expected: list[str], tmp_path: Path
) -> None:
    answer = f"{RIGHT.facts[1].removesuffix('.')} [1].\n\nReferences\n[1] {vancouver(RIGHT.record)}"
    async with (
        Web([RIGHT]) as server,
        Client() as client,
        Hurried(server.place) as pages,
    ):
        found = await ran(
            tmp_path / "run", Writer({"alpha": answer}), source=questions(tmp_path, ["alpha"]), turns=1,
            roles={"judge": Reader(lambda said: {**said, **change})}, reach=reaching(server, client, pages),
        )  # fmt: skip
    assert set(said_of(found)) == {expected[0]}
    notes = [e for each in found.scored for v in each.verdicts if v.aspect == "support" for e in v.evidence]
    assert any("inconsistent" in note for note in notes) is ("inconsistent" in expected)


async def test_what_the_judge_leaves_open_goes_to_the_fallback_and_is_counted(tmp_path: Path) -> None:
    answer = f"{RIGHT.facts[1].removesuffix('.')} [1].\n\nReferences\n[1] {vancouver(RIGHT.record)}"
    open_ = {"reference": "n/a", "content": "n/a", "insufficient": True}
    async with (
        Web([RIGHT]) as server,
        Client() as client,
        Hurried(server.place) as pages,
    ):
        fallback = Reader(
            lambda said: {**said, "reference": "yes", "content": "yes", "quote": RIGHT.facts[1], "insufficient": False,
                          "addresses": [f"{server.url}/page/4"], "hallucination": False},
            "scripted/fallback",
        )  # fmt: skip
        found = await ran(
            tmp_path / "run", Writer({"alpha": answer}), source=questions(tmp_path, ["alpha"]), turns=1,
            roles={"judge": Reader(lambda said: {**said, **open_}), "fallback": fallback}, reach=reaching(server, client, pages),
        )  # fmt: skip
    assert set(said_of(found)) == {"supported"}
    assert all(type(request).__name__ == "WebSearchRequest" for request in fallback.asked)
    assert found.one("fallback_share", labels="agreement").value == 1.0


@pytest.mark.parametrize("strategy", ["snippet", "provider_search"])
async def test_the_other_strategies(strategy: str, tmp_path: Path) -> None:
    answer = f"{RIGHT.facts[0].removesuffix('.')} [1].\n\nReferences\n[1] {vancouver(RIGHT.record)}"
    works = [work(n) for n in range(12)]
    async with (
        Web(works) as server,
        Client() as client,
        Hurried(server.place) as pages,
    ):
        own = {"reference": "yes", "content": "yes", "quote": RIGHT.facts[0], "insufficient": False, "hallucination": False,
               "addresses": [f"{server.url}/page/4"]}  # fmt: skip
        judge = Reader(lambda said: {**said, **own})
        found = await ran(
            tmp_path / "run", Writer({"alpha": answer}), source=questions(tmp_path, ["alpha"]), turns=1, strategy=strategy,
            roles={"judge": judge}, reach=reaching(server, client, pages),
        )  # fmt: skip
    assert set(said_of(found)) == {"supported"}
    kinds = Counter(type(request).__name__ for request in judge.asked)
    assert ("WebSearchRequest" in kinds) is (strategy == "provider_search")


async def test_a_judge_without_a_search_reads_the_bundled_library_alone(tmp_path: Path) -> None:
    held = document("PEL-0001")
    wrong = entry(held, year=held.year - 9)
    said = answer((held.facts[0].sentence, entry(held)), (held.facts[1].sentence, wrong))
    judge = Reader()
    found = await ran(tmp_path / "run", Writer({"": said}), turns=1, roles={"judge": judge})
    assert said_of(found) == ["supported", "supported", "unsupported", "unsupported"]
    assert found.one("judge_searches", labels="agreement").value is not None
    tokens = found.one("judge_tokens", labels="agreement").value
    assert tokens is not None
    assert tokens > 100
    assert found.one("reference_failure", labels="agreement").value == 0.5


@pytest.mark.parametrize(
    ("reply", "passages", "left_open"),
    [
        ({"content": "no"}, [True, True], True),
        ({"content": "no"}, [], True),
        ({"content": "no"}, [True, False], False),
        ({"content": "no", "quote": "words that contradict"}, [True], False),
        ({"content": "yes", "quote": "words of a head"}, [True], False),
        ({"reference": "no", "content": "no"}, [True], False),
    ],
)
def test_what_no_block_comes_near_is_not_called_absent(
    reply: dict[str, str], passages: list[bool], *, left_open: bool
) -> None:
    shown = [Passage(source="p", start=0, stop=4, text="text", is_head=head) for head in passages]
    plain = {"reference": "yes", "quote": "", **reply}
    said = Judged(reference=plain["reference"], content=plain["content"], quote=plain["quote"])
    held = by_what_was_shown(said, shown)
    assert held.undecided is left_open
    assert (held.content == "n/a") is left_open
