"""What a protocol says about a source of cases: which layout it was, what was used, and what was left out."""

from collections.abc import Callable, Iterator

from percuss.core.records import Case
from percuss.core.strict import Record

__all__ = ["Found", "Sourced"]


class Found(Record):
    """What was found in a source of cases.

    Args:
        layout: the layout that was recognised, in words ("RAGAS columns", "FHIR R4").
        cases: how many cases it gave.
        fields: field of a case -> where it was taken from.
        left_out: what was left out -> how often.
        answers: says how to use the answers that the source also holds; "" where it holds none.
        warnings: what looks wrong in what was read beside the cases (a knowledge base), a sentence each; it stops nothing.
        guarded: records of patients from a hospital's systems; they may leave this machine only when the user says so.
    """

    layout: str
    cases: int
    fields: dict[str, str] = {}
    left_out: dict[str, int] = {}
    answers: str = ""
    warnings: tuple[str, ...] = ()
    guarded: bool = False

    @property
    def sentence(self) -> str:
        """What was read, used and left out, in one line."""
        parts = [f"{self.layout}, {self.cases:,} {'case' if self.cases == 1 else 'cases'}"]
        if self.fields:
            parts.append(", ".join(f"{name} from {where}" for name, where in self.fields.items()))
        if self.left_out:
            counts = ", ".join(f"{what} {count:,}" for what, count in self.left_out.items())
            parts.append(f"left out: {counts}")
        return "; ".join(parts)


class Sourced(Iterator[Case]):
    """Cases as they are read, which can say afterwards what was found.

    Args:
        cases: the cases, read lazily.
        found: called when they have been read.
    """

    def __init__(self, cases: Iterator[Case], found: Callable[[], Found]) -> None:
        self._cases = cases
        self._found = found

    def __next__(self) -> Case:
        return next(self._cases)

    @property
    def found(self) -> Found:
        """What was found so far; whole once all cases were read."""
        return self._found()
