"""What a rule checker says of one claim."""

from typing import Any, Literal

from percuss.core.labels import Support
from percuss.core.strict import Record
from percuss.evidence.packet import Value

__all__ = ["LONGEST", "MOST_NUMBERS", "Finding", "Token", "too_long"]

LONGEST = 10_000
"""Characters of the longest claim that is read (ours): more is no sentence, and would only cost time."""
MOST_NUMBERS = 100
"""Numbers of a claim that are held against the evidence (ours); the others of a longer list are left out."""

Outcome = Literal["match", "mismatch", "finer"]


class Token(Record):
    """A checkable piece of a claim.

    Args:
        kind: number, enumerated, modality, specific, abstention; of texts also quote, date, drug.
        start, stop: its place in the claim's text.
        outcome: match, mismatch, or finer (consistent with the packet but more exact than it).
        path: the fact that decided: the one matched, or the one that the token is bound to; None = no fact.
        value: that fact's value.
        field: the enumerated field or layer that the token names; "" for a number.
        bound: whether the claim's words tie the token to that field.
        unseen: matched only by facts of layers that the arm did not show.
    """

    kind: str
    text: str
    start: int
    stop: int
    outcome: Outcome
    path: str | None = None
    value: Value = None
    field: str = ""
    bound: bool = False
    unseen: bool = False

    @property
    def words(self) -> str:
        """The token's outcome in a few words."""
        if self.path is None:
            return f"{self.text.strip()} {'is' if self.outcome == 'match' else 'is not'} in the evidence"
        verb = {"match": "matches", "mismatch": "doesn't match", "finer": "is more exact than"}[self.outcome]
        return f"{self.text.strip()} {verb} {self.path} ({self.value})"


class Finding(Record):
    """Label of one claim by rule: exactly one of `label` and `unscored`.

    Args:
        label: one of the four support labels; None where the rule can't decide.
        unscored: reason, e.g. "not_checkable:rule undecided".
        hedged, absent: whether a hedge or an absence cue was read.
    """

    label: Support | None = None
    unscored: str | None = None
    tokens: tuple[Token, ...] = ()
    hedged: bool = False
    absent: bool = False
    note: str = ""

    @property
    def matches_unseen(self) -> bool:
        """Whether some value matches only facts that the arm did not show."""
        return any(token.unseen and token.outcome == "match" for token in self.tokens)

    @property
    def rationale(self) -> str:
        """One sentence for a person."""
        said = "; ".join(token.words for token in self.tokens[:6]) or "nothing that a rule can check"
        parts = [said, "hedged" if self.hedged else "", self.note]
        return "; ".join(part for part in parts if part) + "."

    def evidence(self) -> tuple[dict[str, Any], ...]:
        """Return what the verdict hangs on, one mapping a token (`Verdict.evidence`)."""
        return tuple(
            {
                "kind": token.kind,
                "text": token.text,
                "start": token.start,
                "stop": token.stop,
                "outcome": token.outcome,
                "path": token.path,
                "value": token.value,
                "field": token.field,
                "bound": token.bound,
                "unseen": token.unseen,
            }
            for token in self.tokens
        )


def too_long(claim: str) -> Finding | None:
    """Return the finding of a claim that is too long to be a sentence, or None."""
    return Finding(unscored="not_checkable:claim too long") if len(claim) > LONGEST else None
