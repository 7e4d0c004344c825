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
    "wilson": "intervals",
    "clopper_pearson": "intervals",
    "newcombe": "intervals",
    "mover_ratio": "intervals",
    "mover_difference": "intervals",
    "student_t": "intervals",
    "bounds_over_exclusions": "intervals",
    "wilson_clustered": "clustered",
    "Difference": "bootstrap",
    "Paired": "bootstrap",
    "bootstrap_draws": "bootstrap",
    "cluster_bootstrap": "bootstrap",
    "paired_bootstrap": "bootstrap",
    "ratio_bootstrap": "ratios",
    "ratio_differences": "ratios",
    "relative_risk": "relative",
    "Hdi": "dependence",
    "hdi": "dependence",
    "hdi_pooled": "dependence",
    "hdi_macro": "dependence",
    "hdi_mover": "dependence",
    "hdi_difference": "dependence",
    "hdi_differences": "dependence",
    "holm": "multiplicity",
    "bonferroni": "multiplicity",
    "benjamini_hochberg": "multiplicity",
    "sign_flip_test": "paired",
    "mcnemar_exact": "paired",
    "two_proportion_z": "paired",
    "Equivalence": "paired",
    "equivalence": "paired",
    "Detectable": "paired",
    "smallest_detectable": "paired",
    "mean_shift": "shifts",
    "paired_shift": "shifts",
    "detectable_rates": "paired",
    "RankInterval": "separation",
    "rank_intervals": "separation",
    "tie_letters": "separation",
    "Confusion": "agreement",
    "confusion": "agreement",
    "raw_agreement": "agreement",
    "cohen_kappa": "kappa",
    "fleiss_kappa": "multirater",
    "gwet_ac": "multirater",
    "krippendorff_alpha": "reliability",
    "icc": "intraclass",
    "mrmc_difference": "readers",
    "kendall_tau_b": "ranks",
    "spearman_exact": "ranks",
    "Ceiling": "ceiling",
    "consensus": "ceiling",
    "leave_one_out_ceiling": "ceiling",
    "BradleyTerry": "rankings",
    "bradley_terry": "rankings",
    "mean_rank": "rankings",
    "Accuracy": "correction",
    "judge_accuracy": "correction",
    "judge_accuracy_by_stratum": "correction",
    "rogan_gladen": "correction",
    "Judged": "ppi",
    "ppi_rate": "ppi",
    "ppi_difference": "ppi",
    "ppi_ratio": "ppi",
    "ppi_hdi": "ppi",
    "Power": "power",
    "power_hdi": "power",
    "power_rates": "power",
    "Gate": "gates",
    "gate": "gates",
    "trials_needed": "gates",
    "PAPER_GATES": "gates",
    "OutcomeRates": "gates",
    "outcome_rates": "gates",
    "ConfidenceFit": "confidence",
    "confidence_calibration": "confidence",
    "fit_confidence_constants": "confidence",
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
    from percuss.stats.agreement import Confusion as Confusion
    from percuss.stats.agreement import confusion as confusion
    from percuss.stats.agreement import raw_agreement as raw_agreement
    from percuss.stats.bootstrap import Difference as Difference
    from percuss.stats.bootstrap import Paired as Paired
    from percuss.stats.bootstrap import bootstrap_draws as bootstrap_draws
    from percuss.stats.bootstrap import cluster_bootstrap as cluster_bootstrap
    from percuss.stats.bootstrap import paired_bootstrap as paired_bootstrap
    from percuss.stats.ceiling import Ceiling as Ceiling
    from percuss.stats.ceiling import consensus as consensus
    from percuss.stats.ceiling import leave_one_out_ceiling as leave_one_out_ceiling
    from percuss.stats.clustered import wilson_clustered as wilson_clustered
    from percuss.stats.confidence import ConfidenceFit as ConfidenceFit
    from percuss.stats.confidence import confidence_calibration as confidence_calibration
    from percuss.stats.confidence import fit_confidence_constants as fit_confidence_constants
    from percuss.stats.correction import Accuracy as Accuracy
    from percuss.stats.correction import judge_accuracy as judge_accuracy
    from percuss.stats.correction import judge_accuracy_by_stratum as judge_accuracy_by_stratum
    from percuss.stats.correction import rogan_gladen as rogan_gladen
    from percuss.stats.dependence import Hdi as Hdi
    from percuss.stats.dependence import hdi as hdi
    from percuss.stats.dependence import hdi_difference as hdi_difference
    from percuss.stats.dependence import hdi_differences as hdi_differences
    from percuss.stats.dependence import hdi_macro as hdi_macro
    from percuss.stats.dependence import hdi_mover as hdi_mover
    from percuss.stats.dependence import hdi_pooled as hdi_pooled
    from percuss.stats.gates import PAPER_GATES as PAPER_GATES
    from percuss.stats.gates import Gate as Gate
    from percuss.stats.gates import OutcomeRates as OutcomeRates
    from percuss.stats.gates import gate as gate
    from percuss.stats.gates import outcome_rates as outcome_rates
    from percuss.stats.gates import trials_needed as trials_needed
    from percuss.stats.intervals import bounds_over_exclusions as bounds_over_exclusions
    from percuss.stats.intervals import clopper_pearson as clopper_pearson
    from percuss.stats.intervals import mover_difference as mover_difference
    from percuss.stats.intervals import mover_ratio as mover_ratio
    from percuss.stats.intervals import newcombe as newcombe
    from percuss.stats.intervals import student_t as student_t
    from percuss.stats.intervals import wilson as wilson
    from percuss.stats.intraclass import icc as icc
    from percuss.stats.kappa import cohen_kappa as cohen_kappa
    from percuss.stats.multiplicity import benjamini_hochberg as benjamini_hochberg
    from percuss.stats.multiplicity import bonferroni as bonferroni
    from percuss.stats.multiplicity import holm as holm
    from percuss.stats.multirater import fleiss_kappa as fleiss_kappa
    from percuss.stats.multirater import gwet_ac as gwet_ac
    from percuss.stats.paired import Detectable as Detectable
    from percuss.stats.paired import Equivalence as Equivalence
    from percuss.stats.paired import detectable_rates as detectable_rates
    from percuss.stats.paired import equivalence as equivalence
    from percuss.stats.paired import mcnemar_exact as mcnemar_exact
    from percuss.stats.paired import sign_flip_test as sign_flip_test
    from percuss.stats.paired import smallest_detectable as smallest_detectable
    from percuss.stats.paired import two_proportion_z as two_proportion_z
    from percuss.stats.power import Power as Power
    from percuss.stats.power import power_hdi as power_hdi
    from percuss.stats.power import power_rates as power_rates
    from percuss.stats.ppi import Judged as Judged
    from percuss.stats.ppi import ppi_difference as ppi_difference
    from percuss.stats.ppi import ppi_hdi as ppi_hdi
    from percuss.stats.ppi import ppi_rate as ppi_rate
    from percuss.stats.ppi import ppi_ratio as ppi_ratio
    from percuss.stats.rankings import BradleyTerry as BradleyTerry
    from percuss.stats.rankings import bradley_terry as bradley_terry
    from percuss.stats.rankings import mean_rank as mean_rank
    from percuss.stats.ranks import kendall_tau_b as kendall_tau_b
    from percuss.stats.ranks import spearman_exact as spearman_exact
    from percuss.stats.ratios import ratio_bootstrap as ratio_bootstrap
    from percuss.stats.ratios import ratio_differences as ratio_differences
    from percuss.stats.readers import mrmc_difference as mrmc_difference
    from percuss.stats.relative import relative_risk as relative_risk
    from percuss.stats.reliability import krippendorff_alpha as krippendorff_alpha
    from percuss.stats.result import Result as Result
    from percuss.stats.result import StatsError as StatsError
    from percuss.stats.separation import RankInterval as RankInterval
    from percuss.stats.separation import rank_intervals as rank_intervals
    from percuss.stats.separation import tie_letters as tie_letters
    from percuss.stats.shifts import mean_shift as mean_shift
    from percuss.stats.shifts import paired_shift as paired_shift

__all__ = list(_HOME)
