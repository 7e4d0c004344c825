"""Numbers by a reader that carries no headline carry no word and compare no models, wherever they are read (reading.md, sections 2 and 6)."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from percuss.api.report.comparing import compare
from percuss.api.report.exporting import export
from percuss.core.messages import Reply, Request, Text
from percuss.core.ports import Model
from percuss.engine import estimate
from percuss.measure.regression import held_against
from percuss.models.scripted import Scripted
from percuss.protocols.grounding import PROTOCOL
from percuss.protocols.grounding.estimate.word import CANT_TELL, CORRECTS
from percuss.protocols.grounding.options import GroundingOptions
from percuss.report.flat import render_csv
from percuss.store import RunStore
from tests.protocols.grounding.ordinary import case_of, is_shown, stated
from tests.protocols.grounding.runs import MAIN, Ran, run

ARM, _ = MAIN
OPTIONS = GroundingOptions(resamples=200)
CASES = 12


@dataclass
class Real:
    """Answers like a model that doesn't simulate: all right with evidence, but for some cases, and all wrong without."""

    name: str
    wrong_of_three: int = 0
    pin: str = ""

    @property
    def id(self) -> str:
        return f"vendor/{self.name}"

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
        del epoch
        return Reply(parts=(Text(text=said(request, self.wrong_of_three)),), finish="stop")


def said(request: Request, wrong_of_three: int = 0) -> str:
    case = case_of(request)
    wrong = not is_shown(request) or sum(case.encode()) % 3 < wrong_of_three
    return " ".join(stated(case, wrong=wrong)[:5])


def made(folder: Path, *models: Model, judge: Model | None = None, limit: int = CASES) -> Ran:
    return run(folder, (), limit=limit, options=OPTIONS, extra=models, judge=judge)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Ran, Ran]:
    folder = tmp_path_factory.mktemp("withheld")
    beside = Scripted(lambda request, _epoch: said(request), id="scripted/planted")
    return made(folder / "a", Real("one"), beside), made(folder / "b", Real("two", 2))


def test_a_pattern_by_a_rule_that_carries_no_headline_holds_no_word(runs: tuple[Ran, Ran]) -> None:
    """The trap: the panel withheld the word, and the table of estimates, its CSV and JSON said "evidence corrects it"."""
    one, _ = runs
    pattern, planted = one.one("pattern", "vendor/one"), one.one("pattern", "scripted/planted")
    assert planted.note == CORRECTS, (
        "the same words of a simulated model, which the rule reads by its own sentences"
    )
    assert pattern.value is None
    assert pattern.note.startswith(f"{CANT_TELL}: ")
    assert not [e for e in one.estimates if e.name == "pattern_probability" and e.model == "vendor/one"]
    hdi = one.one("hdi_pooled", "vendor/one")
    assert (hdi.value, hdi.withheld) == (1.0, pattern.withheld), (
        "computed all the same, with why nothing rests on it"
    )
    assert not one.one("hdi_pooled", "scripted/planted").withheld
    assert CORRECTS not in render_csv([e for e in one.estimates if not e.simulated])


def test_models_are_not_compared_by_such_a_rule_over_runs(runs: tuple[Ran, Ran]) -> None:
    found = compare([made.folder for made in runs], resamples=200)
    assert len(found.pairs) == 3
    for pair in found.pairs:
        assert (pair.difference.value, pair.difference.p) == (None, None)
        assert "undefined (not comparable by rules support-2: " in pair.words
    letters = {row.model: row.letters for row in found.ranks}
    assert letters["vendor/one"] == letters["vendor/two"]
    assert {row.model: (row.best, row.worst) for row in found.ranks}["vendor/one"] == (1, 3)
    assert [o.state for o in held_against(found, ("hdi_pooled_difference.value>0",), None)] == [
        "inconclusive"
    ]


def test_nor_over_exported_logs(runs: tuple[Ran, Ran], tmp_path: Path) -> None:
    """The trap: exported as Inspect logs the same two runs were told apart by the same rule."""
    logs = [
        export(made.folder, "claims", "inspect", tmp_path / f"{n}.eval").file for n, made in enumerate(runs)
    ]
    found = compare(logs, scorer="rule:support-2", resamples=200)
    real = [p for p in found.pairs if not p.difference.simulated]
    assert real
    for pair in real:
        assert pair.difference.value is None
        assert "undefined (not comparable by rules support-2: " in pair.words


def judged(request: Request, _epoch: int) -> str:
    told = request.messages[-1].text.rpartition("<claim>")[2].partition("</claim>")[0].strip()
    return json.dumps({"rationale": "r", "label": "unsupported" if len(told) % 2 else "supported"})


