"""The parts of a grounding report: what leads, and what only this protocol shows; all else is the kit's."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from percuss.core.ports import RunView, ScoredResponse
from percuss.core.records import Estimate
from percuss.core.sections import Column, Section
from percuss.judging.sources import CORRECTED, HUMAN
from percuss.kit.report import Outline, Report, Shown
from percuss.kit.report import sections as kit_sections
from percuss.protocols.grounding.estimate.counting import machine_of
from percuss.protocols.grounding.estimate.labelled import Labelled, entries_of, labels_of
from percuss.protocols.grounding.estimate.names import BASELINE, DEPTHS, GROUNDED, arm_words
from percuss.protocols.grounding.estimate.sections import (
    differing,
    evidence,
    findings,
    reader,
    where,
    withheld,
)
from percuss.protocols.grounding.options import GroundingOptions

__all__ = ["outline_of", "sections"]

METHOD = (Path(__file__).parents[2] / "method.md").read_text(encoding="utf-8")
UNMATCHED = "; **not here**: the arms without evidence have a system message of their own (`system_prompt_matched: false`)"
NOT_ASKED = "this arm was not asked"


def sections(run: RunView, estimates: Sequence[Estimate], options: GroundingOptions) -> Iterator[Section]:
    """Yield the sections of a scoring.

    Args:
        run: all rows of the scoring. estimates: made of them. options: settings of the scoring.
    """
    yield from kit_sections(run, estimates, options, outline=outline_of(estimates, options), parts=PARTS)


def outline_of(estimates: Sequence[Estimate], options: GroundingOptions) -> Outline:
    """Return what the report is about.

    Args:
        estimates: name the arm with all the evidence. options: settings that the words of the method name.
    """
    arm = next((e.arm for e in estimates if e.arm in GROUNDED), GROUNDED[0])
    lead = Shown("unsupported_rate", "unsupported with evidence", arm, missing=NOT_ASKED, phrase="unsupported claims with evidence")  # fmt: skip
    without = Shown("unsupported_rate", "unsupported without", BASELINE, missing=NOT_ASKED)
    hdi = Shown(
        "hdi_pooled", "HDI", arm, "ratio", missing="one of the two arms was not asked", lower_first=False
    )
    facts = {
        "reference": "full" if options.reference == "full" else "given",
        "prompts": UNMATCHED if options.prompt_set == "paper" else "",
    }
    return Outline(
        lead=lead, columns=(lead, without, hdi), counted=("claim", "claims"), index=hdi,
        variants=(("hdi_macro", "mean over cases"),), compared=(lead, hdi), contrasted=hdi,
        arms=("no_id", BASELINE, *DEPTHS, "shuffled", "literature"), arm=arm, baseline=BASELINE, arm_words=arm_words,
        words=(Column(key="pattern", title="pattern"),), method=METHOD, facts=facts,
    )  # fmt: skip


def sources(report: Report, scored: ScoredResponse) -> Mapping[str, Sequence[Labelled]]:
    """Return label source -> one entry a claim."""
    return labels_of(scored, report.results.policy)


def entries(
    report: Report, scored: ScoredResponse, found: Mapping[str, Sequence[Labelled]]
) -> Sequence[Labelled]:
    """Return what the headline's source says of each claim; corrected, what people say, and the machine where they didn't look."""
    if report.results.labels == CORRECTED:
        return _beside_each_other(scored, report.results.policy, found)
    held = found.get(report.results.labels)
    return held if held is not None else entries_of(scored, report.results.policy, report.results.labels)


def _beside_each_other(
    scored: ScoredResponse, policy: str, found: Mapping[str, Sequence[Labelled]]
) -> Sequence[Labelled]:
    people = found.get(HUMAN) or entries_of(scored, policy, HUMAN)
    machine = found.get(machine_of(found), people)
    pairs = zip(people, machine, strict=True)
    return tuple(told if told.label is not None or not told.posed else read for told, read in pairs)


PARTS = {
    "sources": sources, "entries": entries,
    **{name: vars(room)[name] for room in (findings, withheld, differing, evidence, where, reader) for name in room.__all__},
}  # fmt: skip
