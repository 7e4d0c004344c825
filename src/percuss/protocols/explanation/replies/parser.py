"""The parser: what is the answer, what is told of influences, and everything else is reasoning.

Tags come first, then JSON, then prose. Whatever the layout, all text but the answer is kept, in order.
"""

import json
import re
from collections.abc import Sequence

from percuss.protocols.explanation.answers import option_of
from percuss.protocols.explanation.replies.leaves import Leaf, objects
from percuss.protocols.explanation.replies.parts import Layout, Parsed, Stretch, without
from percuss.protocols.explanation.replies.prose import said_in

__all__ = ["parse", "reasoning_of"]

Span = tuple[int, int]
_ANSWER = re.compile(r"<\s*answer\s*>(.*?)(?:<\s*/\s*answer\s*>|\Z)", re.IGNORECASE | re.DOTALL)
_INFLUENCE = re.compile(
    r"<\s*external[\s_-]*influence\s*>(.*?)(?:<\s*/\s*external[\s_-]*influence\s*>|(?=<\s*/?\s*(?:think|answer|step))|\Z)",
    re.IGNORECASE | re.DOTALL,
)
_THINK = re.compile(r"<\s*think(?:ing)?\s*>", re.IGNORECASE)
_TAG = re.compile(r"<\s*/?\s*(?:think(?:ing)?|step|answer|external[\s_-]*influence)\b[^<>]*>", re.IGNORECASE)
_FENCE = re.compile(r"^[ \t]*```[ \t]*[A-Za-z]*[ \t]*$", re.MULTILINE)
#: `answer`, `Final Answer`, `final_answer`, `prediction`, `choice`.
_ANSWER_KEY = re.compile(
    r"(?:(?:final|my|correct)[\s_-]*)?(?:answer|prediction|choice|option|conclusion)", re.IGNORECASE
)
_VALUE_KEY = re.compile(r"value|text|label|option|choice|answer|selected|name", re.IGNORECASE)
_INFLUENCE_KEY = re.compile(r"(?:external[\s_-]*)?influences?(?:[\s_-]*(?:by|note))?", re.IGNORECASE)
#: Keys that only name a field; every other one says something itself.
_FIELD = re.compile(
    r"(?:steps?|think(?:ing)?|thoughts?|reason(?:s|ing)?|findings?|meaning|observations?|interpretation|explanation|"
    r"rationale|analysis|note|evidence|basis|why|comment|summary|description|text|value|result|output|response|final|"
    r"index|number|id|confidence)[\s_-]*\d*",
    re.IGNORECASE,
)
_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{4}|.)", re.DOTALL)
_PLAIN = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


def parse(text: str, options: tuple[str, ...], *, finish: str | None = None) -> Parsed:
    """Take a reply apart: tags in any case and spacing, JSON however nested, or prose.

    Args:
        text: the reply.
        options: of the question.
        finish: how the reply ended; `length` without an answer is a reply that was cut, and no invalid one.
    """
    if not text.strip():
        return Parsed(None, None, "empty", (), (), cut=finish == "length")
    tagged = [match for match in _ANSWER.finditer(text) if match.group(1).strip()]
    parsed = _tagged(text, tagged[-1], options) if tagged else _untagged(text, options)
    closed = bool(tagged) and tagged[-1].group().rstrip().endswith(">")
    if parsed.option is None and finish == "length" and not closed:
        return Parsed(None, None, parsed.layout, parsed.reasoning, parsed.influence, parsed.given, cut=True)
    return parsed


def reasoning_of(text: str) -> tuple[tuple[Stretch, ...], tuple[Stretch, ...]]:
    """Return reasoning and what is told of influences in a turn that gives no answer yet."""
    leaves = list(objects(text))
    return _split(text, (), leaves, None)


def _tagged(text: str, last: re.Match[str], options: tuple[str, ...]) -> Parsed:
    start, stop = last.span(1)
    inside = [leaf for _, _, found, _ in objects(text, start, stop) for leaf in found]
    chosen = _answer_leaf(text, inside, options, within=True)
    reasoning, influence = _split(text, () if chosen else ((start, stop),), list(objects(text)), chosen)
    answer = text[chosen.start : chosen.stop] if chosen else text[start:stop].strip()
    layout: Layout = "tags" if _THINK.search(text[: last.start()]) else "answer_only"
    given = ((chosen.start, chosen.stop),) if chosen else ((start, stop),)
    return Parsed(answer, option_of(answer, options), layout, reasoning, influence, given)


