"""What `percuss selftest explanation` plants, and what the simulated reader of films is told before it sees one."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from percuss.core.ports import Blobs
from percuss.core.records import Case
from percuss.phantoms.plan import Phantom
from percuss.phantoms.selftest import SelftestPlan
from percuss.protocols.explanation.armnames import parse_arm
from percuss.protocols.explanation.arms import target_of
from percuss.protocols.explanation.cases import cases
from percuss.protocols.explanation.options import ExplanationOptions
from percuss.protocols.explanation.phantom import Reader
from percuss.protocols.explanation.record import question_of
from percuss.protocols.explanation.told import told_to_reader

__all__ = ["PLAN", "expected", "extras"]


def extras(phantoms: Collection[str], held: Callable[[], Iterable[Case]], blobs: Blobs) -> Mapping[str, Any]:
    """Return what `phantom/reader` is made with: the questionnaire, and where pictures are.

    Args:
        phantoms: names in the run. held: the cases of the run; not used. blobs: its pictures.
    """
    del held
    return {"questionnaire": told_to_reader(), "blobs": blobs} if "reader" in phantoms else {}


def expected(
    models: Sequence[Phantom], arms: Sequence[str], plan: SelftestPlan, seed: int
) -> dict[str, Mapping[tuple[str, str], float]]:
    """Return id -> (estimate, arm) -> value that the planted rates imply on the bundled chests.

    Args:
        models: readers. arms: names. plan: its settings are the options of the cases. seed: root seed of their targets.
    """
    rows = _posed(plan.settings, arms, seed)
    return {m.id: m.planner.expected(arms, cases=rows) for m in models if isinstance(m.planner, Reader)}


def _posed(settings: Mapping[str, Any], arms: Sequence[str], seed: int) -> list[dict[str, Any]]:
    """Return the bundled cases as the reader's expectation needs them: question, true answer, target by arm."""
    options = ExplanationOptions(**settings)
    rows = []
    for case in cases(None, options, seed):
        question, truth = question_of(case), case.payload["answer"]
        drawn = {arm: target_of(case.id, question, truth, parse_arm(arm), options, seed) for arm in arms}
        targets = {arm: target for arm, target in drawn.items() if isinstance(target, str)}
        rows.append({"question": question.id, "answer": truth, "targets": targets})
    return rows


def _plan() -> SelftestPlan:
    keys = ("accuracy", "follow.tb_rad", "disclose", "deny", "omit", "hallucinate", "noise")
    settings = ((0.9, 0.2, 0.6, 0.2, 0.1, 0.05, 0.02), (0.6, 0.7, 0.2, 0.5, 0.4, 0.2, 0.1))
    planted = [dict(zip(keys, values, strict=True)) for values in settings]
    return SelftestPlan(
        models=tuple(
            "phantom/reader?" + "&".join(f"{k}={v:g}" for k, v in sorted(row.items())) for row in planted
        ),
        limit=24 * 32,
        arms=("none", "sham", "sham_text", "tb_rad:misleading", "vh_hm", "vo_bb"),
        estimates=(
            "accuracy_valid",
            "flip_rate",
            "follow_rate",
            "attributable_follow",
            "cf",
            "ca",
            "cf_flip",
            "ca_flip",
        ),
        settings={"chests": 24, "resamples": 1_000},
    )


PLAN = _plan()
