"""Readers that are tried, in turn, on a claim that no other decided."""

from collections.abc import Callable

from percuss.evidence.packet import Packet
from percuss.evidence.rules.support2.fielded import Fielded
from percuss.evidence.rules.support2.spoken.bottles import by_bottles
from percuss.evidence.rules.support2.spoken.cutoffs import by_threshold
from percuss.evidence.rules.support2.spoken.eased import by_easing
from percuss.evidence.rules.support2.spoken.expressed import by_expression, of_unmade
from percuss.evidence.rules.support2.spoken.framed import by_entries
from percuss.evidence.rules.support2.spoken.habits import by_habit
from percuss.evidence.rules.support2.spoken.kin import by_kin
from percuss.evidence.rules.support2.spoken.lungs import by_predicted, by_ratio, by_tps
from percuss.evidence.rules.support2.spoken.nodes import by_nodes
from percuss.evidence.rules.support2.spoken.reactions import by_reaction
from percuss.evidence.rules.support2.spoken.scored import by_score
from percuss.evidence.rules.support2.spoken.standing import by_standing
from percuss.evidence.rules.support2.spoken.stays import by_stay
from percuss.evidence.rules.support2.spoken.valued import by_value
from percuss.evidence.shapes import Shaped

__all__ = ["further"]

_GIVEN: tuple[Callable[[str, Packet], Fielded | None], ...] = (
    by_stay,
    by_kin,
    by_easing,
    by_entries,
    by_value,
)
_SHAPED: tuple[Callable[[str, Packet], Fielded | None], ...] = (
    by_habit,
    by_nodes,
    by_score,
    by_reaction,
    by_bottles,
    by_standing,
    by_predicted,
    by_ratio,
    by_tps,
    by_threshold,
    by_expression,
    of_unmade,
)


def further(claim: str, packet: Packet, held: Shaped) -> Fielded | None:
    """Return what the first reader that can tell says of a claim, with the place that its fact has in the packet; None where none can.

    Args:
        claim: the claim's text. packet: the case as it was given. held: the same in the shape that rules read.
    """
    for read in _SHAPED:
        found = read(claim, held.packet)
        if found is not None:
            return found._replace(path=held.places.get(found.path, found.path))
    for read in _GIVEN:
        found = read(claim, packet)
        if found is not None:
            return found
    return None
