"""Can the judge be trusted: who labelled, how far rules, judge and people agree, and what a judge could not score."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

from msgspec.structs import replace

from percuss.core.labels import FAILURE_CLASSES, JUDGED, SPEECH_ASPECT, SUPPORT_LABELS, failure_class
from percuss.core.ports import ScoredResponse
from percuss.core.records import Case, Estimate
from percuss.core.sections import Chart, Prose, Section, Table
from percuss.judging.card import Number
from percuss.judging.pairs import PairLine, pair_line, rater_pairs
from percuss.judging.sources import SETTLED
from percuss.kit.report.build import cell, number, share, table, text
from percuss.kit.report.context import Report, Told
from percuss.measure.wording import counted, joined, plural
from percuss.stats.agreement import confusion

__all__ = [
    "AGREEMENT", "BUCKETS", "Sample", "agreed", "agreement", "failures", "judge", "judged_by", "no_judge", "scale", "self_agreement", "who_labelled",
    "word",
]  # fmt: skip

AGREEMENT = "How far do people, rules and judge agree?"
BUCKETS = "Do they agree as well on every model and arm?"
PEOPLE = "people"
PEOPLE_SAW = "labelled by people"
SAME, KAPPA = "raters_same_label", "raters_kappa"
NOTE = (
    "Intervals of kappa by bootstrap over cases (1,000 resamples). People: their consensus where there is one, else their "
    "majority; named persons as they labelled by themselves. Conflicts of the judge's passes are left out."
)
CLASSES = "Classes in order: transport, parse, schema, abstain, evidence (a quote that does not stand where it should), ok."


class Sample:
    """Takes part in the walk: everybody's labels of all claims, one row a claim; and what each judge could not score.

    Args:
        report: whose models and label policy count.
    """

    def __init__(self, report: Report) -> None:
        self._models = report.results.models
        self.columns: dict[str, list[str | None]] = {}
        self.persons: dict[str, list[str | None]] = {}
        self.clusters: list[str] = []
        self.buckets: list[str] = []
        self.classes: dict[tuple[str, str], Counter[str]] = {}
        self.passed = self.copied = 0

    def add(self, case: Case, answers: Sequence[Told]) -> None:
        """Take the answers of a case."""
        for told in answers:
            if told.scored.response.model in self._models and told.scored.response.status == "done":
                self._take(case, told)

    def _take(self, case: Case, told: Told) -> None:
        scored, before = told.scored, len(self.clusters)
        self.clusters += [case.cluster] * len(scored.claims)
        self.buckets += [f"{scored.response.model} · {scored.response.arm}"] * len(scored.claims)
        for source, held in told.sources.items():
            if source in {*JUDGED, "human"} or source.startswith(("rule:", "verifier:")):
                column = self.columns.setdefault(word(source), [])
                column += [None] * (before - len(column))
                column += [one.label for one in held]
        self._passes(scored)
        at = {claim.id: before + n for n, claim in enumerate(scored.claims)}
        for verdict in scored.verdicts:
            if verdict.aspect == SPEECH_ASPECT or verdict.rater in SETTLED:
                continue
            if verdict.rater.startswith("human:") and verdict.subject in at:
                said = self.persons.setdefault(verdict.rater.removeprefix("human:"), [])
                said += [None] * (len(self.clusters) - len(said))
                said[at[verdict.subject]] = verdict.label

    def _passes(self, scored: ScoredResponse) -> None:
        """Count what a judge could not score, and where its passes use the very same words."""
        passes: dict[tuple[str, str], list[tuple[Any, str]]] = {}
        for v in scored.verdicts:
            if v.rater.startswith("judge:"):
                key = (v.rater.rpartition("#")[0] or v.rater, v.aspect)
                became = failure_class(v.unscored) if v.unscored is not None else "ok"
                self.classes.setdefault(key, Counter())[became] += 1
                passes.setdefault((v.subject, v.aspect), []).append(
                    (v.label if v.score is None else v.score, v.rationale)
                )
        for said in passes.values():
            self.passed += len(said) > 1
            self.copied += len(said) > 1 and len(set(said)) == 1

    def padded(self, column: Sequence[str | None]) -> list[str | None]:
        """Return a column of labels as long as the sample."""
        return [*column, *[None] * (len(self.clusters) - len(column))]


def judge(report: Report) -> Iterator[Section]:
    """Yield who labelled, confusion and kappa of each pair of raters, self-agreement, and what the judge could not score."""
    if not judged_by(report):
        yield from report.of(no_judge)(report)
    yield from agreement(report)
    yield from self_agreement(report)
    yield from failures(report)


def judged_by(report: Report) -> str | None:
    """Return the label source of the judge, None where no model judged."""
    held = (*report.results.sources, *(e.labels for e in report.results.estimates))
    return next((source for source in JUDGED if source in held), None)


def no_judge(report: Report) -> Iterator[Section]:
    """Say who labelled where no model judged."""
    words = f"{who_labelled(report)} What a rule cannot decide it leaves open."
    yield Section.of("judge", "Who labelled?", Prose(markdown=words), "There was no judge.")


def who_labelled(report: Report) -> str:
    """Return in one sentence whose labels there are in a report without a judge.

    Args:
        report: of a scoring.
    """
    held = (*report.results.sources, *(e.labels for e in report.results.estimates))
    who = [PEOPLE] if "human" in held else []
    who += ["a verifier"] if any(source.startswith("verifier:") for source in held) else []
    return f"No model judged: labels come from {joined([*who, 'rules']) if who else 'rules alone'}."


def scale(report: Report) -> Sequence[str]:
    """Return all labels that raters use."""
    del report
    return SUPPORT_LABELS


def agreement(report: Report) -> Iterator[Section]:
    """Yield a confusion matrix and kappa per pair of raters, and people's agreement in every model and arm."""
    sample: Sample = report.collected["sample"]
    columns = {name: sample.padded(column) for name, column in sample.columns.items()}
    if len(columns) < 2:
        return
    labels = report.of(scale)(report)
    for one, other in combinations(columns, 2):
        a, b = _both(columns[one], columns[other])
        if a:
            yield _confusion(f"{one} against {other}", a, b, labels)
    yield from _pairs(report, sample, columns, labels)


