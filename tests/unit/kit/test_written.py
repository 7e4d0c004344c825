"""Whole reports of the kit on made-up answers, line by line: what is said, in which order, and what is left unsaid.

The goldens lie in goldens/. After a change that is meant, `PERCUSS_WRITE_GOLDENS=1 pytest tests/unit/kit/test_written.py`
writes them anew; read the difference before committing it.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from percuss.core.ports import ScoredResponse
from percuss.core.records import Estimate, Verdict
from percuss.kit.report import sections
from tests.golden.sections.readable import section_lines
from tests.unit.kit.views import ARMS, Held, answer, rate

GOLDENS = Path(__file__).with_name("goldens")
MODELS = ("a/one", "b/two", "phantom/p")


def judged(
    scored: ScoredResponse, *, passes: Sequence[str | None] = ("supported", "unsupported")
) -> ScoredResponse:
    """Return an answer whose claims a judge read in two passes and a person once; None: a pass without a label."""
    more = [
        Verdict(
            subject=claim.id, response_id=scored.response.id, aspect="support", rater=f"judge:j#{n}", rationale="It says so.",
            label=label, unscored=None if label else "unparsable:schema",
        )
        for claim in scored.claims
        for n, label in enumerate(passes, 1)
    ]  # fmt: skip
    more += [
        Verdict(subject=claim.id, response_id=scored.response.id, aspect="support", rater="human:p", label="unsupported")
        for claim in scored.claims[:1]
    ]  # fmt: skip
    return replace(scored, verdicts=(*scored.verdicts, *more))


def answers(models: Sequence[str] = ("m",), cases: int = 6, **how: Any) -> list[ScoredResponse]:
    return [answer(n, arm, model, **how) for model in models for n in range(cases) for arm in ARMS]


def pair(one: str, other: str, p: float, **fields: Any) -> Estimate:
    found = rate(one, "with", 0.2, versus=other, unit="points", p=p / 2, p_adjusted=p, family="f", detectable=0.12, **fields)  # fmt: skip
    return replace(
        found, name="unsupported_rate_difference", label="difference in unsupported claims", primary=False
    )


def both(models: Sequence[str], **fields: Any) -> list[Estimate]:
    return [
        rate(
            model,
            arm,
            0.1 + 0.2 * at + 0.3 * (arm == "without"),
            simulated=model.startswith("phantom"),
            **fields,
        )
        for at, model in enumerate(models)
        for arm in ARMS
    ]


RUNS: dict[str, tuple[list[ScoredResponse], list[Estimate], dict[str, Any]]] = {
    "bare": (answers(), both(["m"]), {}),
    "one claim": (answers(cases=1), both(["m"], n=1), {}),
    "enough": (answers(), both(["m"], n=30), {}),
    "refused": (
        [*answers(("a/one",)), *[answer(n, arm, "b/two", reason="refused" if n % 2 else "error:timeout") for n in range(6) for arm in ARMS]],
        [*both(["a/one"]), *[rate("b/two", arm, None, n=0, excluded={"refused": 3, "error:timeout": 3}) for arm in ARMS]], {},
    ),
    "left out": (answers(left_out="error:check"), both(["m"], excluded={"error:check": 12}, bounds=(0.05, 0.6)), {}),
    "models": (
        answers(MODELS),
        [*both(MODELS), pair("a/one", "b/two", 0.01), pair("a/one", "phantom/p", 0.4, simulated=True), pair("b/two", "phantom/p", 0.04, simulated=True),
         pair("a/one", "b/two", 0.01, stratum="simultaneous")],
        {"planted": {"phantom/p": {"unsupported_rate": 0.45, "unsupported_rate[without]": 0.1, "gone": 0.5}}},
    ),
    "inseparable": (answers(MODELS[:2]), [*both(MODELS[:2]), pair("a/one", "b/two", 0.3)], {}),
    "phantoms": (answers(MODELS[2:]), both(MODELS[2:]), {}),
    "judged": (
        [*[judged(one) for one in answers(cases=4)], *[judged(answer(n, "with"), passes=("supported",) * 2) for n in range(4, 7)], judged(answer(7, "with"), passes=("supported", None))],
        [*both(["m"]), *[replace(one, labels=labels, value=0.3, primary=False) for labels in ("agreement", "human") for one in both(["m"], bounds=(0.2, 0.5))]], {},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", RUNS)
def test_a_report_says_what_it_said(name: str) -> None:
    scored, estimates, manifest = RUNS[name]
    made = list(sections(Held(scored, manifest), estimates, None))
    text = "\n".join(section_lines(made)) + "\n"
    file = GOLDENS / f"{name.replace(' ', '-')}.txt"
    if os.environ.get("PERCUSS_WRITE_GOLDENS"):
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    assert text.splitlines() == file.read_text(encoding="utf-8").splitlines()
