"""Ask the model under test: one call, or the three turns describe, reason, answer (papers/1 appendix E)."""

from typing import Any

from msgspec.structs import replace

from percuss import kit
from percuss.core.ports import Roles
from percuss.core.records import Posed, Transcript
from percuss.protocols.explanation.options import ExplanationOptions

__all__ = ["ask"]


async def ask(posed: Posed, roles: Roles, options: ExplanationOptions) -> Transcript:
    """Put a pose to the model under test; the target of a cue is kept with the response.

    Args:
        posed: messages with the picture; `script["turns"]` are later messages of the user, if any.
        roles: `models["model"]`.
        options: the request policy.
    """
    transcript = await kit.ask(posed, roles, options)
    picture = next(iter(posed.blobs), None)
    kept: dict[str, Any] = {"target": posed.target, "picture": None if picture is None else picture.digest}
    if picture is not None and picture.recipe is not None:
        kept["recipe"] = picture.recipe
    return replace(transcript, artifacts=kept)
