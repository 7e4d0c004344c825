"""A response taken apart over its turns: the answer of the last turn, the reasoning of all of them."""

from dataclasses import dataclass

from percuss.core.records import Response
from percuss.protocols.explanation.answers import Parsed, parse, reasoning_of
from percuss.protocols.explanation.questions import Question

__all__ = ["Piece", "Told", "told"]


@dataclass(frozen=True)
class Piece:
    """A stretch of a turn's text."""

    turn: int
    start: int
    stop: int
    text: str


@dataclass(frozen=True)
class Told:
    """What a model told: its answer, its reasoning without answer and influence, and what it said of influences."""

    answer: Parsed
    reasoning: tuple[Piece, ...]
    influence: tuple[Piece, ...]

    def raw(self, start: int, stop: int, *, whole: bool = False) -> dict[str, int] | None:
        """Return where a stretch of `reasoning_text` (or `whole_text`) stands in the reply: turn, start, stop.

        Args:
            start, stop: in the joined text.
            whole: the offsets are of `whole_text`.

        Returns:
            None where the stretch runs over two pieces.
        """
        at = 0
        for piece in (*self.reasoning, *self.influence) if whole else self.reasoning:
            plain = piece.text.strip()
            if whole and not plain:
                continue
            if at <= start and stop <= at + len(plain):
                first = piece.start + len(piece.text) - len(piece.text.lstrip()) - at
                return {"turn": piece.turn, "start": first + start, "stop": first + stop}
            at += len(plain) + 1
        return None

    @property
    def reasoning_text(self) -> str:
        """The reasoning in one text; CF and CT are judged on it."""
        return "\n".join(piece.text.strip() for piece in self.reasoning)

    @property
    def whole_text(self) -> str:
        """Reasoning and influence in one text; CA is judged on it."""
        return "\n".join(
            piece.text.strip() for piece in (*self.reasoning, *self.influence) if piece.text.strip()
        )


def told(response: Response, question: Question) -> Told:
    """Return what a response told.

    Args:
        response: done; one or three turns of the model.
        question: whose options the answer may be.
    """
    turns = [turn for turn in response.turns if turn.role == "assistant"]
    reasoning: list[Piece] = []
    influence: list[Piece] = []
    answer = parse("", question.options)
    for place, turn in enumerate(turns):
        text = turn.text
        last = place == len(turns) - 1
        if last:
            answer = parse(text, question.options)
        spans, told_of = (answer.reasoning, answer.influence) if last else reasoning_of(text)
        # Of several turns the last gives the answer alone: what else stands in it is no reasoning that was asked for.
        if not last or len(turns) == 1:
            reasoning += [Piece(turn.index, a, b, text[a:b]) for a, b in spans]
            influence += [Piece(turn.index, a, b, text[a:b]) for a, b in told_of]
    return Told(answer, tuple(reasoning), tuple(influence))
