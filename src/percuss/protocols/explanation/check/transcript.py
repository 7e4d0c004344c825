"""A response taken apart over its turns: the answer of the last turn, the reasoning of all of them."""

from collections.abc import Sequence
from dataclasses import dataclass

from percuss.core.records import Response
from percuss.protocols.explanation.questions import Question
from percuss.protocols.explanation.replies import Parsed, Stretch, parse, reasoning_of

__all__ = ["Piece", "Told", "told"]


@dataclass(frozen=True)
class Piece:
    """A stretch of a turn's text; `glued` goes on where the piece before it ended."""

    turn: int
    start: int
    stop: int
    text: str
    glued: bool = False

    @classmethod
    def of(cls, turn: int, stretch: Stretch) -> "Piece":
        """Return a stretch of a turn, white space at its ends left out where it stands alone."""
        return cls(turn, stretch.start, stretch.stop, stretch.text, stretch.glued)


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
            None where the stretch runs over two turns.
        """
        _, places = _joined((*self.reasoning, *self.influence) if whole else self.reasoning)
        first = next((p for p in places if p[0] <= start < p[1]), None)
        last = next((p for p in places if p[0] < stop <= p[1]), None)
        if first is None or last is None or first[2].turn != last[2].turn:
            return None
        return {"turn": first[2].turn, "start": _at(first, start), "stop": _at(last, stop)}

    @property
    def reasoning_text(self) -> str:
        """The reasoning in one text; CF and CT are judged on it."""
        return _joined(self.reasoning)[0]

    @property
    def whole_text(self) -> str:
        """Reasoning and influence in one text; CA is judged on it."""
        return _joined((*self.reasoning, *self.influence))[0]


Place = tuple[int, int, Piece, int]


def _joined(pieces: Sequence[Piece]) -> tuple[str, list[Place]]:
    """Return pieces as one text, a line each, and where each stands in it: start, stop, piece, characters cut at its start."""
    text, places = "", list[Place]()
    for place, piece in enumerate(pieces):
        follows = place + 1 < len(pieces) and pieces[place + 1].glued
        left = piece.text if piece.glued else piece.text.lstrip()
        own = left if follows else left.rstrip()
        if not own:
            continue
        if text and not piece.glued:
            text += "\n"
        places.append((len(text), len(text) + len(own), piece, len(piece.text) - len(left)))
        text += own
    return text, places


def _at(place: Place, offset: int) -> int:
    """Return the offset in the reply of an offset in the joined text; within an escape, where that begins or ends."""
    start, stop, piece, cut = place
    if len(piece.text) == piece.stop - piece.start:
        return piece.start + cut + offset - start
    return piece.stop if offset >= stop else piece.start


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
            answer = parse(text, question.options, finish=turn.finish or response.finish)
        spans, told_of = (answer.reasoning, answer.influence) if last else reasoning_of(text)
        # Of several turns the last gives the answer alone: what else stands in it is no reasoning that was asked for.
        if not last or len(turns) == 1:
            reasoning += [Piece.of(turn.index, stretch) for stretch in spans]
            influence += [Piece.of(turn.index, stretch) for stretch in told_of]
    return Told(answer, tuple(reasoning), tuple(influence))
