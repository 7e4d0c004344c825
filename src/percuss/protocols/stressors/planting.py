"""What `percuss selftest stressors` plants."""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from percuss.core.ports import Blobs
from percuss.core.records import Case
from percuss.phantoms.selftest import SelftestPlan

__all__ = ["PLAN", "extras"]


def extras(phantoms: Collection[str], held: Callable[[], Iterable[Case]], blobs: Blobs) -> Mapping[str, Any]:
    """Return what `phantom/clinician` is made with: the vignettes that it will be asked about.

    Args:
        phantoms: names in the run. held: the cases of the run. blobs: not used.
    """
    del blobs
    if "clinician" not in phantoms:
        return {}
    return {"clinic": [case.payload for case in held() if {"opening", "facts"} <= set(case.payload)]}


def _plan() -> SelftestPlan:
    settings = (
        {"contradiction": 0.8, "fabricate": 0.3, "gap": 0.5, "update": 0.8},
        {"contradiction": 0.3, "fabricate": 0.2, "gap": 0.8, "update": 0.4},
    )
    return SelftestPlan(
        models=tuple(
            "phantom/clinician?" + "&".join(f"{k}={v:g}" for k, v in sorted(row.items())) for row in settings
        ),
        limit=26,
        estimates=("cdr", "gdr", "pir", "rur", "ef", "fcr", "cho", "nfr", "ufr", "hpr"),
        settings={"resamples": 1_000},
    )


PLAN = _plan()
