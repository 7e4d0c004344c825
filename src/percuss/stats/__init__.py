"""Statistics on arrays: every estimate comes with its interval, its method and, where it is undefined, the reason.

Names load on first use (PEP 562), so `import percuss.stats` costs nothing until a function is called.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

#: Public name -> module it lives in. No module is named like a public function, else importing one hides the other.
_HOME = {
    "Result": "result",
    "StatsError": "result",
    "bounds_over_exclusions": "intervals",
    "clopper_pearson": "intervals",
    "mover_difference": "intervals",
    "mover_ratio": "intervals",
    "newcombe": "intervals",
    "student_t": "intervals",
    "wilson": "intervals",
    "Difference": "bootstrap",
    "Paired": "bootstrap",
    "bootstrap_draws": "bootstrap",
    "cluster_bootstrap": "bootstrap",
    "paired_bootstrap": "bootstrap",
    "ratio_bootstrap": "ratios",
    "ratio_differences": "ratios",
    "Hdi": "dependence",
    "hdi": "dependence",
    "hdi_difference": "dependence",
    "hdi_differences": "dependence",
    "hdi_macro": "dependence",
    "hdi_mover": "dependence",
    "hdi_pooled": "dependence",
    "benjamini_hochberg": "multiplicity",
    "bonferroni": "multiplicity",
    "holm": "multiplicity",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})


if TYPE_CHECKING:
    from percuss.stats.bootstrap import Difference as Difference
    from percuss.stats.bootstrap import Paired as Paired
    from percuss.stats.bootstrap import bootstrap_draws as bootstrap_draws
    from percuss.stats.bootstrap import cluster_bootstrap as cluster_bootstrap
    from percuss.stats.bootstrap import paired_bootstrap as paired_bootstrap
    from percuss.stats.dependence import Hdi as Hdi
    from percuss.stats.dependence import hdi as hdi
    from percuss.stats.dependence import hdi_difference as hdi_difference
    from percuss.stats.dependence import hdi_differences as hdi_differences
    from percuss.stats.dependence import hdi_macro as hdi_macro
    from percuss.stats.dependence import hdi_mover as hdi_mover
    from percuss.stats.dependence import hdi_pooled as hdi_pooled
    from percuss.stats.intervals import bounds_over_exclusions as bounds_over_exclusions
    from percuss.stats.intervals import clopper_pearson as clopper_pearson
    from percuss.stats.intervals import mover_difference as mover_difference
    from percuss.stats.intervals import mover_ratio as mover_ratio
    from percuss.stats.intervals import newcombe as newcombe
    from percuss.stats.intervals import student_t as student_t
    from percuss.stats.intervals import wilson as wilson
    from percuss.stats.multiplicity import benjamini_hochberg as benjamini_hochberg
    from percuss.stats.multiplicity import bonferroni as bonferroni
    from percuss.stats.multiplicity import holm as holm
    from percuss.stats.ratios import ratio_bootstrap as ratio_bootstrap
    from percuss.stats.ratios import ratio_differences as ratio_differences
    from percuss.stats.result import Result as Result
    from percuss.stats.result import StatsError as StatsError

__all__ = list(_HOME)
