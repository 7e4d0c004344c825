"""The rule extractor: a response's sentences are its claims."""

from percuss.core.records import Claim, Response
from percuss.text.kinds import kinds, primary
from percuss.text.sentences import is_finished, is_heading, split

__all__ = ["EXTRACTOR", "extract", "is_truncated", "unfinished_end"]

EXTRACTOR = "rule:sentences"


def extract(response: Response) -> tuple[Claim, ...]:
    """Return the claims of a response: the sentences of its assistant turns, headings left out.

    Args:
        response: a done response. Where its last reply was cut at max_tokens (finish `length`), the last sentence is kept
            as a claim with `payload["truncated"]` unless it is whole; cells count it as excluded, reason `truncated`.

    Returns:
        Claims in order with `turn_text[start:stop] == text`; () where nothing was claimed.
    """
    claims: list[Claim] = []
    cut_at = unfinished_end(response)
    for turn in response.turns:
        if turn.role != "assistant":
            continue
        text = turn.text
        for start, stop in split(text):
            sentence = text[start:stop]
            unfinished = cut_at == (turn.index, start)
            held = kinds(sentence)
            if is_heading(sentence) and not unfinished and "tier" not in held:
                continue
            claims.append(
                Claim.of(
                    response.id,
                    turn=turn.index,
                    start=start,
                    stop=stop,
                    text=sentence,
                    extractor=EXTRACTOR,
                    kind=primary(held),
                    kinds=held,
                    payload={"truncated": True} if unfinished else None,
                )
            )
    return tuple(claims)


def unfinished_end(response: Response) -> tuple[int, int] | None:
    """Return (turn, start) of the unfinished last sentence of a reply that was cut at max_tokens; None where it is whole."""
    last = next((turn for turn in reversed(response.turns) if turn.role == "assistant"), None)
    if response.finish != "length" or last is None:
        return None
    spans = split(last.text)
    if not spans or is_finished(last.text[slice(*spans[-1])]):
        return None
    return last.index, spans[-1][0]


def is_truncated(claim: Claim) -> bool:
    """Tell whether a claim is the unfinished end of a reply that was cut; it is excluded as `truncated`."""
    return bool(claim.payload.get("truncated"))
