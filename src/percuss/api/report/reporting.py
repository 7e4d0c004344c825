"""A run opened for showing: what report, terminal and export read, in one scoring."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from percuss.api.catalog import load
from percuss.api.report.cards import card_of
from percuss.api.report.manifest import report_manifest, scoring_of
from percuss.core.accounting import AnswerAccount
from percuss.core.records import Estimate, Scoring
from percuss.core.sections import Section
from percuss.exchange.calls_table import shown_calls
from percuss.store import RunStore

__all__ = ["Opened", "open_report"]


@dataclass(frozen=True)
class Opened:
    """A scoring of a run with all that a report needs."""

    store: RunStore
    scoring: Scoring
    title: str
    manifest: Mapping[str, Any]
    estimates: tuple[Estimate, ...]
    answers: tuple[AnswerAccount, ...]

    def sections(self) -> tuple[Section, ...]:
        """Return the sections in the protocol's order."""
        return self.store.sections(self.scoring.id)

    def terminal(self, *, full: bool = False, no_text: bool = False, file: TextIO | None = None) -> None:
        """Print the panel, or everything that can be text."""
        from percuss.report import render_terminal

        render_terminal(
            self.title, self.manifest, self.estimates, self.sections(), full=full, no_text=no_text, file=file
        )

    def html(self, out: Path, *, no_text: bool = False) -> Path:
        """Write the report as one HTML file and return its path."""
        from percuss.report import render_html

        calls = None if no_text else shown_calls(self.store, self.scoring.id)
        render_html(
            self.title, self.manifest, self.estimates, self.sections(), no_text=no_text, out=out, calls=calls
        )
        return out

    def text(self, form: str, *, no_text: bool = False, gates: Sequence[Mapping[str, Any]] = ()) -> str:
        """Return the report as Markdown (`md`), `latex`, `csv` or `junit`; gates become tests of the latter."""
        from percuss import report

        if form == "csv":
            return str(report.render_csv(self.estimates, no_text=no_text))
        if form == "junit":
            return str(report.render_junit(self.title, self.manifest, self.estimates, gates))
        render = report.render_markdown if form == "md" else report.render_latex
        return str(render(self.title, self.manifest, self.estimates, self.sections(), no_text=no_text))


@contextmanager
def open_report(folder: Path, scoring: str | None = None) -> Iterator[Opened]:
    """Open a run for showing; takes no lock and writes nothing.

    Args:
        folder: the run.
        scoring: start of a scoring's id; None takes the latest.

    Raises:
        RunError: no run, or nothing was checked yet.
    """
    with RunStore.open(folder) as store:
        chosen = scoring_of(store, scoring)
        estimates = store.estimates(chosen.id)
        protocol = load(store.manifest()["protocol"])
        card = card_of(store, chosen)
        answers = store.answers(chosen.id)
        yield Opened(
            store=store,
            scoring=chosen,
            title=protocol.title,
            manifest=report_manifest(store, chosen, estimates, card=card, answers=answers),
            estimates=estimates,
            answers=answers,
        )
