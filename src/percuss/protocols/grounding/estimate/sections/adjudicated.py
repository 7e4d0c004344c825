"""What people said of a sample of claims, beside rules and judge (papers/0 section 4.4, Tables 1 and 9)."""

from collections.abc import Iterator, Sequence
from typing import Any

from percuss.core.labels import SUPPORT_LABELS
from percuss.core.ports import ScoredResponse
from percuss.core.sections import Column, Section, Table
from percuss.judging.card import Number
from percuss.judging.pairs import PairLine, pair_line, rater_pairs
from percuss.protocols.grounding.estimate.labelled import ASPECT, labels_of
from percuss.protocols.grounding.estimate.sections.shelf import Shelf

__all__ = ["AGREEMENT", "BUCKETS", "Sample", "adjudicated", "word"]

AGREEMENT = "How far do people, rules and judge agree?"
BUCKETS = "Do they agree as well on every model and arm?"
SETTLED = frozenset({"human:consensus", "human:adjudicator"})
PEOPLE = "people"


class Sample:
    """Everybody's labels of all claims, one row a claim; people's where they gave any.

    Args:
        shelf: the scoring. policy: agreement or majority. wanted: label sources, people among them.
    """

    def __init__(self, shelf: Shelf, policy: str, wanted: Sequence[str]) -> None:
        self.columns: dict[str, list[str | None]] = {word(source): [] for source in wanted}
        self.persons: dict[str, list[str | None]] = {}
        self.clusters: list[str] = []
        self.buckets: list[str] = []
        self.passed = self.copied = 0
        for assessed in shelf.run.assessed():
            if assessed.response.status == "done" and not (
                assessed.response.model in shelf.simulated and shelf.real
            ):
                self._take(assessed, policy, wanted)

    def _take(self, assessed: ScoredResponse, policy: str, wanted: Sequence[str]) -> None:
        before = len(self.clusters)
        labels = labels_of(assessed, policy)
        for source in wanted:
            held = labels.get(source)
            column = self.columns[word(source)]
            column += [None] * len(assessed.claims) if held is None else [one.label for one in held]
        self.clusters += [assessed.case.cluster] * len(assessed.claims)
        self.buckets += [f"{assessed.response.model} · {assessed.response.arm}"] * len(assessed.claims)
        self._compare_passes(assessed)
        at = {claim.id: before + n for n, claim in enumerate(assessed.claims)}
        for verdict in assessed.verdicts:
            if (
                verdict.aspect == ASPECT
                and verdict.rater.startswith("human:")
                and verdict.rater not in SETTLED
            ):
                said = self.persons.setdefault(verdict.rater.removeprefix("human:"), [])
                said += [None] * (len(self.clusters) - len(said))
                if verdict.subject in at:
                    said[at[verdict.subject]] = verdict.label

    def _compare_passes(self, assessed: ScoredResponse) -> None:
        """Count the claims that a judge rated more than once, and those where it used the very same words."""
        passes: dict[str, list[tuple[str | None, str]]] = {}
        for verdict in assessed.verdicts:
            if verdict.aspect == ASPECT and verdict.rater.startswith("judge:"):
                passes.setdefault(verdict.subject, []).append((verdict.label, verdict.rationale))
        for said in passes.values():
            self.passed += len(said) > 1
            self.copied += len(said) > 1 and len(set(said)) == 1

    def labelled(self) -> tuple[dict[str, list[str | None]], list[str], list[str]]:
        """Return columns, clusters and buckets of the claims that people settled."""
        kept = [n for n, label in enumerate(self.columns[PEOPLE]) if label is not None]
        columns = {name: [labels[n] for n in kept] for name, labels in self.columns.items()}
        return columns, [self.clusters[n] for n in kept], [self.buckets[n] for n in kept]

    def by_person(self) -> dict[str, list[str | None]]:
        """Return person -> label a claim, padded to all claims."""
        return {
            name: said + [None] * (len(self.clusters) - len(said))
            for name, said in sorted(self.persons.items())
        }


