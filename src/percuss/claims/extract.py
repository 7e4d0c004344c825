"""The rule extractor: a response's sentences are its claims."""

from percuss.claims.kinds import kinds, primary
from percuss.claims.sentences import is_finished, is_heading, split
from percuss.core.records import Claim, Response

__all__ = ["EXTRACTOR", "extract", "is_truncated"]

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
    last = max((turn.index for turn in response.turns if turn.role == "assistant"), default=-1)
    for turn in response.turns:
        if turn.role != "assistant":
            continue
        text = turn.text
        spans = split(text)
        cut = response.finish == "length" and turn.index == last
        for number, (start, stop) in enumerate(spans, start=1):
            sentence = text[start:stop]
            unfinished = cut and number == len(spans) and not is_finished(sentence)
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


def is_truncated(claim: Claim) -> bool:
    """Tell whether a claim is the unfinished end of a reply that was cut; it is excluded as `truncated`."""
    return bool(claim.payload.get("truncated"))