def beside(verdict: str, judge: float, person: float) -> dict[str, object]:
    """What a card says of a second person."""
    line = {"of": "unsupported", "n": 40, "judge": {"value": judge}, "person": {"value": person}, "more": {"value": judge - person}}  # fmt: skip
    return {"first": "human:a", "second": "human:b", "n": 90, "classes": [{**line, "verdict": verdict}]}


def carded(
    sensitivity: float | None, *, n: int = 60, of: tuple[float | None, float | None] = (0.9, 0.9), arms: tuple[str, ...] = MAIN,
    second: dict[str, object] | None = None,
) -> Callable[[str], dict[str, object]]:  # fmt: skip
    """Make a card of the judge; `of` is what it finds in each of `arms`."""

    def told(hits: float | None, items: int) -> dict[str, object]:
        return {
            "n": items,
            "sensitivity": {"value": hits, "n": items // 2},
            "specificity": {"value": 0.9, "n": items // 2},
        }

    def card(scoring: str) -> dict[str, object]:
        strata = [
            {"stratum": f"vendor/one / {arm}", **told(hits, n // 2)}
            for arm, hits in zip(arms, of, strict=False)
        ]
        metric = {
            "metric": "support",
            "positive": "unsupported",
            **told(sensitivity, n),
            "strata": strata,
            "second": second,
        }
        return {"scripted/judge": {"scoring": scoring, "metrics": [metric]}}

    return card


@pytest.mark.parametrize(
    ("card", "why"),
    [
        (None, "the judge scripted/judge has no card: "),
        (lambda _: carded(0.9)("another scoring"), "the judge scripted/judge has no card: "),
        (carded(0.6), "the judge scripted/judge is below the floors by its card: it finds 60.0%"),
        (carded(0.8), ""),
        (carded(0.9, n=49), "the judge scripted/judge has a card of 49 labels, 50 are needed"),
        (
            carded(0.8, second=beside("above", 0.2, 0.1)),
            "the judge scripted/judge errs more often than a second person by its card: 20.0% against 10.0%",
        ),
        (carded(0.8, second=beside("not shown to be above", 0.14, 0.1)), ""),
        (carded(None), "the judge scripted/judge has a card that doesn't say how often it errs"),
        (
            carded(0.8, of=(0.9, 0.6)),
            "the judge scripted/judge is below the floors without evidence by its card: it finds 60.0%",
        ),
        (
            carded(0.8, of=(0.6, 0.9)),
            "the judge scripted/judge is below the floors with evidence by its card: it finds 60.0%",
        ),
        (carded(0.8, of=(None, 0.9)), ""),
        (
            carded(0.8, arms=MAIN[:1]),
            "the judge scripted/judge has a card without a label of what is said without evidence",
        ),
        (
            lambda scoring: {"scripted/judge": {"scoring": scoring, "metrics": []}},
            "the judge scripted/judge has a card of 0 labels",
        ),
    ],
    ids=[
        "no card",
        "a card of another scoring",
        "below the floors",
        "within them",
        "few labels",
        "worse than a second person",
        "about as good as one",
        "one label alone",
        "poor without evidence",
        "poor with it",
        "nothing to find with evidence",
        "one arm was labelled",
        "of nothing",
    ],
)
def test_a_judge_leads_only_with_a_card_within_the_floors(
    tmp_path: Path, card: Callable[[str], dict[str, object]] | None, why: str
) -> None:
    judge = Scripted(judged, id="scripted/judge")
    folder = tmp_path / "run"
    first = made(folder, Real("one"), judge=judge, limit=4)
    with RunStore.open(folder, writable=True) as store:
        if card is not None:
            store.update_manifest({"judge_cards": card(first.scoring)})
        again = asyncio.run(estimate(store, PROTOCOL, OPTIONS, scoring=first.scoring, seed=42))
        panel = next(s for s in store.sections(first.scoring) if s.kind == "panel")
    hdi = next(e for e in again if e.primary)
    assert hdi.labels == "agreement"
    assert hdi.withheld.startswith(why)
    assert bool(hdi.withheld) == bool(why)
    assert ("No index, and no comparison of models: " in str(panel.body)) == bool(why)
    if not why:
        second = again_beside(card, first.scoring)
        assert (
            "14.0% where a second person has 10.0% (n 40, unsupported)" if second else "no second person's labels beside it: held against the floors only"
        ) in str(panel.body)  # fmt: skip


def again_beside(card: Callable[[str], dict[str, object]] | None, scoring: str) -> bool:
    """Tell whether a card holds a second person's labels."""
    assert card is not None
    return '"second": {' in json.dumps(card(scoring))
