"""The conditioning scoring: the claims and verdicts with which followers are posed, by raters of its own."""

from collections.abc import Sequence
from typing import Any

from percuss.core.ports import Model, Roles
from percuss.core.protocol import Options, Protocol
from percuss.core.records import Arm, Scoring
from percuss.engine.identity import scoring_of
from percuss.engine.order import followed_for_verdicts

__all__ = ["CONDITIONING", "conditioning_of", "conditioning_roles"]

CONDITIONING = "conditioning"
"""Key of the manifest: id and raters of the conditioning scoring, where an arm needs the verdicts of the one before."""


def conditioning_roles(roles: Roles, judge: Model | None = None) -> Roles:
    """Return who rates for the conditioning scoring: the protocol's rules alone, or they and one judge.

    Args:
        roles: of the run; of them only the seed and the number of passes count.
        judge: of `--condition-on judge`; None: the rules alone.
    """
    models = {} if judge is None else {"judge": judge}
    return Roles(models, seed=roles.seed, judge_passes=roles.judge_passes, blobs=roles.blobs, once=roles.once)


def conditioning_of(
    protocol: Protocol[Any], options: Options, roles: Roles, arms: Sequence[Arm], judge: Model | None = None
) -> Scoring | None:
    """Return the conditioning scoring of a run; None where no arm needs the verdicts of the one before it.

    Args:
        protocol, options, roles: of the run. arms: that are asked. judge: as in `conditioning_roles`.
    """
    if not followed_for_verdicts(arms):
        return None
    return scoring_of(protocol, options, conditioning_roles(roles, judge))
