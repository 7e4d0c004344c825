"""The pytest plugin: a test of a run passes, fails, or says that the data can't tell.

    def test_the_new_prompt_is_no_worse(percuss_gate):
        percuss_gate("runs/new", "unsupported_rate[full].high>0.10")
        percuss_gate.compare("runs/old", "runs/new", non_inferior=0.02)

A gate that can't tell skips the test; `--percuss-inconclusive` (or `percuss_inconclusive` in the ini file) makes it an
expected failure or a failure instead. Everything is imported when a test uses it.
"""

from collections.abc import Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from percuss.measure.gates import Outcome

__all__ = ["PercussGate", "percuss_gate", "pytest_addoption"]

WAYS = ("skip", "xfail", "fail")
_HELP = "What a gate does that can't tell: skip, xfail or fail."


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option, and the same in the ini file."""
    group = parser.getgroup("percuss")
    group.addoption("--percuss-inconclusive", choices=WAYS, default=None, help=f"{_HELP}  [default: skip]")
    parser.addini("percuss_inconclusive", _HELP, default="skip")


class PercussGate:
    """Holds gates against runs and comparisons.

    Args:
        inconclusive: skip, xfail or fail.
    """

    def __init__(self, inconclusive: str) -> None:
        self._inconclusive = inconclusive

    def __call__(self, run: "str | PathLike[str]", *conditions: str, scoring: str | None = None) -> None:
        """Hold conditions against the estimates of a run, as `--fail-if` does.

        Args:
            run: the run folder, or what `percuss.run` returned. conditions: such as `unsupported_rate[full].high>0.10`.
            scoring: start of a scoring's id; None takes the latest.
        """
        from percuss.api.report.reporting import open_report
        from percuss.measure.gates import judge_gate, parse_gate, require_names

        with open_report(Path(run), scoring) as held:
            estimates = held.estimates
        gates = [parse_gate(text) for text in conditions]
        require_names(gates, sorted({estimate.name for estimate in estimates}))
        self._settle([outcome for gate in gates for outcome in judge_gate(gate, estimates)])

    def compare(
        self,
        old: "str | PathLike[str]",
        new: "str | PathLike[str]",
        *conditions: str,
        non_inferior: float | None = None,
        **how: Any,
    ) -> None:
        """Hold conditions and a margin against the paired comparison of a new run or log with an old one.

        Args:
            old, new: run folders, what `percuss.run` returned, or Inspect logs.
            conditions: on numbers of the comparison, such as `unsupported_rate_difference.low>0`.
            non_inferior: how much worse the new one may be; None holds it against no margin.
            how: further words of `percuss.compare`.
        """
        from percuss.api.report.comparing import compare
        from percuss.measure.regression import held_against
        from percuss.report.regression import case_lines, turned_line

        found = compare([new], baseline=fspath(old), **how)
        said = "\n".join([turned_line(found), *case_lines(found, 20)])
        self._settle(held_against(found, conditions, non_inferior), said)

    def _settle(self, outcomes: "Sequence[Outcome]", more: str = "") -> None:
        if not outcomes:
            pytest.fail(
                "no gate was given, so nothing was held; name a condition or non_inferior=", pytrace=False
            )
        for state, act in (("fail", _fail), ("inconclusive", getattr(self, f"_{self._inconclusive}"))):
            found = [outcome.sentence for outcome in outcomes if outcome.state == state]
            if found:
                act("\n".join([*found, more]).strip())

    @staticmethod
    def _skip(words: str) -> None:
        pytest.skip(f"inconclusive: {words}")

    @staticmethod
    def _xfail(words: str) -> None:
        pytest.xfail(f"inconclusive: {words}")

    @staticmethod
    def _fail(words: str) -> None:
        _fail(f"inconclusive: {words}")


def _fail(words: str) -> None:
    pytest.fail(words, pytrace=False)


@pytest.fixture
def percuss_gate(request: pytest.FixtureRequest) -> PercussGate:
    """Return what holds gates; a gate that can't tell ends the test as `--percuss-inconclusive` says."""
    chosen = request.config.getoption("--percuss-inconclusive") or request.config.getini(
        "percuss_inconclusive"
    )
    if chosen not in WAYS:
        raise pytest.UsageError(f"percuss_inconclusive is {chosen!r}; expected one of {', '.join(WAYS)}")
    return PercussGate(str(chosen))
