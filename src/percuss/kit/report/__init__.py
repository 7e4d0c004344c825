"""Reports of any protocol: the default parts, each of which a protocol replaces by a function of the same name.

`sections(run, estimates, options)` needs nothing but the protocol's manifest and its estimates. A protocol that has more to
say hands in an `Outline` (which numbers lead, how arms are called) and its own functions, found by name: a whole part
(`findings`, `differences`, `evidence`, `where`, `left_out`, `reader`, `judge`, `instrument`, `method`) or a small one that
the default parts call (`words_of`, `sentences`, `own_lines`, `entries`, `packet`, `tags`, `margin`, `failed_by` ..).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from percuss.core.ports import RunView
from percuss.core.records import Estimate
from percuss.core.sections import Section
from percuss.kit.report.collecting import collectors
from percuss.kit.report.context import Report
from percuss.kit.report.differing import differences
from percuss.kit.report.evidence import evidence
from percuss.kit.report.instrument import instrument
from percuss.kit.report.judged import judge
from percuss.kit.report.left_out import left_out
from percuss.kit.report.method import method
from percuss.kit.report.outline import Outline, Shown, outline_of
from percuss.kit.report.panel import findings
from percuss.kit.report.reader import reader
from percuss.kit.report.where import where

__all__ = ["Outline", "Report", "Shown", "default", "sections"]

Sections = Callable[[RunView, Sequence[Estimate], Any], Iterator[Section]]
PARTS = (findings, differences, evidence, where, left_out, reader, judge, instrument, method)


def sections(
    run: RunView, estimates: Sequence[Estimate], options: Any, *, outline: Outline | None = None,
    parts: Mapping[str, Any] | None = None,
) -> Iterator[Section]:  # fmt: skip
    """Yield the sections of a scoring, in the order in which they are read.

    Args:
        run: all rows of the scoring. estimates: made of them. options: settings of the scoring.
        outline: what the report is about; None reads it off the manifest and the estimates.
        parts: the protocol's own functions by name, such as `globals()` of its sections module.
    """
    report = Report(run, estimates, options, outline=outline, parts=parts)
    report.walk(report.of(collectors)(report))
    for part in PARTS:
        for section in report.of(part)(report):
            chapter = report.outline.chapters.get(section.place)
            yield replace(section, chapter=chapter) if chapter and not section.chapter else section


def default(toml: Mapping[str, Any], folder: Path) -> Sections:
    """Return the function `sections` of a protocol that wrote none.

    Args:
        toml: its manifest; `[primary]` and `[arm_words]` are its own words. folder: where `method.md` lies, if there is one.
    """
    file = folder / "method.md"
    method_text = file.read_text(encoding="utf-8") if file.is_file() else ""

    def made(run: RunView, estimates: Sequence[Estimate], options: Any) -> Iterator[Section]:
        yield from sections(run, estimates, options, outline=outline_of(estimates, toml, method_text))

    return made
