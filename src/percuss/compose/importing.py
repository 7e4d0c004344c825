"""Results and labels made elsewhere: rates and HDI of a claims table; people's labels into a run."""

import asyncio
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from percuss.compose.recheck import estimate_again
from percuss.compose.run import Finished
from percuss.core.errors import BadInput, UsageError
from percuss.core.labels import SUPPORT_LABELS
from percuss.core.records import Estimate, Verdict
from percuss.exchange.claims_table import claim_cells, table_rows
from percuss.exchange.label_studio import read_labels
from percuss.measure.dependence import hdis, model_hdi_differences
from percuss.measure.quantity import Plan, Quantity
from percuss.measure.rates import model_differences, rates
from percuss.measure.tally import tallies
from percuss.store import RunStore

__all__ = ["estimate_claims", "import_labels"]

_WORDS = {
    "unsupported": ("unsupported claims", "What share of claims is unsupported?", "lower"),
    "supported": ("supported claims", "What share of claims is supported?", "higher"),
}


def estimate_claims(
    path: Path, *, mapping: Mapping[str, str], with_arm: str, without_arm: str, seed: int, resamples: int
) -> tuple[Estimate, ...]:
    """Estimate a table of labelled claims that was not made here.

    Args:
        path: CSV or JSONL, one row a claim.
        mapping: field -> column.
        with_arm, without_arm: names of the arms that HDI compares.
        seed, resamples: of the bootstrap over clusters.

    Raises:
        UsageError: an arm that the table lacks; BadInput: a row that cannot be read.
    """
    by_name = tallies(claim_cells(path, mapping=mapping))
    unsupported = by_name["unsupported", "given"]
    for arm in (with_arm, without_arm):
        if arm not in unsupported.arms:
            arms = ", ".join(unsupported.arms)
            raise UsageError(f"{path} has no arm {arm!r}; it has {arms}; name them with --with and --without")
    plan = Plan(seed=seed, B=resamples)
    found: list[Estimate] = [*hdis(unsupported, plan, arm=with_arm, baseline=without_arm)]
    for name, (label, question, better) in _WORDS.items():
        quantity = Quantity(f"{name}_rate", label, question, better, "share", cells=name)  # type: ignore[arg-type]
        found += rates(by_name[name, "given"], quantity, plan)
        if name == "unsupported":
            found += model_differences(unsupported, quantity, plan, arm=with_arm)
    found += model_hdi_differences(unsupported, plan, arm=with_arm, baseline=without_arm)
    return tuple(found)


def import_labels(run: Path, path: Path) -> tuple[int, Finished]:
    """Bring people's labels into a run and estimate it again.

    Args:
        run: the folder.
        path: a Label Studio export (`.json`), or CSV/JSONL with claim_id, rater, label, optional aspect and notes.

    Returns:
        How many labels there are, and the new estimates.

    Raises:
        BadInput: a row that cannot be read, or a label of a claim that the run does not hold; nothing is written then.
    """
    with RunStore.open(run, writable=True) as store:
        view = store.view(store.latest_scoring().id)
        owner = {claim.id: assessed.response.id for assessed in view.assessed() for claim in assessed.claims}
        verdicts = list(read_labels(path) if path.suffix == ".json" else _rows(path, owner))
        lost = [verdict.subject for verdict in verdicts if verdict.subject not in owner]
        if lost:
            raise BadInput(
                f"labels claim {lost[0]!r}, which the run does not hold; check the run", source=str(path)
            )
        store.put_human(verdicts)
    return len(verdicts), asyncio.run(estimate_again(run))


def _rows(path: Path, owner: Mapping[str, str]) -> Iterator[Verdict]:
    for line, row in table_rows(path):
        claim, rater, label = (str(row.get(name) or "").strip() for name in ("claim_id", "rater", "label"))
        if claim not in owner:
            raise BadInput(
                f"labels claim {claim!r}, which the run does not hold", source=str(path), line=line
            )
        yield Verdict(
            subject=claim,
            response_id=owner[claim],
            aspect=str(row.get("aspect") or "support"),
            rater=rater if rater.startswith("human:") else f"human:{rater}",
            rationale=str(row.get("notes") or ""),
            **_said(label.casefold(), path, line),
        )


def _said(label: str, path: Path, line: int) -> dict[str, Any]:
    if label in {"", "can't judge", "abstain", "abstained"}:
        return {"unscored": "abstained"}
    if label not in SUPPORT_LABELS:
        raise BadInput(
            f"got the label {label!r}; expected {', '.join(SUPPORT_LABELS)}", source=str(path), line=line
        )
    return {"label": label}
