"""The one door to the rule checkers, by the name of the rule set."""

from collections.abc import Collection

from percuss.core.errors import UsageError
from percuss.evidence.packet import Packet
from percuss.evidence.rules import extended, strict, text
from percuss.evidence.rules.finding import Finding

__all__ = ["OLD_NAMES", "RULES", "check", "current_name"]

RULES = ("paper", "extended")
"""Rule sets that give a `Finding`; `support-2` has a door of its own (`percuss.evidence.rules.support2`)."""
OLD_NAMES = {"strict": "paper"}
"""Names that rule sets had before, still read everywhere."""


def current_name(rules: str) -> str:
    """Return the present name of a rule set; a name that was never another stays.

    >>> current_name("strict"), current_name("extended")
    ('paper', 'extended')
    """
    return OLD_NAMES.get(rules, rules)


def check(
    claim: str, packet: Packet, *, layers_shown: Collection[str] | None = None, rules: str = "paper"
) -> Finding:
    """Label a claim against a packet by a named rule set.

    Args:
        claim: the claim's text.
        packet: the reference. Facts are checked by `paper` or `extended`; texts alone by the text rules, under either
            name, which leave undecided what no rule can tell (`not_checkable:rule undecided`). Where a packet has both and
            its facts leave a claim without a token, the texts are asked.
        layers_shown: layers that the arm showed; None = all, () = nothing, texts included.
        rules: "paper" (once "strict") or "extended".

    Raises:
        UsageError: another name.
    """
    rules = current_name(rules)
    if rules not in RULES:
        raise UsageError(f"rules {rules!r} are not known; use one of {', '.join(RULES)}")
    shown = layers_shown is None or bool(layers_shown)
    if packet.texts and not packet.facts:
        return text.check(claim, packet, shown=shown, hedges_lower=rules == "paper")
    by_facts = strict.check if rules == "paper" else extended.check
    finding = by_facts(claim, packet, layers_shown=layers_shown)
    if packet.texts and not finding.tokens:
        return text.check(claim, packet, shown=shown, hedges_lower=rules == "paper")
    return finding
