"""Every figure of a judge's card on made-up studies, to nine places: a sign, a constant or a branch that moves shows here.

The goldens lie in goldens/. After a change that is meant, `PERCUSS_WRITE_GOLDENS=1 pytest tests/unit/judging/test_measured.py`
writes them anew; read the difference before committing it. What the figures ought to be is tested beside this, by hand and by laws.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import pytest

from percuss.core.judgement import Judgement
from percuss.judging.card import Card
from percuss.judging.how import How
from percuss.judging.pairs import rater_pairs
from percuss.judging.people import Table, human_ceiling
from percuss.judging.readers import reader_tables
from percuss.judging.selection import select
from percuss.judging.validation import validate_with
from percuss.stats import cohen_kappa
from tests.figures import hold, line

GOLDENS = Path(__file__).with_name("goldens")
HOW = How(seed=7, resamples=100)
LABELS, GRADES = ("supported", "partial", "unsupported"), ("1", "2", "3", "4")
JUDGES = {"judge:phantom/sharp": 0.1, "judge:b/dull": 0.4}
FAILURES = ("abstain", "parse", "schema", "evidence", "transport")
ARMS = ("sham", "sham_text", "tb_rad", "vb")


def labelled(
    items: int,
    people: int,
    words: Sequence[str] = LABELS,
    *,
    shared: int = 3,
    settled: int = 0,
    seed: int = 3,
) -> list[Judgement]:
    """Return labels of so many people and two judges of two passes; some items are skipped, some replies can't be read.

    Args:
        shared: items of one cluster. settled: every so many items people settled together; 0 none.
    """
    rng, out = np.random.default_rng(seed), list[Judgement]()
    for n in range(items):
        truth = int(rng.integers(len(words)))
        where = {
            "item": f"i{n}",
            "cluster": f"p{n // shared}",
            "stratum": ("", "m0 / full", "m1 / full")[n % 7 % 3],
        }

        def said(err: float, truth: int = truth) -> str:
            return words[int(rng.integers(len(words))) if rng.random() < err else truth]

        out += [
            Judgement(**where, rater=f"human:R{r}", label=said(0.15 * (r + 1)))  # type: ignore[arg-type]
            for r in range(people)
            if rng.random() < 0.9
        ]
        if settled and n % settled == 0:
            out.append(Judgement(**where, rater="human:consensus", label=words[truth]))  # type: ignore[arg-type]
        for judge, err in JUDGES.items():
            for k in (1, 2):
                lost = FAILURES[n % 5] if rng.random() < err / 3 else "ok"
                label = said(err) if lost == "ok" else None
                out.append(Judgement(**where, rater=judge, label=label, outcome=lost, run_pass=k))  # type: ignore[arg-type]
    return out


def scored(items: int, people: int, *, shared: int = 1, settled: bool = False) -> list[Judgement]:
    """Return scores of two metrics by so many people and two judges; two of four arms are shams."""
    rng, out = np.random.default_rng(5), list[Judgement]()
    for metric in ("cf", "ca"):
        for n in range(items):
            truth, arm = rng.normal(), ARMS[n % 4]
            where = {
                "item": f"i{n}", "cluster": f"p{n // shared}", "metric": metric, "stratum": f"m{n % 2} / {arm}",
                "sham": arm if arm.startswith("sham") else "",
            }  # fmt: skip
            raters = {f"human:R{r}": 0.5 + r / 4 for r in range(people)} | {
                j: 3 * e for j, e in JUDGES.items()
            }
            for rater, noise in raters.items():
                score = float(np.clip(np.round(3 + truth + rng.normal(scale=noise)), 1, 5))
                lost = FAILURES[n % 5] if rater in JUDGES and rng.random() < 0.08 else "ok"
                told = score if lost == "ok" else None
                out.append(Judgement(**where, rater=rater, score=told, outcome=lost))  # type: ignore[arg-type]
            if settled:
                told = float(np.clip(np.round(3 + truth), 1, 5))
                out.append(Judgement(**where, rater="human:adjudicator", score=told))  # type: ignore[arg-type]
    return out


def card_lines(card: Card) -> Iterator[str]:
    """Yield a card, then each metric and each gate of it."""
    yield line(msgspec.structs.replace(card, metrics=(), gates=()))
    yield from map(line, (*card.metrics, *card.gates))


STUDIES: dict[str, tuple[list[Judgement], How]] = {
    "three-people": (labelled(60, 3), HOW),
    "three-people-alone": (labelled(24, 3, shared=1), replace(HOW, positive="partial")),
    "two-people": (labelled(30, 2, shared=1), HOW),
    "two-people-in-clusters": (labelled(40, 2), HOW),
    "one-person": (labelled(20, 1), HOW),
    "four-people-and-what-they-settled": (labelled(36, 4, settled=3), HOW),
    "grades-as-numbers": (labelled(40, 3, GRADES), replace(HOW, positive="4", double_count_abstain=True)),
    "grades-on-a-scale": (labelled(30, 2, LABELS), replace(HOW, scale=LABELS)),
    "scores": (scored(40, 3), HOW),
    "scores-in-clusters": (scored(30, 2, shared=3), replace(HOW, double_count_abstain=True)),
    "scores-that-were-settled": (scored(24, 2, settled=True), HOW),
    "scores-of-one-person": (scored(16, 1), HOW),
}


@pytest.mark.parametrize("name", STUDIES)
def test_every_figure_of_a_card_is_as_it_was(name: str) -> None:
    rows, how = STUDIES[name]
    said = [each for judge in JUDGES for each in card_lines(validate_with(rows, judge, how))]
    hold(GOLDENS / f"card-{name}.txt", [*said, *map(line, reader_tables(rows, how))])


@pytest.mark.parametrize("name", ["three-people", "grades-as-numbers", "scores", "scores-in-clusters"])
def test_a_choice_is_as_it_was(name: str) -> None:
    rows, how = STUDIES[name]
    said = []
    for gates in ("binding", "report"):
        found = select(rows, how, gates=gates)
        brief = msgspec.structs.replace(found, dev=(), test=())
        said += [line(brief), *(each for card in (*found.dev, *found.test) for each in card_lines(card))]
    hold(GOLDENS / f"choice-{name}.txt", said)


def test_pairs_of_raters_are_as_they_were() -> None:
    said = []
    for items, shared in ((40, 3), (20, 1), (12, 12), (4, 1)):
        rows = labelled(items, 2, shared=shared)
        home = {one.item: one.cluster for one in rows}
        held = {(one.item, one.rater): one.label for one in rows if one.run_pass == 1}
        columns = {
            rater: [held.get((item, rater)) for item in home] for rater in ("human:R0", "human:R1", *JUDGES)
        }
        found = rater_pairs(columns, list(home.values()), scale=LABELS, seed=7, resamples=100)
        said += [line(one) for one in found]
    hold(GOLDENS / "pairs.txt", said)


def test_two_people_reach_what_their_own_kappa_says() -> None:
    """What one of them skipped counts for neither, and the first is not held against himself."""
    first, second = "aababbaabb", "abababaabb"
    rows = [
        Judgement(item=f"i{n}", rater=f"human:{who}", label=label)
        for who, labels in (("A", first), ("B", second))
        for n, label in enumerate(labels)
    ]
    rows.append(Judgement(item="i99", rater="human:A", label="b"))
    table = Table(rows, "label")
    wanted = cohen_kappa(list(first), list(second), scale=("a", "b"))
    assert human_ceiling(table, ("a", "b"), HOW, ordinal=False).value == wanted.value
    clustered = Table(
        [msgspec.structs.replace(one, cluster=f"p{int(one.item[1:]) // 2}") for one in rows], "label"
    )
    found = human_ceiling(clustered, ("a", "b"), HOW, ordinal=False)
    assert (found.value, found.n) == (wanted.value, 10)
    assert found.method.startswith("two people, ")
