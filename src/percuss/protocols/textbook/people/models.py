"""How people see the models: mean ranks and labels by type and by annotator, bias, severity, flags, usefulness (paper, Figures 1 to 4)."""

from collections.abc import Callable, Sequence

import numpy as np

from percuss.measure.ranks import tau_b
from percuss.protocols.textbook.items.item import FORWARD, INVERSE, TYPES
from percuss.protocols.textbook.people.ranking import Placed
from percuss.stats.intervals import wilson
from percuss.stats.ranks import spearman_exact
from percuss.stats.result import Result

__all__ = ["GRADES", "Cell", "bias", "flag_rates", "means", "severity", "usefulness", "usefulness_by"]

GRADES = ("bad", "okay", "good")
"""Labels of an answer, the worst first; the place is what each is worth (paper, Figure 2)."""
Cell = tuple[float, int]
"""Mean and how many judgements."""


def means(
    placed: Sequence[Placed], of: Callable[[Placed], float | None], by: Callable[[Placed], str]
) -> dict[tuple[str, str], Cell]:
    """Return (row, model) -> mean and n: Figures 1 and 2 by type, Figures 3 and 4 by annotator.

    Args:
        placed: judgements. of: the value (`rank`, `quality`); None is left out. by: what names a row.
    """
    held: dict[tuple[str, str], list[float]] = {}
    for one in placed:
        value = of(one)
        if value is not None:
            held.setdefault((by(one), one.model), []).append(float(value))
    return {key: (float(np.mean(values)), len(values)) for key, values in held.items()}


def bias(placed: Sequence[Placed], least: int = 400) -> dict[str, tuple[str, float | None]]:
    """Return annotator -> favourite model and tau-b of its mean ranks against the others' (paper, Figure 3).

    Args:
        placed: judgements. least: judgements below which an annotator has no tau.
    """
    out = {}
    for rater in sorted({one.rater for one in placed}):
        own = [one for one in placed if one.rater == rater]
        mine = {m: v for (_, m), (v, _) in means(own, lambda p: p.rank, lambda _: "").items()}
        rest = {
            m: v
            for (_, m), (v, _) in means(
                [p for p in placed if p.rater != rater], lambda p: p.rank, lambda _: ""
            ).items()
        }
        shared = [m for m in mine if m in rest]
        tau = None
        if len(own) >= least and len(shared) > 1:
            value = float(tau_b(np.array([mine[m] for m in shared]), np.array([rest[m] for m in shared])))
            tau = None if np.isnan(value) else value
        out[rater] = (min(mine, key=lambda m: mine[m]), tau)
    return out


def flag_rates(placed: Sequence[Placed]) -> dict[str, Result]:
    """Return model -> share of labelled answers with an unsupported claim, Wilson's interval."""
    out = {}
    for model in dict.fromkeys(one.model for one in placed):
        said = [one.unsupported for one in placed if one.model == model and one.unsupported is not None]
        if said:
            out[model] = wilson(sum(said), len(said))
    return out


def severity(placed: Sequence[Placed]) -> dict[tuple[str, str, str], Result]:
    """Return (model, type, grade) -> share of judgements with that grade, Wilson's interval."""
    out = {}
    for model, kind in dict.fromkeys((one.model, one.type) for one in placed):
        grades = [
            one.quality
            for one in placed
            if (one.model, one.type) == (model, kind) and one.quality is not None
        ]
        for value, word in enumerate(GRADES):
            if grades:
                out[model, kind, word] = wilson(grades.count(value), len(grades))
    return out


def usefulness(placed: Sequence[Placed]) -> Result:
    """Return Spearman's rho of models' hallucination rate and mean usefulness, with the exact permutation p."""
    flags = flag_rates(placed)
    likert = {m: v for (_, m), (v, _) in means(placed, lambda p: p.quality, lambda _: "").items()}
    models = [m for m in flags if m in likert]
    return spearman_exact([flags[m].value or 0.0 for m in models], [likert[m] for m in models])


def usefulness_by(placed: Sequence[Placed]) -> dict[str, Result]:
    """Return `all types`, each type, and forward against inverse open questions -> rho of hallucination and usefulness.

    Args:
        placed: judgements; a part with fewer than three models has an undefined rho.
    """
    parts: dict[str, set[str]] = {"all types": {*TYPES, ""}, **{kind: {kind} for kind in TYPES}}
    parts |= {"forward": set(FORWARD.values()), "inverse": set(INVERSE)}
    held = {name: [one for one in placed if one.type in kinds] for name, kinds in parts.items()}
    return {
        name: usefulness(some)
        for name, some in held.items()
        if any(one.unsupported is not None for one in some)
    }
