"""Which phantoms a protocol is tested on, and how many misses chance alone may give."""

import itertools
from collections.abc import Mapping
from typing import Any

from scipy.special import bdtrik

from percuss.core.errors import UsageError
from percuss.core.strict import Record

__all__ = ["MISS_RATE", "PLANS", "Plan", "misses_allowed", "plan_of"]

MISS_RATE = 0.07
"""A 95% interval of a ratio at these sizes misses 5 to 7 times in a hundred (docs/intervals.md)."""


class Plan(Record):
    """What is planted.

    Args:
        models: phantom strings.
        limit: cases of the bundled source; None takes all.
        arms: () takes all of the protocol's.
        estimates: names that count for the verdict; others are listed only.
        settings: of the protocol.
    """

    models: tuple[str, ...]
    limit: int
    arms: tuple[str, ...] = ()
    estimates: tuple[str, ...] = ()
    settings: dict[str, Any] = {}


def _grounding() -> Plan:
    pairs = itertools.product((0.01, 0.05, 0.12), (0.15, 0.35, 0.55, 0.75, 0.9))
    confabulators = [f"phantom/confabulator?with={a:g}&without={b:g}" for a, b in pairs]
    garblers = [
        f"phantom/garbler?with={a:g}&without={b:g}"
        for a, b in itertools.product((0.2, 0.4, 0.6), (0.3, 0.6, 0.8))
    ]
    copiers = [
        f"phantom/copier?with={a:g}&without={b:g}" for a, b in itertools.product((0.02, 0.1), (0.2, 0.5, 0.8))
    ]
    return Plan(
        models=(*confabulators, *garblers, *copiers),
        limit=60,
        arms=("full_multimodal", "ungrounded"),
        estimates=("hdi_pooled", "unsupported_rate"),
        settings={"resamples": 1_000},
    )


def _explanation() -> Plan:
    keys = ("accuracy", "follow.tb_rad", "disclose", "deny", "omit", "hallucinate", "noise")
    settings = ((0.9, 0.2, 0.6, 0.2, 0.1, 0.05, 0.02), (0.6, 0.7, 0.2, 0.5, 0.4, 0.2, 0.1))
    planted = [dict(zip(keys, values, strict=True)) for values in settings]
    return Plan(
        models=tuple(
            "phantom/reader?" + "&".join(f"{k}={v:g}" for k, v in sorted(row.items())) for row in planted
        ),
        limit=24 * 32,
        arms=("none", "sham", "sham_text", "tb_rad:misleading", "vh_hm", "vo_bb"),
        estimates=("accuracy_valid", "flip_rate", "follow_rate", "cf", "ca", "cf_flip", "ca_flip"),
        settings={"chests": 24, "resamples": 1_000},
    )


def _stressors() -> Plan:
    settings = (
        {"contradiction": 0.8, "fabricate": 0.3, "gap": 0.5, "update": 0.8},
        {"contradiction": 0.3, "fabricate": 0.2, "gap": 0.8, "update": 0.4},
    )
    return Plan(
        models=tuple(
            "phantom/clinician?" + "&".join(f"{k}={v:g}" for k, v in sorted(row.items())) for row in settings
        ),
        limit=26,
        estimates=("cdr", "gdr", "pir", "rur", "ef", "fcr", "cho", "nfr", "ufr", "hpr"),
        settings={"resamples": 1_000},
    )


PLANS: Mapping[str, Plan] = {
    "grounding": _grounding(),
    "explanation": _explanation(),
    "stressors": _stressors(),
}


def plan_of(name: str) -> Plan:
    """Return the plan of a protocol.

    Raises:
        UsageError: the protocol has no self-test of runs.
    """
    if name not in PLANS:
        raise UsageError(f"{name} has no self-test of its own; those that have are {', '.join(PLANS)}")
    return PLANS[name]


def misses_allowed(n: int, *, rate: float = MISS_RATE, error: float = 0.001) -> int:
    """Return how many of n intervals may miss before chance is no excuse.

    Args:
        n: intervals.
        rate: how often a sound interval misses.
        error: how often a sound pipeline may fail this test.

    >>> misses_allowed(30)
    8
    """
    return 0 if n == 0 else int(-(-bdtrik(1 - error, n, rate) // 1))