def word(source: str) -> str:
    """Return a label source as a rater's name."""
    named = {"agreement": "judge", "majority": "judge", "human": PEOPLE}
    return named.get(source, "verifier" if source.startswith("verifier:") else "rules")


def _both(a: Sequence[str | None], b: Sequence[str | None]) -> tuple[list[str], list[str]]:
    pairs = [(x, y) for x, y in zip(a, b, strict=True) if x is not None and y is not None]
    return [x for x, _ in pairs], [y for _, y in pairs]


def _confusion(title: str, a: Sequence[str], b: Sequence[str], labels: Sequence[str]) -> Section:
    counts = confusion(a, b, scale=labels)
    rows = tuple(
        {
            "row": one,
            "column": other,
            "value": int(counts.table[i, j]),
            "text": counted(int(counts.table[i, j])),
        }
        for i, one in enumerate(labels)
        for j, other in enumerate(labels)
    )
    alt = "Counts of claims by the label that each gave."
    return Section.of(
        "judge",
        title,
        Chart(kind="matrix", rows=rows, x="column", y="row", value="value", unit="count", alt=alt),
    )


def _pairs(
    report: Report, sample: Sample, columns: dict[str, list[str | None]], labels: Sequence[str]
) -> Iterator[Section]:
    lines: list[PairLine] = []
    seed = report.run.seed
    people = columns.get(PEOPLE)
    others = {name: column for name, column in columns.items() if name != PEOPLE}
    kept = [n for n, label in enumerate(people or ()) if label is not None]
    ordered = (
        {name: [columns[name][n] for n in kept] for name in (PEOPLE, *others)} if people is not None else {}
    )
    clusters, buckets = [sample.clusters[n] for n in kept], [sample.buckets[n] for n in kept]
    if people is not None:
        lines += rater_pairs(ordered, clusters, scale=labels, seed=seed)
        persons = {name: sample.padded(said) for name, said in sorted(sample.persons.items())}
        lines += rater_pairs(persons, sample.clusters, scale=labels, seed=seed)
    every = rater_pairs(others, sample.clusters, scale=labels, seed=seed)
    yield _agreement_table(report, lines, every)
    by_bucket = list(_bucket_lines(ordered, clusters, buckets, labels, seed)) if ordered else []
    if by_bucket:
        rows = [
            {"bucket": line.stratum, "pair": f"{line.first} and {line.second}", **_figures(line)}
            for line in by_bucket
        ]
        section = table(
            "judge", BUCKETS, (text("bucket", "model and arm"), text("pair", "raters"), *_COLUMNS), rows
        )
        yield replace(
            section, estimates=tuple(_estimates(report, [(line, PEOPLE_SAW) for line in by_bucket]))
        )


def _bucket_lines(
    columns: dict[str, list[str | None]],
    clusters: list[str],
    buckets: list[str],
    labels: Sequence[str],
    seed: int,
) -> Iterator[PairLine]:
    for bucket in sorted(set(buckets)):
        kept = [n for n, name in enumerate(buckets) if name == bucket]
        people = [columns[PEOPLE][n] for n in kept]
        for name, column in columns.items():
            if name != PEOPLE:
                other = (name, [column[n] for n in kept])
                yield pair_line(
                    (PEOPLE, people),
                    other,
                    [clusters[n] for n in kept],
                    scale=labels,
                    seed=seed,
                    stratum=bucket,
                )


