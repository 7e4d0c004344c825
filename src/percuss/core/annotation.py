"""What a person judges: one item of a study or of a sample, blinded."""

from typing import Any

from percuss.core.messages import Blob
from percuss.core.strict import Record

__all__ = ["AnnotationItem"]


class AnnotationItem(Record):
    """What a human sees of one thing to judge, already blinded.

    Args:
        subject: id of what is judged: a claim, a response, or what a protocol derives from them.
        model, arm: whose text it is, and under which condition it was written; never shown, a study draws over them.
        kind: kind of the thing judged; a study draws over it.
        stratum: further variables to draw over.
        shown: what is needed to judge and may tell nothing of model or arm: the question, the reference.
        content: the thing judged in the writer's own words and pictures: claim, answer, reasoning, picture. Shown too.
        hidden: never shown; comes back only in exports.
    """

    id: str
    subject: str
    response_id: str
    model: str = ""
    arm: str = ""
    kind: str = ""
    stratum: dict[str, str] = {}
    shown: dict[str, Any] = {}
    content: dict[str, Any] = {}
    hidden: dict[str, Any] = {}
    blobs: tuple[Blob, ...] = ()

    @property
    def fields(self) -> dict[str, Any]:
        """All that reaches the browser: `shown`, then `content`."""
        return {**self.shown, **self.content}

    @property
    def strata(self) -> dict[str, str]:
        """All that a study may draw over, by name."""
        typed = {"model": self.model, "arm": self.arm, "kind": self.kind}
        return {**{name: value for name, value in typed.items() if value}, **self.stratum}
