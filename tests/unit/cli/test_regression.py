"""Is the new one no worse: gates and margins on paired comparisons, what turned, files for pipelines, the pytest plugin."""

import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from percuss.bridge.pytest_plugin import PercussGate
from percuss.core.errors import UsageError
from percuss.core.records import Cell, Estimate
from percuss.measure.compared import Comparison, Pair, compared
from percuss.measure.quantity import Better, Plan, Quantity
from percuss.measure.regression import held_against, non_inferior
from percuss.report.regression import case_lines, regression_junit, regression_markdown, turned_line, verdict

pytestmark = pytest.mark.slow

Percuss = Callable[..., Any]
RATE = Quantity("rate", "wrong | answers", "How many are wrong?", "lower")


def _comparison(old: list[int], new: list[int], better: Better = "lower") -> Comparison:
    cells = [
        Cell(
            name="rate",
            model=model,
            arm="full",
            labels="rule",
            case_id=f"c{n}",
            cluster=f"c{n}",
            num=value,
            den=1,
        )
        for model, values in (("old", old), ("new", new))
        for n, value in enumerate(values)
    ]
    quantity = Quantity("rate", RATE.label, RATE.question, better)
    return compared(cells, quantity, labels="rule", arm="full", plan=Plan(seed=1, B=200), baseline="old")


def _difference(low: float | None, high: float | None, better: Better = "lower") -> Comparison:
    d = Estimate(
        name="rate_difference", model="new", versus="old", arm="full", labels="rule", unit="points", value=0.0,
        low=low, high=high,
    )  # fmt: skip
    return Comparison(Quantity("rate", "wrong", "?", better), "rule", "full", (), (Pair(d, None),), ())


def test_what_turned_is_listed_the_worst_first() -> None:
    found = _comparison([0, 1, 0, 0, 1, 0], [1, 1, 0, 0, 0, 1])
    assert [(each.case, each.old, each.new, each.way) for each in found.turned] == [
        ("c0", 0, 1, "worse"), ("c5", 0, 1, "worse"), ("c4", 1, 0, "better"),
    ]  # fmt: skip
    assert turned_line(found) == "cases that turned: 2 worse, 1 better"
    assert case_lines(found, 2) == [
        "worse: c0, new: 0% -> 100%",
        "worse: c5, new: 0% -> 100%",
        ".. and 1 more",
    ]
    ways = {each.way for each in _comparison([0, 1], [1, 0], "neither").turned}
    assert ways == {"other"}


@pytest.mark.parametrize(
    ("low", "high", "better", "state"),
    [
        (-0.05, 0.019, "lower", "pass"),
        (-0.05, 0.02, "lower", "inconclusive"),
        (0.01, 0.05, "lower", "inconclusive"),
        (0.02, 0.05, "lower", "fail"),
        (-0.019, 0.3, "higher", "pass"),
        (-0.05, -0.02, "higher", "fail"),
        (-0.05, 0.3, "higher", "inconclusive"),
        (None, None, "lower", "inconclusive"),
    ],
)
def test_non_inferior_is_read_off_the_worse_end(
    low: float | None, high: float | None, better: Better, state: str
) -> None:
    (outcome,) = non_inferior(_difference(low, high, better), 0.02)
    assert outcome.state == state


def test_margins_that_mean_nothing_are_one_sentence() -> None:
    with pytest.raises(UsageError, match="expected a margin above 0"):
        non_inferior(_difference(0, 0), 0)
    with pytest.raises(UsageError, match="neither direction is better"):
        non_inferior(_difference(0, 0, "neither"), 0.1)
    with pytest.raises(UsageError, match=r"does not make; did you mean rate_difference"):
        held_against(_comparison([0, 1], [1, 0]), ("rate_diference>0",), None)


