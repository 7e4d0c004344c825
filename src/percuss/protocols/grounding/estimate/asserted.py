"""What became of every assertion of an answer: supported, contradicted, absent, or undecided; and what holds of what was shown."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from percuss.core.labels import Reason, Support
from percuss.core.records import Cell, Estimate
from percuss.measure.dependence import hdis
from percuss.measure.quantity import Plan, Quantity
from percuss.measure.rates import rates
from percuss.measure.tally import Tally
from percuss.protocols.grounding.estimate.labelled import Labelled
from percuss.protocols.grounding.estimate.names import BASELINE
from percuss.protocols.grounding.estimate.spoken import Making, Sums

__all__ = ["AGAINST", "BECAME", "SHARE", "asserted", "asserted_cells"]

BECAME = ("supported", "contradicted", "absent", "unsupported", "undecided")
"""In the order of the bar; `unsupported` where the source doesn't tell a contradiction from what the evidence lacks."""
AGAINST = "against"
"""All that counts as unsupported: contradicted, absent, or unsupported without telling which."""
SHARE = Quantity(
    "assertion_share",
    "assertions by what became of them",
    "What share of all assertions of the case became what?",
)
GIVEN = "unsupported_given"
HDI_GIVEN = (
    "hdi_given",
    "HDI, against what was shown",
    "What share does the evidence take away, where true claims that the arm did not show count as unsupported?",
)


def asserted_cells(
    made: Making, source: str, labelled: Sequence[Labelled], sums: Sums, left_out: str | None
) -> Iterator[Cell]:
    """Yield what became of a response's assertions, and how many the evidence shown does not support.

    Args:
        made: makes a cell. source: label source. labelled: its entries. sums: of the assertions among them.
        left_out: why nothing of the response counts; None: it was checked.

    A compound that holds in part is one supported and one unsupported assertion here, too.
    """
    if left_out:
        for name in (*(f"asserted:{one}" for one in (*BECAME, AGAINST)), GIVEN):
            yield made(name, source, 0, 0, Counter([left_out]))
        return
    counts: Counter[str] = Counter()
    unseen = 0
    for entry in labelled:
        if not entry.posed or entry.reason == Reason.TRUNCATED.value:
            continue
        if entry.label is None:
            counts["undecided"] += 1
            continue
        both = entry.label == Support.PARTIAL.value
        if both or entry.label == Support.SUPPORTED.value:
            counts["supported"] += 1
            unseen += entry.unseen
        if both or entry.unsupported:
            counts[entry.found if entry.found in {"contradicted", "absent"} else "unsupported"] += 1
    total = counts.total()
    if total:
        counts[AGAINST] = total - counts["supported"] - counts["undecided"]
        for name in (*BECAME, AGAINST):
            yield made(f"asserted:{name}", source, counts[name], total)
    yield made(GIVEN, source, sums.bad + unseen, sums.decided)


def asserted(
    held: Mapping[tuple[str, str], Tally], plan: Plan, arm: str | None, labels: str
) -> Iterator[Estimate]:
    """Yield the shares of the bar under the headline's source, and the index against what was shown.

    Args:
        held: the cells. plan: the draws. arm: the arm with all the evidence; None: it was not asked. labels: the source.
    """
    for name in (*BECAME, AGAINST):
        tally = held.get((f"asserted:{name}", labels))
        if tally is not None and any(num.any() for num in tally.num.values()):
            for found in rates(tally, SHARE, plan):
                yield msgspec.structs.replace(found, stratum=f"became={name}")
    given = held.get((GIVEN, labels))
    if arm is not None and given is not None:
        for found in hdis(given, plan, arm=arm, baseline=BASELINE):
            if found.name == "hdi_pooled":
                name, label, question = HDI_GIVEN
                yield msgspec.structs.replace(found, name=name, label=label, question=question)
