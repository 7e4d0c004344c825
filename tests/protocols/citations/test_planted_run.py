"""Planted citations through the whole protocol: asked, extracted, looked up, searched, read, judged; recall and precision per class."""

import os
from collections import Counter
from pathlib import Path

import pytest
from msgspec import structs

from percuss.net.client import Client
from percuss.protocols.citations.references.compare import TITLE_FLOOR
from percuss.protocols.citations.references.titles import ratio
from tests.citing import Hurried, Web, Work, vancouver, work
from tests.citing_people import Reader, Writer
from tests.protocols.citations.conversations import Ran, ran
from tests.protocols.citations.test_judging import questions, reaching
from tests.protocols.citations.test_planted_citations import BROKEN, EXPECTED, N, planted

PER_ANSWER = 5


def works() -> list[Work]:
    """Return the works that the registries hold: all but those of the class `nonexistent`."""
    held = [work(n) for n in range(9 * N) if n not in range(7 * N, 8 * N)]
    return [each._replace(state="retracted") if each.number in range(6 * N, 7 * N) else each for each in held]


def retitled(source: Work) -> str:
    """Return a work's entry under a title that is beyond the tolerance of conversations, by the same authors."""
    record = source.record
    title = f"Placebo for {record.title.partition(' for ')[2].partition(':')[0]}: an audit of harm"
    assert ratio(title, record.title) < TITLE_FLOOR
    return vancouver(structs.replace(record, title=title))


def sentence(kind: str, source: Work | None, number: int) -> str:
    """Return what a citation is cited for: a fact of the source, or for wrong content that fact with another figure."""
    if source is None:
        return f"Lamps of type {number} shorten the night watch by {number + 3} minutes in every harbour."
    fact = source.facts[source.number % 2]
    figure = next(word for word in fact.replace("%", " %").split() if word.isdigit())
    return fact.replace(figure, str(int(figure) * 3 + 1)) if kind == "wrong_content" else fact


def answers(per_class: int, place: str) -> tuple[dict[str, str], list[str]]:
    """Return answers with five citations each, and the class of every citation in order."""
    rows, seen = [], Counter[str]()
    for kind, cited, source in planted():
        seen[kind] += 1
        if seen[kind] <= per_class:
            raw = cited.raw.replace("HOST", place) or f"doi:{cited.ids['doi']}"
            rows.append((kind, retitled(source) if kind == "wrong_title" and source else raw, source))
    out = {}
    for at in range(0, len(rows), PER_ANSWER):
        said, listed = [], []
        for n, (kind, raw, source) in enumerate(rows[at : at + PER_ANSWER], start=1):
            said.append(f"{sentence(kind, source, at + n).removesuffix('.')} [{n}].")
            listed.append(f"[{n}] {raw}")
        out[f"topic-{at // PER_ANSWER:03d}"] = f"{' '.join(said)}\n\nReferences\n" + "\n".join(listed)
    return out, [kind for kind, _, _ in rows]


def statuses(found: Ran) -> list[str]:
    """Return the status of each citation by rule, with the content's label where the reference is right."""
    out = []
    for scored in found.scored:
        for claim in scored.claims:
            said = {
                v.aspect: v for v in scored.verdicts if v.subject == claim.id and v.rater.startswith("rule:")
            }
            status = str(next(held["status"] for held in said["reference"].evidence if "status" in held))
            content = said.get("content")
            label = content.label or "undecided" if content is not None else ""
            out.append(f"content:{label}" if status == "found" else status)
    return out


@pytest.mark.slow
async def test_planted_citations_through_the_whole_protocol(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """All 225 with PERCUSS_ALL_SEEDS (`scripts/full`), else three of each class."""
    per_class = N if os.environ.get("PERCUSS_ALL_SEEDS") else 3
    judge = Reader()
    async with (
        Web(works(), broken=BROKEN) as server,
        Client() as client,
        Hurried(server.place) as pages,
    ):
        said, kinds = answers(per_class, server.place)
        found = await ran(
            tmp_path / "run", Writer(said), source=questions(tmp_path, list(said)), limit=len(said), turns=1,
            roles={"judge": judge}, reach=reaching(server, client, pages),
        )  # fmt: skip
    labels = statuses(found)
    assert len(labels) == len(kinds) == 9 * per_class, "every citation is a claim"
    right = Counter(kind for kind, label in zip(kinds, labels, strict=True) if label == EXPECTED[kind])
    held = Counter(labels)
    with capsys.disabled():
        print(f"\n{len(labels)} planted citations through the whole protocol")
        for kind, label in EXPECTED.items():
            precision = right[kind] / held[label] if held[label] else 0.0
            print(f"  {kind:14} recall {right[kind] / per_class:.3f}  precision {precision:.3f}")
    wrong = [(kind, label) for kind, label in zip(kinds, labels, strict=True) if label != EXPECTED[kind]]
    classes = [kind for kind in EXPECTED if EXPECTED[kind].startswith("mismatch")]
    assert sum(right[kind] for kind in classes) >= 0.98 * per_class * len(classes), wrong
    assert right["nonexistent"] >= 0.98 * per_class, wrong
    assert not [each for each in wrong if each[1] == "nonexistent"], wrong
    assert right["right"] + right["wrong_content"] >= 0.95 * 2 * per_class, wrong
    bad = [
        v
        for scored in found.scored
        for v in scored.verdicts
        if v.rater.startswith("judge") and v.aspect == "support"
    ]
    assert len(bad) == 2 * len(labels), "the judge rated every citation in both passes"
