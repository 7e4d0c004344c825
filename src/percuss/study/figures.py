"""The account of a study's agreement, as records."""

from percuss.core.records import Record
from percuss.stats import Result

__all__ = ["Figure", "QuestionAgreement", "Report", "Timing", "figure_of", "no_figure", "renamed"]


class Figure(Record):
    """A number with its interval; `undefined` says why there is none."""

    value: float | None
    low: float | None
    high: float | None
    n: int
    method: str
    undefined: str = ""
    notes: tuple[str, ...] = ()


class QuestionAgreement(Record):
    """Agreement on one question.

    Args:
        between: Cohen's kappa (quadratic on scales) of two raters, Krippendorff's alpha of more, tau-b of rankings,
            F1 of marks.
        raw: share of pairs of people with the same answer. pairs: the same statistic for each two raters.
        repeats: share of hidden repeats answered the same; repeats_kappa: beyond chance.
        ceiling: what a machine can be asked to reach: people against people.
        machines: each machine rater against people (the report's source); by_stratum: the same in each stratum.
        machine_items: items on which each was held against people. open: items without a settled or unanimous label.
        icc: ICC(A,k) of scales. fleiss: Fleiss' kappa over all raters. bias: each rater's mean step from the others.
        contrasts: arms (else models) compared on scales, readers and cases random.
    """

    name: str
    ask: str
    measure: str
    between: Figure
    raw: Figure
    pairs: dict[str, Figure]
    repeats: Figure
    repeats_kappa: Figure
    ceiling: Figure
    machines: dict[str, Figure]
    by_stratum: dict[str, dict[str, Figure]]
    open: int
    cant: int
    machine_items: dict[str, int] = {}
    icc: Figure | None = None
    fleiss: Figure | None = None
    bias: dict[str, Figure] = {}
    contrasts: dict[str, Figure] = {}


class Timing(Record):
    """Active seconds an item (gaps over two minutes are not counted), over all labels."""

    labels: int
    median_s: float
    mean_s: float
    by_rater: dict[str, float]


class Report(Record):
    """The whole account.

    Args:
        blinded: False where people saw the machine's verdict.
        revised: labels that were changed after they were given first; agreement between people uses the first ones.
        copied: labels of Percuss 0.1, of which it is unknown whether they had been revised.
        source: what machines are held against.
    """

    study: str
    design: str
    blinded: bool
    raters: tuple[str, ...]
    items: int
    several: int
    repeats: int
    settled: int
    questions: tuple[QuestionAgreement, ...]
    timing: Timing
    revised: int = 0
    copied: int = 0
    source: str = "persons"
    notes: tuple[str, ...] = ()

    @property
    def revisions(self) -> str:
        """How many labels were revised, in words; of those that 0.1 made nobody knows it."""
        if not self.copied:
            return str(self.revised)
        return f"{self.revised} (of {self.copied} labels made with 0.1 it is unknown)"


def figure_of(result: Result) -> Figure:
    """Return a statistic's result as a record; a bound on one side alone is a note in words."""
    sided = result.sided != "both"
    bound, word = (result.high, "at most") if result.sided == "high" else (result.low, "at least")
    return Figure(
        value=result.value,
        low=None if sided else result.low,
        high=None if sided else result.high,
        n=result.n,
        method=result.method,
        undefined=result.undefined or "",
        notes=(*result.notes, *([f"{word} {bound:.3f}"] if sided else [])),
    )


def no_figure(reason: str, n: int = 0) -> Figure:
    """Return the figure of what can't be computed, with the reason."""
    return Figure(value=None, low=None, high=None, n=n, method="", undefined=reason)


def renamed(figure: Figure, name: str) -> Figure:
    """Return a figure whose method begins with a name."""
    return Figure(
        **{f: getattr(figure, f) for f in Figure.__struct_fields__ if f != "method"},
        method=f"{name}, {figure.method}",
    )
