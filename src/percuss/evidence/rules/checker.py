"""The one door to the rule checkers, by the name of the rule set."""

from collections.abc import Collection

from percuss.core.errors import UsageError
from percuss.evidence.packet import Packet
from percuss.evidence.rules import extended, strict, text
from percuss.evidence.rules.finding import Finding

__all__ = ["RULES", "check"]

RULES = ("strict", "paper", "extended")
"""`paper` is the present name of `strict`."""


def check(
    claim: str, packet: Packet, *, layers_shown: Collection[str] | None = None, rules: str = "strict"
) -> Finding:
    """Label a claim against a packet by a named rule set.

    Args:
        claim: the claim's text.
        packet: the reference. Facts are checked by `strict` or `extended`; texts alone by the text rules, under either
            name, which leave undecided what no rule can tell (`not_checkable:rule undecided`). Where a packet has both and
            its facts leave a claim without a token, the texts are asked.
        layers_shown: layers that the arm showed; None = all, () = nothing, texts included.
        rules: "paper" (or its old name "strict") or "extended".

    Raises:
        UsageError: another name.
    """
    if rules not in RULES:
        raise UsageError(f"rules {rules!r} are not known; use one of {', '.join(RULES)}")
    shown = layers_shown is None or bool(layers_shown)
    if packet.texts and not packet.facts:
        return text.check(claim, packet, shown=shown, hedges_lower=rules != "extended")
    by_facts = extended.check if rules == "extended" else strict.check
    finding = by_facts(claim, packet, layers_shown=layers_shown)
    if packet.texts and not finding.tokens:
        return text.check(claim, packet, shown=shown, hedges_lower=rules != "extended")
    return finding
