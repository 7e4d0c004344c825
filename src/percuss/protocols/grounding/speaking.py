"""What each claim does, whether the question says it, and whether it tells truly what data there were."""

from collections.abc import Iterator, Sequence

import msgspec

from percuss.core.labels import Reason
from percuss.core.records import Case, Claim, Response, Verdict
from percuss.evidence.packet import Packet
from percuss.evidence.rules import strict
from percuss.evidence.rules.support2 import support2
from percuss.protocols.grounding.options import GroundingOptions, prompt
from percuss.protocols.grounding.record import reading
from percuss.text.acts import ABSTENTION, abstains, speech_act

__all__ = [
    "ABSTAINS",
    "ABSTENTION_ASPECT",
    "AVAILABILITY_ASPECT",
    "COMMITS",
    "FITS",
    "MISREADS",
    "abstention",
    "availability",
    "is_checked",
    "question_of",
    "with_acts",
]

ABSTENTION_ASPECT, AVAILABILITY_ASPECT = "abstention", "availability"
ABSTAINS, COMMITS = "abstains", "commits"
MISREADS, FITS = "misreads", "fits"
AVAILABILITY = "rule:availability-1"
NO_ASSERTIONS = frozenset({"availability", "general", "heading", "none"})
UNDECIDED = "undecided"


def question_of(case: Case, options: GroundingOptions) -> str:
    """Return the question's own text: the case's, or the one that the protocol asks of every case.

    Args:
        case: of this protocol. options: settings of the run, whose prompts are in force.
    """
    content = reading(case)
    return content.question or prompt(options, "question" if content.layered else "question_general")


def with_acts(claims: Sequence[Claim], question: str) -> tuple[Claim, ...]:
    """Return claims that carry their speech act as `act`, and `given` where the question says them.

    Args:
        claims: of one response. question: of `question_of`.
    """
    return tuple(
        msgspec.structs.replace(claim, payload={**claim.payload, **_read(claim.text, question)})
        for claim in claims
    )


def _read(text: str, question: str) -> dict[str, object]:
    act = speech_act(text, question).act or UNDECIDED
    given = act not in NO_ASSERTIONS and support2(text, Packet(), question).label == "given"
    return {"act": act, "given": True} if given else {"act": act}


def is_checked(claim: Claim) -> bool:
    """Say whether support is asked of a claim: of an assertion, hedged or not, that the question doesn't hold.

    Args:
        claim: without `act` where a run replicates the paper, which checks every sentence.
    """
    return claim.payload.get("act") not in NO_ASSERTIONS and not claim.payload.get("given")


def availability(claim: Claim, packet: Packet, shown: tuple[str, ...] | None) -> Verdict:
    """Return whether a claim tells truly what data were shown; undecided where it names no kind of data.

    Args:
        claim: whose speech act is availability.
        packet: the case's evidence. shown: layers that the arm showed; None: all.
    """
    tokens = [t for t in strict.check(claim.text, packet, layers_shown=shown).tokens if t.kind == "modality"]
    outcome = {t.outcome for t in tokens} if packet.layers else set()
    label = None if not outcome else MISREADS if "mismatch" in outcome else FITS
    return Verdict(
        subject=claim.id,
        response_id=claim.response_id,
        aspect=AVAILABILITY_ASPECT,
        rater=AVAILABILITY,
        label=label,
        unscored=None if label else f"{Reason.UNDECIDED.value}:no kind of data named",
    )


def abstention(response: Response, question: str) -> Iterator[Verdict]:
    """Yield whether a whole answer abstains, by rule.

    Args:
        response: a done response. question: of `question_of`.
    """
    found = abstains(response.text, question)
    label = None if found.label is None else ABSTAINS if found.label else COMMITS
    yield Verdict(
        subject=response.id,
        response_id=response.id,
        aspect=ABSTENTION_ASPECT,
        rater=ABSTENTION,
        label=label,
        unscored=None if label else Reason.UNDECIDED.value,
        rationale=found.reason,
    )
