"""Print what a local model makes of planted citations as the judge of the whole pipeline.

Usage: scripts/judged.py [--judge NAME] [--per-class N] [--strategy full_text|snippet] [--planner NAME] [--threads N] [--answer N] [--out FOLDER]

Nine classes of planted citations are answered by a script, looked up, searched, opened and judged against registries, a web
index and pages on this machine's loopback: the sources are real files, the judge is a real model, nobody else is contacted.
"""

import argparse
import asyncio
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from percuss.core.ports import Model  # noqa: E402
from percuss.core.records import Verdict  # noqa: E402 - the tests' loopback is found beside the package
from percuss.engine.limit import Limited  # noqa: E402
from percuss.models.embedded import Embedded  # noqa: E402
from percuss.net.client import Client  # noqa: E402
from percuss.protocols.citations.comparing import strategies_of  # noqa: E402
from tests.citing import Hurried, Web  # noqa: E402
from tests.citing_people import Writer  # noqa: E402
from tests.protocols.citations.conversations import Ran, ran  # noqa: E402
from tests.protocols.citations.test_judging import questions, reaching  # noqa: E402
from tests.protocols.citations.test_planted_citations import BROKEN  # noqa: E402
from tests.protocols.citations.test_planted_run import PER_ANSWER, answers, works  # noqa: E402

PATIENCE_S = 3_600.0
BAD = {"wrong_year", "wrong_author", "wrong_title", "wrong_page", "wrong_content", "nonexistent"}
"""Classes that a right judge calls unsupported; `unreachable` may only be left open, the others are supported."""


async def judged(given: argparse.Namespace, folder: Path) -> tuple[Ran, list[str]]:
    """Run the pipeline once and return it with the class of each citation."""
    # One by one, so that waiting for another citation's call is no part of a call's time.
    slots = asyncio.Semaphore(1)
    named = {"judge": given.judge, **({"planner": given.planner} if given.planner else {})}
    roles: dict[str, Model] = {
        role: Limited(Embedded.named(name, threads=given.threads), slots, timeout_s=PATIENCE_S)
        for role, name in named.items()
    }
    async with Web(works(), broken=BROKEN) as server, Client() as client, Hurried(server.place) as pages:
        said, kinds = answers(given.per_class, server.place)
        if given.answer:
            name = sorted(said)[given.answer - 1]
            kinds = kinds[(given.answer - 1) * PER_ANSWER :][:PER_ANSWER]
            said = {name: said[name]}
        found = await ran(
            folder / "run", Writer(said), source=questions(folder, list(said)), limit=len(said), turns=1,
            roles=roles, reach=reaching(server, client, pages), strategy=given.strategy,
        )  # fmt: skip
    return found, kinds


def of_judge(found: Ran, *, rater: str = "judge:") -> list[tuple[Verdict, ...]]:
    """Return the verdicts on support of each citation by a judge (its passes) or by rule, in order."""
    return [
        tuple(
            v
            for v in scored.verdicts
            if v.subject == claim.id and v.aspect == "support" and v.rater.startswith(rater)
        )
        for scored in found.scored
        for claim in scored.claims
    ]


def lines(found: Ran, kinds: list[str], folder: Path) -> list[str]:
    """Say by class what came out, and what was kept, unreadable, inconsistent and how long it took."""
    judges, rules = of_judge(found), of_judge(found, rater="rule:")
    by_class: dict[str, Counter[str]] = defaultdict(Counter)
    for kind, passes in zip(kinds, judges, strict=True):
        by_class[kind][passes[0].label or passes[0].unscored or ""] += 1
    firsts = [passes[0] for passes in judges]
    decided = [(kind, v) for kind, v in zip(kinds, firsts, strict=True) if v.label]
    right = sum((kind in BAD) == (v.label == "unsupported") for kind, v in decided if kind != "unreachable")
    ruled = [(kind, vs[0]) for kind, vs in zip(kinds, rules, strict=True) if vs and vs[0].label]
    out = [
        f"{kind}: {', '.join(f'{n} {word}' for word, n in seen.most_common())}"
        for kind, seen in by_class.items()
    ]
    out.append(f"kept {len(decided)} of {len(firsts)} verdicts, {right} of them right; by rule {len(ruled)} decided, "
               f"{sum((kind in BAD) == (v.label == 'unsupported') for kind, v in ruled)} right")  # fmt: skip
    reasons = Counter(v.unscored for v in firsts if v.unscored)
    out.append(f"left out: {dict(reasons)}")
    own = sum(any("inconsistent" in row for row in v.evidence) for v in firsts)
    same = sum(len({(v.label, v.unscored) for v in passes}) == 1 for passes in judges)
    out.append(
        f"the judge's own fields contradict what is derived from them: {own}; passes alike: {same} of {len(judges)}"
    )
    stops = Counter(row["stop"] for v in firsts for row in v.evidence if "stop" in row)
    out.append(f"searching ended by: {dict(stops)}")
    (took,) = strategies_of(folder / "run")
    out.append(
        f"a citation took {took.seconds:.1f} s of model calls, {took.calls:.1f} calls, {took.tokens:.0f} tokens, "
        f"{took.searches:.1f} searches, {took.pages:.1f} pages"
    )
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--judge", default="qwen2.5-coder-1.5b-instruct")
    parser.add_argument("--planner", default="")
    parser.add_argument("--per-class", type=int, default=2)
    parser.add_argument("--strategy", default="full_text")
    parser.add_argument("--threads", type=int, default=None)
    parser.add_argument("--answer", type=int, default=0, help="judge this answer of five citations alone")
    parser.add_argument("--out", type=Path, default=None)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = given.out or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        found, kinds = asyncio.run(judged(given, folder))
        print(f"{len(kinds)} planted citations judged by {given.judge}, {given.strategy}")
        print("\n".join(lines(found, kinds, folder)))


if __name__ == "__main__":
    main()
