"""What a reply is taken apart into: stretches of its text, with what they say once escapes are read."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

__all__ = ["Layout", "Parsed", "Stretch", "joined", "without"]

Layout = Literal["tags", "json", "answer_only", "untagged", "empty"]


@dataclass(frozen=True)
class Stretch:
    """A stretch of a reply.

    Args:
        start, stop: where it stands in the reply as it is.
        text: what it says; differs from the reply only where an escape of JSON was read.
        glued: it goes on where the stretch before it ended, within one string.
    """

    start: int
    stop: int
    text: str
    glued: bool = False


@dataclass(frozen=True)
class Parsed:
    """A reply taken apart.

    Args:
        answer: text of the answer as written, or None.
        option: the option that it names, or None where it is outside the vocabulary, missing or contradicts itself.
        layout: how the reply was written.
        reasoning: all text that is neither answer nor influence, in order.
        influence: what is told of influences.
        given: where the answer stands in the reply; all other text is reasoning or influence.
        cut: the reply ended before an answer, at the limit of its length.
        why: why there is no option, where more can be said than that there is none.
    """

    answer: str | None
    option: str | None
    layout: Layout
    reasoning: tuple[Stretch, ...]
    influence: tuple[Stretch, ...]
    given: tuple[tuple[int, int], ...] = ()
    cut: bool = False
    why: str = ""

    @property
    def state(self) -> Literal["valid", "invalid"]:
        """Whether the answer is an option."""
        return "invalid" if self.option is None else "valid"


def joined(stretches: Iterable[Stretch]) -> str:
    """Return the text of some stretches: a line each, the parts of one string together."""
    out = ""
    for stretch in stretches:
        out += stretch.text if stretch.glued or not out else "\n" + stretch.text
    return out


def without(text: str, start: int, stop: int, holes: Iterable[tuple[int, int]]) -> list[Stretch]:
    """Return what is left of a stretch of text beside some holes; parts of white space alone are dropped.

    Args:
        text: the reply. start, stop: of the stretch. holes: (start, stop), in any order, may overlap.
    """
    out = []
    for low, high in [*sorted(holes), (stop, stop)]:
        if high <= start and low != stop:
            continue
        end = min(low, stop)
        if end > start and text[start:end].strip():
            out.append(Stretch(start, end, text[start:end]))
        start = max(start, high)
    return out
