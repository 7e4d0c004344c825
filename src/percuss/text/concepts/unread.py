"""Words that nothing which was read hangs on: a sentence with such a word may say more than was understood."""

from collections.abc import Sequence

from percuss.text.concepts.matching import Scan
from percuss.text.concepts.record import Span, Statement
from percuss.text.numbers import Number

__all__ = ["unread_spans"]

# Words that carry no claim by themselves beside what they stand next to.
_PLAIN = frozenset(
    "a an the of in on at to for with by from and or but as is are was were be been being has have had having do does did this that these those it its "
    "he she they his her their him them there here who which what when where while than then also both each any all some only just very more most less "
    "patient patients man woman boy girl mr mrs ms dr case shows showed show shown reveals revealed demonstrates demonstrated indicates indicated "
    "presents presented presenting reports reported complains complained states stated notes noted describes described found finding findings seen "
    "observed present level levels value values result results measured measures measuring recorded reading readings current currently now today "
    "old year years day days week weeks month months hour hours time times per about approximately around nearly roughly mg ml admission arrival "
    "up down out into over under within during after before since between among through via due because given takes taking took taken receives "
    "received receiving regular regularly alongside started treated treatment history known documented diagnosed diagnosis evidence remains remained revealed respectively "
    "not no without nor neither never can could may might will would should s t".split()
)


def unread_spans(found: Scan, statements: Sequence[Statement], counted: Sequence[Number]) -> tuple[Span, ...]:
    """Return the places of words that no statement, number, trigger or plain word covers.

    Args:
        found: the scan. statements: what was read. counted: all numbers of the text.
    """
    held = [
        span for statement in statements for span in (*statement.spans, (statement.start, statement.stop))
    ]
    held.extend((number.start, number.stop) for number in counted)
    held.extend(
        (hit.start, hit.stop) for hit in found.hits if len(hit.meaning.entries) > len(hit.meaning.named)
    )
    held.sort()
    left: list[Span] = []
    place, reached = 0, -1
    for word, start in zip(found.words, found.starts, strict=True):
        while place < len(held) and held[place][0] <= start:
            reached = max(reached, held[place][1])
            place += 1
        if start >= reached and word.lower() not in _PLAIN:
            left.append((start, start + len(word)))
    return tuple(left)
