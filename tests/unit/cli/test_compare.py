"""`percuss compare` on real Inspect logs and on runs: pairing, Holm, letters, equivalence, baseline."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.logs import EPOCHS, SAMPLES
from tests.unit.conftest import Judged

Percuss = Callable[..., Any]


def _log(folder: Path, name: str) -> str:
    return str(folder / f"{name}.eval")


def test_logs_are_paired_ranked_and_reported(percuss: Percuss, eval_logs: Path) -> None:
    logs = [_log(eval_logs, name) for name in "abc"]
    said = percuss("compare", *logs, "--html", "compare.html", "--resamples", "2000")
    assert said.code == 0
    assert f"{SAMPLES} shared cases" in said.out
    first, second, third = said.out.splitlines()[2:5]
    assert "in a.eval  90.0% [" in first
    assert "in b.eval  80.0%" in second
    assert "in c.eval  40.0%" in third
    assert first.split()[0] in {"1", "1-2"}
    assert third.split()[0] == "3"
    assert "mockllm/model in a.eval is higher than mockllm/model in c.eval: 50.0 points [" in said.out
    assert "(Holm)" in said.out
    html = Path("compare.html").read_text()
    assert "Which models differ?" in html
    assert "in a.eval" in html


def test_as_json_every_pair_has_its_family(percuss: Percuss, eval_logs: Path) -> None:
    said = percuss("compare", *(_log(eval_logs, n) for n in "abc"), "--json", "--resamples", "500")
    found = json.loads(said.out)
    pairs = [e for e in found if e["versus"]]
    assert len(pairs) == 3
    assert all(e["clusters"] == SAMPLES and "2 epochs" in e["covers"] for e in pairs)
    assert all(e["p_adjusted"] >= e["p"] for e in pairs)
    assert all("3 pairs" in e["family"] for e in pairs)
    assert {e["value"] for e in found if not e["versus"]} == {0.9, 0.8, 0.4}
    assert {e["n"] for e in found if not e["versus"]} == {SAMPLES * EPOCHS}


def test_a_baseline_makes_a_smaller_family(percuss: Percuss, eval_logs: Path) -> None:
    logs = [_log(eval_logs, name) for name in "abc"]
    said = percuss("compare", *logs, "--baseline", logs[0], "--json", "--resamples", "500")
    pairs = [e for e in json.loads(said.out) if e["versus"]]
    assert [(e["model"][-8:], e["versus"][-8:]) for e in pairs] == [
        ("n b.eval", "n a.eval"), ("n c.eval", "n a.eval"),
    ]  # fmt: skip
    assert all("2 pairs" in e["family"] and e["value"] < 0 and e["low"] <= e["high"] for e in pairs)


def test_equivalence_is_shown_or_said_not_to_be(percuss: Percuss, eval_logs: Path) -> None:
    logs = [_log(eval_logs, name) for name in "ab"]
    said = percuss("compare", *logs, "--equivalence", "0.3", "--resamples", "500")
    assert "are equivalent within 30.0 points" in said.out
    said = percuss("compare", *logs, "--equivalence", "0.01", "--resamples", "500")
    assert "equivalence within 1.00 points is not shown" in said.out


def test_what_cannot_be_told_apart_says_what_could_have_been_seen(percuss: Percuss, eval_logs: Path) -> None:
    said = percuss("compare", _log(eval_logs, "b"), _log(eval_logs, "d"), "--resamples", "500")
    assert said.code == 0
    (line,) = [line for line in said.out.splitlines() if "not separable" in line]
    assert re.search(
        r"not separable: -?0\.0 points \[-[\d.]+, [\d.]+\], p [\d.]+ \(Holm\); we could have seen \d[\d.]* points$",
        line,
    )
    ranks = [row.split() for row in said.out.splitlines()[2:4]]
    assert [(row[0], row[-1]) for row in ranks] == [("1-2", "a"), ("1-2", "a")]


@pytest.mark.parametrize(
    ("names", "options", "words"),
    [
        ("a", (), "has 1 model; a comparison needs two"),
        ("aa", (), "named twice"),
        ("ab", ("--scorer", "match"), "got the scorer 'match'; the log has includes"),
        ("ab", ("--baseline", "gpt"), "--baseline got 'gpt'"),
        ("ab", ("--arm", "full"), "--arm is for run folders"),
    ],
)
def test_bad_words(
    percuss: Percuss, eval_logs: Path, names: str, options: tuple[str, ...], words: str
) -> None:
    said = percuss("compare", *(_log(eval_logs, name) for name in names), *options)
    assert (said.code, said.err.count("\n")) == (2, 1)
    assert words in said.err


def _rewritten(log: str, out: Path) -> Path:
    """Write a log again whose samples ask something else under the same ids."""
    from inspect_ai.log import read_eval_log, write_eval_log

    held = read_eval_log(log)
    for sample in held.samples or []:
        sample.input = f"Was {sample.input}"
    write_eval_log(held, str(out))
    return out


def test_bad_sources(percuss: Percuss, eval_logs: Path, judged: Judged, tmp_path: Path) -> None:
    Path("no.eval").write_text("no log")
    other = _rewritten(_log(eval_logs, "b"), tmp_path / "other.eval")
    for sources, words in (
        (("no.eval", _log(eval_logs, "a")), "expected an Inspect log"),
        (("missing.eval", _log(eval_logs, "a")), "no such file"),
        ((str(judged.run), _log(eval_logs, "a")), "expected one kind"),
        ((str(other), _log(eval_logs, "a")), "asks something else"),
    ):
        said = percuss("compare", *sources)
        assert (said.code, said.err.count("\n")) == (2, 1), said.err
        assert words in said.err


def test_two_runs_over_the_same_cases(percuss: Percuss, judged: Judged) -> None:
    """The primary estimate is compared unless another is named: for this protocol HDI."""
    truth = judged.run.parent / "truth"
    said = percuss("compare", str(judged.run), str(truth), "--resamples", "500")
    assert said.code == 0
    assert said.out.startswith("HDI, pooled over claims, with evidence against the arm without; labels: ")
    assert "25 shared cases" in said.out
    assert "in run" in said.out
    assert "in truth" in said.out
    rates = ("--estimate", "unsupported_rate", "--arm", "ungrounded", "--labels", "rule:support-2")
    said = percuss("compare", str(judged.run), str(truth), *rates, "--resamples", "500")
    assert (
        "differ by 0 points, no interval (every case gives the same on both sides)" in said.out
    )  # the same answers under the same rules
    said = percuss("compare", str(judged.run), str(truth), "--estimate", "pattern")
    assert (said.code, said.err.count("\n")) == (2, 1)
    assert "hdi_pooled" in said.err
    assert "corrected:" not in said.err
