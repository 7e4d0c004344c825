"""What the simulated reader of films is tested with: what it is told, its pictures, and the cases with their targets."""

from typing import Any

from percuss.core.ports import Blobs
from percuss.core.records import Blob
from percuss.protocols.explanation.armnames import parse_arm
from percuss.protocols.explanation.arms import target_of
from percuss.protocols.explanation.cases import cases
from percuss.protocols.explanation.options import ExplanationOptions
from percuss.protocols.explanation.record import question_of
from percuss.protocols.explanation.told import told_to_reader

__all__ = ["Films", "extras", "posed"]


class Films:
    """Pictures of a run that is not there yet: models are made first, the run's folder after them."""

    def __init__(self) -> None:
        self.run: Blobs | None = None

    def get(self, digest: str) -> Blob:
        """Return the blob, or raise `KeyError`."""
        if self.run is None:
            raise KeyError(digest)
        return self.run.get(digest)

    def put(self, blob: Blob) -> None:
        """Keep the blob in the run."""
        if self.run is not None:
            self.run.put(blob)


def extras(films: Films) -> dict[str, Any]:
    """Return what `phantom/reader` is constructed with."""
    return {"questionnaire": told_to_reader(), "blobs": films}


def posed(settings: dict[str, Any], arms: tuple[str, ...], seed: int) -> list[dict[str, Any]]:
    """Return the bundled cases as the reader's expectation needs them: question, true answer, target by arm.

    Args:
        settings: fields of the protocol's options.
        arms: names.
        seed: root seed.
    """
    options = ExplanationOptions(**settings)
    rows = []
    for case in cases(None, options, seed):
        question, truth = question_of(case), case.payload["answer"]
        drawn = {arm: target_of(case.id, question, truth, parse_arm(arm), options, seed) for arm in arms}
        targets = {arm: target for arm, target in drawn.items() if isinstance(target, str)}
        rows.append({"question": question.id, "answer": truth, "targets": targets})
    return rows
