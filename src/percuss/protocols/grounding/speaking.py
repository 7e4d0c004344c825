"""What each claim does, whether the question says it, and whether it tells truly what data there were."""

from collections.abc import Iterator, Sequence

import msgspec

from percuss.core.labels import Reason
from percuss.core.records import Case, Claim, Response, Verdict
from percuss.evidence.packet import Packet
from percuss.evidence.rules.support2 import states, support2
from percuss.protocols.grounding.options import GroundingOptions, prompt
from percuss.protocols.grounding.record import reading, statement
from percuss.text.acts import ABSTENTION, abstains, speech_act
from percuss.text.acts.availability import AVAILABILITY, Shown, read_availability
from percuss.text.concepts import Field
from percuss.text.echo import echo

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
    "shown_in",
    "told_of",
    "with_acts",
]

ABSTENTION_ASPECT, AVAILABILITY_ASPECT = "abstention", "availability"
ABSTAINS, COMMITS = "abstains", "commits"
MISREADS, FITS = "misread", "right"
NO_ASSERTIONS = frozenset({"availability", "general", "heading", "none"})
UNDECIDED = "undecided"


def question_of(case: Case, options: GroundingOptions) -> str:
    """Return the question's own text: the case's, or the one that the protocol asks of every case.

    Args:
        case: of this protocol. options: settings of the run, whose prompts are in force.
    """
    content = reading(case)
    return content.question or prompt(options, "question" if content.layered else "question_general")


def told_of(case: Case, options: GroundingOptions) -> str:
    """Return all that the prompt says of a case beside the evidence, in every arm alike: the question, and the line on the cohort.

    Args:
        case: of this protocol. options: settings of the run, whose prompts are in force.

    What it says is `given`: no invention and no memory. A line with the case's name alone is no claim (speech acts).
    """
    cohort = reading(case).cohort
    return "\n".join(part for part in (question_of(case, options), cohort) if part)


def with_acts(claims: Sequence[Claim], question: str, told: str) -> tuple[Claim, ...]:
    """Return claims that carry their speech act as `act`, and `given` where the prompt says them.

    Args:
        claims: of one response. question: of `question_of`. told: of `told_of`.
    """
    return tuple(
        msgspec.structs.replace(claim, payload={**claim.payload, **_read(statement(claim), question, told)})
        for claim in claims
    )


def _read(text: str, question: str, told: str) -> dict[str, object]:
    act = speech_act(text, question).act or UNDECIDED
    given = act not in NO_ASSERTIONS and (
        echo(text, told).given is True or (states(told) and support2(text, Packet(), told).label == "given")
    )
    return {"act": act, "given": True} if given else {"act": act}


def is_checked(claim: Claim) -> bool:
    """Say whether support is asked of a claim: of an assertion, hedged or not, that the question doesn't hold.

    Args:
        claim: without `act` where a run replicates the paper, which checks every sentence.
    """
    return claim.payload.get("act") not in NO_ASSERTIONS and not claim.payload.get("given")


def availability(claim: Claim, shown: Shown) -> Verdict:
    """Return whether a claim tells truly what data were shown; undecided where that isn't understood.

    Args:
        claim: whose speech act is availability. shown: of `shown_in`, the one thing here that differs between arms.
    """
    found = read_availability(statement(claim), shown)
    return Verdict(
        subject=claim.id,
        response_id=claim.response_id,
        aspect=AVAILABILITY_ASPECT,
        rater=AVAILABILITY,
        label=found.label,
        unscored=None if found.label else f"{Reason.UNDECIDED.value}:by rule",
        rationale=f"{found.reason}.",
    )


def shown_in(packet: Packet, layers: tuple[str, ...], among: tuple[str, ...]) -> Shown:
    """Return what an answer's evidence held.

    Args:
        packet: what the arm gave. layers: that it showed. among: all layers of the case.
    """
    fields = [Field(path=f.path, value=f.value, unit=f.unit, date=f.date) for f in packet.facts]
    return Shown.of(fields, texts=packet.texts, layers_shown=layers, layers=among)


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