def adjudicated(shelf: Shelf, sample: Sample, wanted: Sequence[str]) -> Iterator[Section]:
    """Yield the table of rater pairs, and of people's agreement with each rater in every model and arm.

    Args:
        shelf: the scoring. sample: its labels. wanted: label sources in order; `human` may be among them.
    """
    seed = int(shelf.manifest.get("seed", 0))
    lines: list[PairLine] = []
    if "human" in wanted:
        columns, clusters, buckets = sample.labelled()
        ordered = {PEOPLE: columns.pop(PEOPLE), **columns}
        lines += rater_pairs(ordered, clusters, scale=SUPPORT_LABELS, seed=seed)
        lines += rater_pairs(sample.by_person(), sample.clusters, scale=SUPPORT_LABELS, seed=seed)
    others = {name: labels for name, labels in sample.columns.items() if name != PEOPLE}
    every = rater_pairs(others, sample.clusters, scale=SUPPORT_LABELS, seed=seed)
    yield Section.of("judge", AGREEMENT, _pairs(lines, every))
    if "human" in wanted:
        rows = list(_bucket_lines(ordered, clusters, buckets, seed))
        if rows:
            yield Section.of("judge", BUCKETS, _buckets(rows))


def word(source: str) -> str:
    """Return a label source as a rater's name."""
    return {"agreement": "judge", "majority": "judge", "human": PEOPLE}.get(source, "rules")


def _bucket_lines(
    columns: dict[str, list[str | None]], clusters: list[str], buckets: list[str], seed: int
) -> Iterator[PairLine]:
    for bucket in sorted(set(buckets)):
        kept = [n for n, name in enumerate(buckets) if name == bucket]
        people = [columns[PEOPLE][n] for n in kept]
        for name, labels in columns.items():
            if name != PEOPLE:
                yield pair_line(
                    (PEOPLE, people), (name, [labels[n] for n in kept]), [clusters[n] for n in kept],
                    scale=SUPPORT_LABELS, seed=seed, stratum=bucket,
                )  # fmt: skip


def _pairs(lines: Sequence[PairLine], every: Sequence[PairLine]) -> Table:
    rows = [
        {"pair": f"{line.first} and {line.second}", "of": "labelled by people", **_figures(line)}
        for line in lines
        if line.n
    ]
    rows += [
        {"pair": f"{line.first} and {line.second}", "of": "all", **_figures(line)} for line in every if line.n
    ]
    return Table(
        columns=(Column(key="pair", title="raters"), Column(key="of", title="claims"), *_COLUMNS),
        rows=tuple(rows),
        note=(
            "Intervals of kappa by bootstrap over cases (1,000 resamples). People: their consensus where there is one, else "
            "their majority; named persons as they labelled by themselves. Conflicts of the judge's passes are left out."
        ),
    )


def _buckets(lines: Sequence[PairLine]) -> Table:
    rows = (
        {"bucket": line.stratum, "pair": f"{line.first} and {line.second}", **_figures(line)}
        for line in lines
    )
    return Table(
        columns=(Column(key="bucket", title="model and arm"), Column(key="pair", title="raters"), *_COLUMNS),
        rows=tuple(rows),
    )


_COLUMNS = (
    Column(key="n", title="n", unit="count", align="right"),
    Column(key="raw", title="same label", unit="share", align="right"),
    Column(key="kappa", title="Cohen's kappa", unit="ratio", align="right"),
)


def _figures(line: PairLine) -> dict[str, Any]:
    return {"n": line.n, "raw": _cell(line.raw, "share"), "kappa": _cell(line.kappa, "ratio")}


def _cell(found: Number, unit: str) -> dict[str, Any]:
    return {
        "value": found.value,
        "low": found.low,
        "high": found.high,
        "unit": unit,
        "undefined": found.undefined,
    }
