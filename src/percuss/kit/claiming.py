"""Ways to split an answer into claims: its sentences, or the whole of it."""

from percuss.core.ports import Roles
from percuss.core.protocol import Options
from percuss.core.records import Case, Claim, Response
from percuss.judging.extract import extract, unfinished_end

__all__ = ["sentences", "whole_answer"]


async def sentences(case: Case, response: Response, roles: Roles, options: Options) -> tuple[Claim, ...]:
    """Return the sentences of an answer as claims; the unfinished end of a cut one is marked.

    Args:
        case, roles, options: not used: claims are the model's words alone. response: a done one.
    """
    del case, roles, options
    return extract(response)


async def whole_answer(case: Case, response: Response, roles: Roles, options: Options) -> tuple[Claim, ...]:
    """Return the last turn of the model as one claim; none where it is empty, and an unfinished one is marked.

    Args:
        case, roles, options: not used: claims are the model's words alone. response: a done one.
    """
    del case, roles, options
    turn = next(turn for turn in reversed(response.turns) if turn.role == "assistant")
    if not turn.text.strip():
        return ()
    return (
        Claim.of(
            response.id,
            turn=turn.index,
            start=0,
            stop=len(turn.text),
            text=turn.text,
            extractor="rule:whole",
            payload={"truncated": True} if unfinished_end(response) is not None else None,
        ),
    )