def test_files_for_pipelines_hold_gates_and_cases() -> None:
    found = _comparison([0] * 24 + [1] * 6, [1] * 18 + [0] * 6 + [1] * 6)
    outcomes = held_against(found, ("rate_difference.low>0",), 0.05)
    assert [outcome.state for outcome in outcomes] == ["fail", "fail"]
    assert verdict(outcomes) == "failed"
    page = regression_markdown("wrong | answers", found, outcomes)
    assert page.startswith("## percuss compare: failed\n\nwrong \\| answers\n")
    assert "| c0 | new | 0% | 100% | worse |" in page
    suite = ET.fromstring(regression_junit("x", found, outcomes))
    assert (suite.get("failures"), suite.get("errors")) == ("2", "0")
    assert [case.get("name") for case in suite.iter("testcase") if case.get("classname") == "case"][:2] == [
        "c0 (new)", "c1 (new)",
    ]  # fmt: skip


def test_the_old_log_need_not_stand_among_the_sources(percuss: Percuss, eval_logs: Path) -> None:
    words = (
        "compare",
        "--baseline",
        str(eval_logs / "a.eval"),
        str(eval_logs / "c.eval"),
        "--resamples",
        "500",
    )
    said = percuss(*words, "--non-inferior", "0.1", "--markdown", "page.md", "--junit", "page.xml")
    assert (said.code, "gate fail: " in said.err) == (3, True)
    assert "cases that turned:" in said.out
    assert Path("page.md").read_text().startswith("## percuss compare: failed")
    assert "c.eval" in Path("page.xml").read_text()
    same = percuss(
        "compare",
        "--baseline",
        str(eval_logs / "b.eval"),
        str(eval_logs / "d.eval"),
        "--non-inferior",
        "0.01",
    )
    assert (same.code, "gate inconclusive: " in same.err) == (4, True)
    assert (
        percuss("compare", str(eval_logs / "a.eval"), str(eval_logs / "c.eval"), "--non-inferior", "0.1").code
        == 2
    )


@pytest.mark.parametrize("way", ["skip", "xfail", "fail"])
def test_a_gate_of_the_plugin_has_three_outcomes(way: str, eval_logs: Path) -> None:
    gate = PercussGate(way)
    a, b, c, d = (eval_logs / f"{name}.eval" for name in "abcd")
    gate.compare(c, a, non_inferior=0.1, resamples=500)
    with pytest.raises(pytest.fail.Exception, match="not so; the difference is"):
        gate.compare(a, c, non_inferior=0.1, resamples=500)
    unclear = {"skip": pytest.skip.Exception, "xfail": pytest.xfail.Exception, "fail": pytest.fail.Exception}[
        way
    ]
    with pytest.raises(unclear, match=r"inconclusive: .*neither shown nor ruled out"):
        gate.compare(b, d, non_inferior=0.01, resamples=500)
    with pytest.raises(pytest.fail.Exception, match="no gate was given"):
        gate.compare(a, b, resamples=500)


TESTS = """
def test_good(percuss_gate):
    percuss_gate("r", "unsupported_rate[arm=full_multimodal,model=phantom/copier].high>0.99")

def test_bad(percuss_gate):
    percuss_gate("r", "unsupported_rate[arm=full_multimodal,model=phantom/copier].high<0.99")

def test_unclear(percuss_gate):
    percuss_gate("r", "hdi_pooled[model=phantom/copier]>-2.5", "hdi_pooled[model=phantom/copier].low>2")
"""


def test_pytest_knows_the_fixture(percuss: Percuss) -> None:
    assert (
        percuss("run", "grounding", "-m", "phantom/copier", "--limit", "2", "--out", "r", "--no-report").code
        == 0
    )
    Path("test_it.py").write_text(TESTS)
    known = "percuss" in {point.name for point in entry_points(group="pytest11")}
    words = [] if known else ["-p", "percuss.bridge.pytest_plugin"]
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *words, "test_it.py", "--percuss-inconclusive", "xfail"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "1 failed, 1 passed, 1 xfailed" in ran.stdout, ran.stdout + ran.stderr
    assert "fails if <" in ran.stdout


def test_the_plugin_costs_a_start_of_pytest_next_to_nothing() -> None:
    code = "import sys, percuss.bridge.pytest_plugin; print([m for m in ('numpy', 'scipy', 'msgspec', 'aiohttp', 'percuss.store') if m in sys.modules])"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
