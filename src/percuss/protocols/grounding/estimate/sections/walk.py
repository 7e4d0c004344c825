"""One walk over all answers, for every section that reads claims: a large run is read once, not once a section."""

from collections.abc import Iterator
from itertools import groupby

from percuss.core.ports import ScoredResponse
from percuss.core.records import Case
from percuss.core.sections import ViewerCase
from percuss.protocols.grounding.estimate.labelled import entries_of
from percuss.protocols.grounding.estimate.sections.evidence import ByCase
from percuss.protocols.grounding.estimate.sections.left_out import Flow
from percuss.protocols.grounding.estimate.sections.reader import viewer_case
from percuss.protocols.grounding.estimate.sections.shelf import Shelf
from percuss.protocols.grounding.estimate.sections.where import Failures

__all__ = ["Walked"]


class Walked:
    """What the sections count over answers, and the cases of the reader.

    Args:
        shelf: the scoring. by_case_of: the model whose cases are drawn one by one; None for none.
    """

    def __init__(self, shelf: Shelf, by_case_of: str | None) -> None:
        counted = shelf.real or shelf.models
        self.flow, self.failures, self.by_case = Flow(), Failures(), ByCase(shelf)
        self.cases: list[ViewerCase] = []
        for case, found in _by_case(shelf):
            labelled = [entries_of(assessed, shelf.policy, shelf.labels) for assessed in found]
            for assessed, entries in zip(found, labelled, strict=True):
                if assessed.response.model in counted:
                    self.flow.add(assessed, entries)
                    self.failures.add(assessed, entries)
                if assessed.response.model == by_case_of:
                    self.by_case.add(assessed, entries)
            self.cases.append(viewer_case(case, found, labelled))


def _by_case(shelf: Shelf) -> Iterator[tuple[Case, list[ScoredResponse]]]:
    """Walk all models through the cases in step, so that no more than one case is held."""
    walks = [groupby(shelf.run.assessed(model=m), key=lambda a: a.case.id) for m in shelf.run.models]
    heads = [next(walk, None) for walk in walks]
    for case in shelf.run.cases():
        found: list[ScoredResponse] = []
        for at, head in enumerate(heads):
            if head is not None and head[0] == case.id:
                found.extend(head[1])
                heads[at] = next(walks[at], None)
        if found:
            yield case, found
