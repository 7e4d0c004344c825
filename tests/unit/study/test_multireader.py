"""ICC(A,k), Fleiss, bias and contrasts over readers: reached from `study agreement`, for designs that have use for them."""

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from percuss import stats
from percuss.cli.study import command
from percuss.core.records import AnnotationItem
from percuss.study.agreement import agreement
from percuss.study.figures import QuestionAgreement
from tests.studies import answer_all, items, make

SAID = {"r1": (1, 4, 2, 5, 3, 4), "r2": (2, 4, 3, 5, 4, 5), "r3": (1, 5, 2, 4, 3, 3)}


def crossed(count: int = 3) -> list[AnnotationItem]:
    """Answers of two models to each case, on a scale."""
    listed = []
    for n, item in enumerate(items("likert5", 2 * count)):
        hidden = {**item.hidden, "case": f"case {n // 2}"}
        fields = {name: getattr(item, name) for name in item.__struct_fields__}
        listed.append(AnnotationItem(**{**fields, "hidden": {k: v for k, v in hidden.items() if k != "arm"}}))
    return listed


def judged(folder: Path, design: str, answer: Any, **how: Any) -> QuestionAgreement:
    """Let three raters answer, and return the agreement on the first question."""
    with make(folder, design, raters=3, depth=3, repeats=0.0, **how) as study:
        for code in SAID:
            answer_all(study, code, lambda n, again, code=code: answer(code, n))
        return agreement(study, B=100).questions[0]


def test_scales_have_icc_fleiss_biases_and_models_compared_over_readers(folder: Path) -> None:
    found = judged(
        folder, "likert5", lambda code, n: {"consistency": str(SAID[code][n])}, listed=crossed(), strata=()
    )
    scores = list(zip(*SAID.values(), strict=True))
    assert found.icc is not None
    assert found.icc.value == pytest.approx(stats.icc([list(row) for row in scores], form="A,k").value)
    assert found.fleiss is not None
    assert found.fleiss.value == pytest.approx(stats.fleiss_kappa([list(row) for row in scores]).value)
    means = {code: sum(said) / 6 for code, said in SAID.items()}
    for code, figure in found.bias.items():
        others = sum(mean for who, mean in means.items() if who != code) / 2
        assert figure.value == pytest.approx(means[code] - others)
    ((pair, contrast),) = found.contrasts.items()
    assert pair == "acme/brackle-2 - acme/quillfin-9"
    one, other = ([said[n::2] for said in SAID.values()] for n in (1, 0))
    wanted = stats.mrmc_difference(one, other)
    assert (contrast.value, contrast.low, contrast.n) == pytest.approx((wanted.value, wanted.low, 3))


def test_labels_have_fleiss_and_nothing_of_scales(folder: Path) -> None:
    found = judged(
        folder,
        "source-grounding",
        lambda code, n: {"reference_exists": ("yes", "no")[SAID[code][n] % 2]},
        count=6,
    )
    assert found.fleiss is not None
    assert (found.icc, found.bias, found.contrasts) == (None, {}, {})


def test_items_that_not_everybody_judged_leave_icc_undefined_with_the_reason(folder: Path) -> None:
    with make(folder, "likert5", count=6, raters=3, depth=2, repeats=0.0) as study:
        for code in SAID:
            answer_all(study, code, lambda n, again, code=code: {"consistency": str(SAID[code][n])})
        icc = agreement(study, B=100).questions[0].icc
    assert icc is not None
    assert "every rater judged" in icc.undefined


def test_the_command_prints_them(folder: Path) -> None:
    judged(
        folder, "likert5", lambda code, n: {"consistency": str(SAID[code][n])}, listed=crossed(), strata=()
    )
    told = CliRunner().invoke(command, ["agreement", str(folder), "-B", "100"], catch_exceptions=False).output
    for words in ("ICC(A,k)", "Fleiss kappa", "r1 against the others", "MRMC, readers and cases random"):
        assert words in told
