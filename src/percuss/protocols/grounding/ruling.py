"""The verdict of a rule set on one claim."""

from percuss.core.errors import UsageError
from percuss.core.labels import SUPPORT_ASPECT, Reason, Support
from percuss.core.records import Claim, Verdict
from percuss.core.verifying import Rule
from percuss.evidence.packet import Packet, layer_of
from percuss.evidence.rules import checker
from percuss.evidence.rules.support2 import Hang, Reading, support2
from percuss.judging.extract import is_truncated
from percuss.protocols.grounding.options import GroundingOptions
from percuss.protocols.grounding.premises import premises
from percuss.protocols.grounding.record import statement

__all__ = ["ASPECT", "GIVEN", "by_rule", "truncated"]

ASPECT = SUPPORT_ASPECT
GIVEN = f"{Reason.NOT_APPLICABLE.value}:said by the question"
LABELS = {
    "supported": Support.SUPPORTED,
    "contradicted": Support.UNSUPPORTED,
    "absent": Support.UNSUPPORTED,
    "partial": Support.PARTIAL,
}
OUTCOMES = {"supported": "match", "contradicted": "mismatch", "absent": "mismatch"}


def by_rule(
    claim: Claim,
    packet: Packet,
    question: str,
    shown: tuple[str, ...] | None,
    options: GroundingOptions,
    own: Rule | None = None,
) -> Verdict:
    """Return what the rule set in force says of a claim.

    Args:
        claim: of the case. packet: what it is checked against. question: all that the prompt says of the case beside the evidence.
        shown: layers that the arm showed. `support-2` never sees them: they only tell what is true though not shown.
        options: name the rule set.
        own: the user's own rule, where `options` names one.

    Raises:
        UsageError: `options` names a rule of a script that isn't running.
    """
    rater = f"rule:{options.rules}"
    if is_truncated(claim):
        return truncated(claim, rater)
    if options.rules.startswith("python/"):
        return _by_own(claim, packet, question, options, own)
    if options.rules != "support-2":
        return _as_in_the_paper(claim, packet, shown, options)
    found = support2(statement(claim), packet, question)
    label = LABELS.get(found.label)
    unscored = GIVEN if found.label == "given" else f"{Reason.UNDECIDED.value}:by rule"
    basis = {
        "kind": "reference",
        "reference": options.reference,
        "found": found.label,
        "matches_unseen": _unseen(found, packet, shown),
    }
    return Verdict(
        subject=claim.id,
        response_id=claim.response_id,
        aspect=ASPECT,
        rater=rater,
        label=None if label is None else label.value,
        unscored=None if label is not None else unscored,
        rationale=f"{found.reason}.",
        evidence=(basis, *(_token(hang) for hang in found.hangs_on)),
    )


def truncated(claim: Claim, rater: str) -> Verdict:
    """Return the verdict on the unfinished end of a reply that was cut."""
    return Verdict(
        subject=claim.id,
        response_id=claim.response_id,
        aspect=ASPECT,
        rater=rater,
        unscored=Reason.TRUNCATED.value,
    )


def _by_own(
    claim: Claim, packet: Packet, question: str, options: GroundingOptions, own: Rule | None
) -> Verdict:
    if own is None:
        raise UsageError(
            f"{options.rules} is a rule of the script that started the run; check it there with percuss.run(..), or name "
            "another one with --rules"
        )
    label, why = own.read(statement(claim), premises(packet), question)
    return Verdict(
        subject=claim.id,
        response_id=claim.response_id,
        aspect=ASPECT,
        rater=f"rule:{options.rules}",
        label=label,
        unscored=None if label is not None else f"{Reason.UNDECIDED.value}:by rule",
        rationale=why,
        evidence=({"kind": "reference", "reference": options.reference, "found": label or "undecided"},),
    )


def _token(hang: Hang) -> dict[str, object]:
    return {
        "kind": "number" if any(sign.isdigit() for sign in hang.text) else "statement",
        "text": hang.text,
        "start": hang.start,
        "stop": hang.stop,
        "outcome": OUTCOMES.get(hang.outcome, hang.outcome),
        "path": hang.path or None,
        "value": hang.value or None,
        "field": hang.attribute,
        "bound": True,
    }


def _unseen(found: Reading, packet: Packet, shown: tuple[str, ...] | None) -> bool:
    """Say whether a supported claim rests on a fact that the arm did not show."""
    if found.label != "supported" or shown is None:
        return False
    return any(
        not packet.layers or layer_of(h.path) not in shown for h in found.hangs_on if h.outcome == "supported"
    )


def _as_in_the_paper(
    claim: Claim, packet: Packet, shown: tuple[str, ...] | None, options: GroundingOptions
) -> Verdict:
    finding = checker.check(claim.text, packet, layers_shown=shown, rules=options.rules)
    basis = {
        "kind": "reference",
        "reference": options.reference,
        "layers_shown": None if shown is None else list(shown),
        "hedged": finding.hedged,
        "absent": finding.absent,
        "matches_unseen": finding.matches_unseen,
    }
    return Verdict(
        subject=claim.id,
        response_id=claim.response_id,
        aspect=ASPECT,
        rater=f"rule:{options.rules}",
        label=None if finding.label is None else finding.label.value,
        unscored=finding.unscored,
        rationale=finding.rationale,
        evidence=(basis, *finding.evidence()),
    )
