"""Ask the model under test: one call, or the three turns describe, reason, answer (papers/1 appendix E)."""

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
    pictures = [blob.digest for blob in posed.blobs]
    return replace(
        transcript, artifacts={"target": posed.target, "picture": pictures[0] if pictures else None}
    )