def _agreement_table(report: Report, lines: Sequence[PairLine], every: Sequence[PairLine]) -> Section:
    held = [(line, of) for found, of in ((lines, PEOPLE_SAW), (every, "all")) for line in found if line.n]
    rows = [{"pair": f"{line.first} and {line.second}", "of": of, **_figures(line)} for line, of in held]
    heads = (text("pair", "raters"), text("of", "claims"), *_COLUMNS)
    section = Section.of("judge", AGREEMENT, Table(columns=heads, rows=tuple(rows), note=NOTE))
    return replace(section, estimates=tuple(_estimates(report, held)))


def _estimates(report: Report, held: Sequence[tuple[PairLine, str]]) -> Iterator[Estimate]:
    """Yield what the tables of agreement show: share of the same label and kappa of every pair of raters."""
    for line, of in held:
        model, _, arm = line.stratum.rpartition(" · ")
        where = {"model": model or "all models", "arm": arm or "all arms"}
        for name, words, unit, found in (
            (SAME, "same label", "share", line.raw),
            (KAPPA, "Cohen's kappa", "ratio", line.kappa),
        ):
            yield agreed(report, name, words, unit, found, line, stratum=f"claims: {of}", **where)


def agreed(
    report: Report, name: str, words: str, unit: str, found: Number, line: PairLine, **where: Any
) -> Estimate:
    """Return a number of how far two raters agree as an estimate.

    Args:
        report: whose sections are made. name, words, unit: of the number. found: the number. line: whose it is.
        where: model, arm and stratum.
    """
    return Estimate(
        name=name,
        label=f"{line.first} and {line.second}: {words}",
        question=f"How far do {line.first} and {line.second} agree?",
        better="higher",
        unit=unit,
        labels=f"{line.first} and {line.second}",
        value=found.value,
        low=found.low if found.high is not None else None,
        high=found.high if found.low is not None else None,
        undefined=found.undefined,
        level=found.level,
        method=found.method,
        n=found.n,
        note=found.note,
        simulated=report.results.only_simulated,
        **where,
    )


_COLUMNS = (number("n"), share("raw", "same label"), share("kappa", "Cohen's kappa", "ratio"))


def _figures(line: PairLine) -> dict[str, Any]:
    return {"n": line.n, "raw": as_cell(line.raw, "share"), "kappa": as_cell(line.kappa, "ratio")}


def as_cell(found: Number, unit: str) -> dict[str, Any]:
    """Return a number of a card as a table's cell."""
    return {
        "value": found.value,
        "low": found.low,
        "high": found.high,
        "unit": unit,
        "undefined": found.undefined,
    }


def self_agreement(report: Report) -> Iterator[Section]:
    """Yield how often passes of the judge give one label, where the protocol estimates it, and whether they are copies."""
    held = list(report.results.all("judge_agreement"))
    if not held:
        return
    rows = [
        {
            "model": e.model, "arm": report.arm_words(e.arm), "n": e.n, "simulated": e.simulated,
            "value": cell(e),
        }
        for e in held
    ]  # fmt: skip
    heads = (
        text("model", "model judged"),
        text("arm"),
        share("value", "both passes give one label"),
        number("n", "claims"),
    )
    yield table(
        "judge", "Does the judge agree with itself?", heads, rows, answer=_copies(report.collected["sample"])
    )


def _copies(sample: Sample) -> str:
    """Say where passes are copies: a model that always says the same agrees with itself whatever it says."""
    if not sample.copied:
        return ""
    if sample.copied < sample.passed:
        rated = plural(sample.passed, "claim")
        return f"In {counted(sample.copied)} of {rated} rated more than once the passes are word for word the same."
    return (
        f"In all {plural(sample.passed, 'claim')} rated more than once the passes are word for word the same: the judge "
        "repeats itself, so this agreement says nothing of how reliable it is. Compare it with people, or with another judge."
    )


def failures(report: Report) -> Iterator[Section]:
    """Yield what became of every judgement asked for: transport, parse, schema, abstained, bad quote, or ok."""
    held: dict[tuple[str, str], Counter[str]] = report.collected["sample"].classes
    rows = [
        {
            "rater": rater,
            "aspect": aspect,
            "n": sum(counts.values()),
            **{name: counts[name] for name in FAILURE_CLASSES},
        }
        for (rater, aspect), counts in sorted(held.items())
    ]
    if rows:
        heads = (
            text("rater", "judge"),
            text("aspect", "of what"),
            number("n", "asked"),
            *map(number, FAILURE_CLASSES),
        )
        yield table("judge", "What could the judge not score?", heads, rows, note=CLASSES)