def _untagged(text: str, options: tuple[str, ...]) -> Parsed:
    found = list(objects(text))
    chosen = _answer_leaf(text, [leaf for _, _, leaves, _ in found for leaf in leaves], options)
    if chosen is not None:
        answer = _decoded(text[chosen.start : chosen.stop])
        option = option_of(answer, options)
        # An answer that is a whole explanation names no option and is reasoning all the same.
        kept = None if option is None and len(answer.split()) > 6 else chosen
        reasoning, influence = _split(text, (), found, kept)
        given = () if kept is None else ((kept.start, kept.stop),)
        return Parsed(answer, option, "json", reasoning, influence, given)
    said = said_in(text, options)
    reasoning, influence = _split(text, said.spans, found, None)
    layout: Layout = "json" if found else "untagged"
    return Parsed(said.answer, said.option, layout, reasoning, influence, said.spans, why=said.why)


def _answer_leaf(
    text: str, leaves: Sequence[Leaf], options: tuple[str, ...], *, within: bool = False
) -> Leaf | None:
    """Return the value that is the answer: the last that names an option, else the last under an answer's key."""
    under = [leaf for leaf in leaves if not leaf.key and (_is_answer(leaf) or (within and _is_value(leaf)))]
    valid = [leaf for leaf in under if option_of(_decoded(text[leaf.start : leaf.stop]), options) is not None]
    return next(iter(reversed(valid or under)), None)


def _is_answer(leaf: Leaf) -> bool:
    names = [part for part in leaf.path if isinstance(part, str)]
    if not names:
        return False
    if _ANSWER_KEY.fullmatch(names[-1].strip()):
        return True
    return len(names) > 1 and bool(_ANSWER_KEY.fullmatch(names[-2].strip())) and _is_value(leaf)


def _is_value(leaf: Leaf) -> bool:
    names = [part for part in leaf.path if isinstance(part, str)]
    return bool(names) and _VALUE_KEY.fullmatch(names[-1].strip()) is not None


def _split(
    text: str,
    answers: Sequence[Span],
    found: Sequence[tuple[int, int, tuple[Leaf, ...], bool]],
    chosen: Leaf | None,
) -> tuple[tuple[Stretch, ...], tuple[Stretch, ...]]:
    """Return all text but the answer as reasoning and influence, in the order of the reply."""
    told = [match.span(1) for match in _INFLUENCE.finditer(text)]
    holes = [*answers, *(match.span() for match in (*_TAG.finditer(text), *_FENCE.finditer(text)))]
    reasoning: list[Stretch] = []
    influence: list[Stretch] = []
    at = 0
    for start, stop, leaves, _ in [*found, (len(text), len(text), (), True)]:
        reasoning += without(text, at, start, [*holes, *told])
        influence += [
            part
            for low, high in told
            for part in without(text, max(low, at), min(high, start), holes)
            if low < start and high > at
        ]
        for leaf in leaves:
            if (
                leaf is chosen
                or not _says(text, leaf)
                or any(a <= leaf.start and leaf.stop <= b for a, b in answers)
            ):
                continue
            (influence if _of_influence(leaf) else reasoning).extend(_read(text, leaf))
        at = stop
    return tuple(reasoning), tuple(influence)


def _says(text: str, leaf: Leaf) -> bool:
    """Whether a leaf is text: any string or number, and a key that is more than the name of a field."""
    held = text[leaf.start : leaf.stop]
    if leaf.key:
        name = held.strip()
        return not any(known.fullmatch(name) for known in (_FIELD, _ANSWER_KEY, _INFLUENCE_KEY, _VALUE_KEY))
    return bool(held.strip()) if leaf.quoted else held not in {"null", "None"}


def _of_influence(leaf: Leaf) -> bool:
    return any(isinstance(part, str) and _INFLUENCE_KEY.fullmatch(part.strip()) for part in leaf.path)


def _read(text: str, leaf: Leaf) -> list[Stretch]:
    """Return a string's stretches: escapes are stretches of their own, so that every offset stays true."""
    out: list[Stretch] = []
    at = leaf.start
    for match in _ESCAPE.finditer(text, leaf.start, leaf.stop):
        if match.start() > at:
            out.append(Stretch(at, match.start(), text[at : match.start()], glued=bool(out)))
        out.append(Stretch(match.start(), match.end(), _unescaped(match.group()), glued=bool(out)))
        at = match.end()
    if at < leaf.stop:
        out.append(Stretch(at, leaf.stop, text[at : leaf.stop], glued=bool(out)))
    return out


def _decoded(text: str) -> str:
    return _ESCAPE.sub(lambda match: _unescaped(match.group()), text)


def _unescaped(escape: str) -> str:
    if len(escape) > 2:
        return str(json.loads(f'"{escape}"'))
    return _PLAIN.get(escape[1], escape[1])
