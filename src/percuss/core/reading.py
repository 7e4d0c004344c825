"""How often a reader is right: what an estimate carries of the passport of whoever made its labels."""

from percuss.core.strict import Record

__all__ = ["ReadRight"]


class ReadRight(Record):
    """How often a reader was right on labelled text: its passport, as an estimate carries it.

    Args:
        corpus, date, n: labelled texts, when they were scored, how many. right: share read right, an undecided being not.
        false_unsupported, false_supported: errors by true class; None where the reader reads no support.
        floors_met: whether it may carry a headline. version: of the reader that was scored; "" = not said.
    """

    corpus: str
    date: str
    n: int
    right: float
    false_unsupported: float | None = None
    false_supported: float | None = None
    floors_met: bool = False
    version: str = ""
