"""The self-conditioning test: the last turn asked again, on a history from which sentences were deleted."""

import re

from percuss.core import seeds
from percuss.core.records import Claim, Earlier, Message, NotApplicable

__all__ = ["CONTROL", "HISTORIES", "OWN", "REDACTED", "edited"]

OWN, REDACTED, CONTROL = "history:own", "history:redacted", "history:control"
HISTORIES = (OWN, REDACTED, CONTROL)


def edited(
    opening: tuple[Message, ...], earlier: Earlier, arm: str, seed: int
) -> tuple[Message, ...] | NotApplicable:
    """Return the conversation up to its last question, with sentences of earlier answers deleted.

    Args:
        opening: system and first question. earlier: the conversation, checked. arm: which sentences go. seed: of the draw.

    `redacted` deletes the sentences of hallucinated claims; `control` as many whose claims are all right. A conversation
    with fewer of these than of those is left out of both, since it has no pair.
    """
    turns = earlier.response.turns
    last = max((turn.index for turn in turns if turn.role == "user"), default=-1)
    if last < 0:
        return NotApplicable(reason="the conversation has one turn")
    bad, good = _sentences(earlier, last)
    if arm in {REDACTED, CONTROL} and len(good) < len(bad):
        return NotApplicable(reason="fewer right sentences than hallucinated ones")
    gone = {REDACTED: bad, CONTROL: _drawn(good, len(bad), seed, earlier.response.id)}.get(arm, [])
    messages = list(opening)
    for turn in turns:
        if turn.index <= last:
            text = turn.text if turn.role == "user" else _without(turn.text, turn.index, gone, earlier.claims)
            messages.append(Message.of(turn.role, text))
    return tuple(messages)


Span = tuple[int, int, int]
"""Turn, start and stop of a sentence."""


def _sentences(earlier: Earlier, last: int) -> tuple[list[Span], list[Span]]:
    """Return the sentences with a hallucinated claim, and those whose claims are all verified, before the last question."""
    labels = {v.subject: v.label for v in earlier.verdicts if v.aspect == "support" and v.label is not None}
    said: dict[Span, set[str | None]] = {}
    for claim in earlier.claims:
        if claim.turn < last and "reference" in claim.payload:
            said.setdefault((claim.turn, claim.start, claim.stop), set()).add(labels.get(claim.id))
    bad = sorted(span for span, found in said.items() if "unsupported" in found)
    return bad, sorted(span for span, found in said.items() if found == {"supported"})


def _drawn(good: list[Span], n: int, seed: int, response: str) -> list[Span]:
    order = seeds.generator(seed, "control", response).permutation(len(good))
    return [good[place] for place in order[:n]]


def _without(text: str, turn: int, gone: list[Span], claims: tuple[Claim, ...]) -> str:
    """Delete sentences with their markers, and the entries of the list that nothing else cites."""
    cuts = [(start, stop) for at, start, stop in gone if at == turn]
    own = [claim for claim in claims if claim.turn == turn and "reference" in claim.payload]
    entries: dict[tuple[int, int], bool] = {}
    for claim in own:
        lost = (claim.start, claim.stop) in cuts
        cuts += [tuple(claim.payload["marker"])] if lost else []
        where = (
            int(claim.payload["reference"].get("start", 0)),
            int(claim.payload["reference"].get("stop", 0)),
        )
        if where[1] > where[0]:
            entries[where] = entries.get(where, True) and lost
    for where in (where for where, lost in entries.items() if lost):
        label = re.search(r"[ \t]*[\[(]?\w{1,12}[\]).:]*[ \t]+\Z", text[: where[0]])
        cuts.append((label.start() if label else where[0], where[1]))
    kept, at = [], 0
    for start, stop in sorted(cuts):
        if stop > at:
            kept.append(text[at : max(at, start)])
            at = stop
    return re.sub(r"[ \t]+\n", "\n", "".join([*kept, text[at:]])).strip()
