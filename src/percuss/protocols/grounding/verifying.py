"""Labels of support by a verifier: two probabilities a claim, made a label by thresholds that were learned on labelled claims."""

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import msgspec

from percuss.core.errors import UsageError
from percuss.core.labels import Reason, Support
from percuss.core.records import Claim, Verdict
from percuss.core.strict import Record
from percuss.core.verifying import Verification, Verifier
from percuss.evidence.packet import Packet
from percuss.judging.extract import is_truncated
from percuss.judging.verifiers.thresholds import Thresholds, label_of
from percuss.judging.verifiers.windows import WINDOW_WORDS, verify_in_windows
from percuss.protocols.grounding.options import GroundingOptions
from percuss.protocols.grounding.premises import premises
from percuss.protocols.grounding.record import statement
from percuss.protocols.grounding.ruling import ASPECT, truncated
from percuss.protocols.grounding.speaking import is_checked

__all__ = ["UNCALIBRATED", "Calibrated", "calibrations", "rater_of", "thresholds_of", "verified"]

CHAT_WORDS = 600
"""Words of a window of a chat model, whose context holds more than a cross-encoder's."""
SAYS_OTHERWISE = 0.5
"""Probability of contradiction from which on an unsupported claim counts as contradicted, else as absent."""
UNCALIBRATED = f"{Reason.UNDECIDED.value}:the verifier has no thresholds"
_FAILED = "the verifier failed"
_GIVEN = re.compile(r"(?P<yes>-|[01]?\.\d+|1|0)/(?P<no>-|[01]?\.\d+|1|0)@(?P<source>\S.*)")


class Calibrated(Record):
    """Thresholds that ship for a verifier, with what they did on claims that they were not learned on.

    Args:
        verifier: its id. layout: of the evidence, `structured` or `text`. thresholds: learned ones.
        n: labelled claims that they were then tried on. decided: share of them that got a label.
        false_supported, false_unsupported: shares of wrong labels among truly unsupported and truly supported ones.
        floors_met: whether labels made with them may carry a headline (reading.md, section 2).
    """

    verifier: str
    layout: str
    thresholds: Thresholds
    n: int = 0
    decided: float = 0.0
    false_supported: float | None = None
    false_unsupported: float | None = None
    floors_met: bool = False


@cache
def calibrations() -> tuple[Calibrated, ...]:
    """Return the calibrations that ship with the package; `percuss grounding calibrate` makes others."""
    held = (Path(__file__).parent / "data" / "verifiers.json").read_bytes()
    return msgspec.json.decode(held, type=tuple[Calibrated, ...])


def rater_of(verifier: Verifier) -> str:
    """Return the name of a verifier as a rater and label source."""
    return f"verifier:{verifier.id}"


def thresholds_of(verifier: str, packet: Packet, options: GroundingOptions) -> Thresholds:
    """Return the thresholds in force for a verifier on evidence of a kind; empty ones decide nothing.

    Args:
        verifier: its id. packet: tells structured evidence from text.
        options: `thresholds` as the user gave them, else those that ship.

    Raises:
        UsageError: `thresholds` can't be read.
    """
    if options.thresholds:
        found = _GIVEN.fullmatch(options.thresholds.strip())
        if found is None:
            raise UsageError(
                f"got thresholds {options.thresholds!r}; expected SUPPORTED/UNSUPPORTED@SOURCE, such as "
                "0.93/0.88@ward notes (- for none), as `percuss grounding calibrate` prints them"
            )
        yes, no = (None if found[side] == "-" else float(found[side]) for side in ("yes", "no"))
        return Thresholds(supported=yes, unsupported=no, source=found["source"])
    layout = "structured" if packet.facts else "text"
    held = (c.thresholds for c in calibrations() if (c.verifier, c.layout) == (verifier, layout))
    return next(held, Thresholds())


async def verified(
    claims: Sequence[Claim], packet: Packet, verifier: Verifier, options: GroundingOptions
) -> list[Verdict]:
    """Return one verdict a checked claim; the verifier reads the claim and the reference, and nothing else.

    Args:
        claims: of one response. packet: the one reference. verifier: reads pairs; equal ones of a case are read once.
        options: thresholds.
    """
    rater, learned = rater_of(verifier), thresholds_of(verifier.id, packet, options)
    asked = [claim for claim in claims if is_checked(claim) and not is_truncated(claim)]
    words = WINDOW_WORDS if verifier.at_once else CHAT_WORDS
    read = await verify_in_windows(verifier, [statement(c) for c in asked], premises(packet), words=words)
    found = [_verdict(c, one, rater, learned, options.reference) for c, one in zip(asked, read, strict=True)]
    return [*found, *(truncated(claim, rater) for claim in claims if is_truncated(claim))]


def _verdict(claim: Claim, read: Verification, rater: str, learned: Thresholds, reference: str) -> Verdict:
    word, why = label_of(read, learned)
    label = None if word is None else Support(word)
    basis = {"kind": "reference", "reference": reference, "found": _kind(label, read)}
    told = {
        "kind": "verifier",
        "supported": read.supported,
        "contradicted": read.contradicted,
        "calibrated_on": learned.source,
    }
    return Verdict(
        subject=claim.id,
        response_id=claim.response_id,
        aspect=ASPECT,
        rater=rater,
        label=None if label is None else label.value,
        unscored=None if label is not None else _unscored(read, learned),
        rationale=f"{why}.",
        evidence=(basis, told),
    )


def _kind(label: Support | None, read: Verification) -> str:
    if label is not Support.UNSUPPORTED:
        return "undecided" if label is None else label.value
    return "contradicted" if (read.contradicted or 0.0) >= SAYS_OTHERWISE else "absent"


def _unscored(read: Verification, learned: Thresholds) -> str:
    if read.undecided is not None and read.undecided.startswith(_FAILED):
        return f"{Reason.ERROR.value}:verifier"
    if learned.supported is None and learned.unsupported is None:
        return UNCALIBRATED
    return f"{Reason.UNDECIDED.value}:by the verifier"
