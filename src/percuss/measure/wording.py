"""Numbers inside sentences: percent for rates, points for differences, plain figures for ratios, counts with commas.

Only for sentences that a protocol fills from estimates; tables and charts carry raw numbers, and the report shows them.
"""

from collections.abc import Sequence

from percuss.core.records import Estimate

__all__ = [
    "counted",
    "covers_words",
    "estimate_words",
    "figure",
    "joined",
    "p_words",
    "percent",
    "plural",
    "reasons_words",
    "source_words",
]


_SOURCES = {
    "agreement": "judge, where both passes agree",
    "majority": "judge, most of three passes",
    "human": "people",
    "corrected": "judge, corrected by people",
    "concordant": "where judge and rules give one label",
}


def percent(value: float) -> str:
    """Return a share in percent, with one decimal.

    >>> percent(0.04), percent(0.915)
    ('4.0%', '91.5%')
    """
    return f"{100 * value:.1f}%"


def figure(value: float) -> str:
    """Return a ratio or index with two decimals.

    >>> figure(-0.0201)
    '-0.02'
    """
    text = f"{value:.2f}"
    return "0.00" if text == "-0.00" else text


def counted(number: float) -> str:
    """Return a count with thousands separated."""
    return f"{round(number):,}"


def covers_words(covers: str, *, judged: bool) -> str:
    """Return what an interval accounts for, and that the judge's errors are not in it where a judge labelled.

    >>> covers_words("sampling of cases, not of answers (1 epoch)", judged=True)
    'sampling of cases, not of answers (1 epoch) nor judge error'
    >>> covers_words("sampling of cases and of answers (3 epochs)", judged=True)
    'sampling of cases and of answers (3 epochs), not judge error'
    """
    if not judged:
        return covers
    return f"{covers}{' nor' if ', not ' in covers else ', not'} judge error"


def plural(number: float, word: str, many: str | None = None) -> str:
    """Return a count with its noun.

    >>> plural(1, "pair"), plural(6, "pair")
    ('1 pair', '6 pairs')
    """
    return f"{counted(number)} {word if round(number) == 1 else many or word + 's'}"


def joined(words: Sequence[str], last: str = "and") -> str:
    """Return words as a list in a sentence.

    >>> joined(["a", "b", "c"])
    'a, b and c'
    """
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def p_words(p: float) -> str:
    """Return a p-value.

    >>> p_words(0.0005), p_words(0.3)
    ('p < 0.001', 'p 0.30')
    """
    return "p < 0.001" if p < 0.001 else f"p {p:.2g}" if p < 0.1 else f"p {p:.2f}"


def estimate_words(estimate: Estimate) -> str:
    """Return an estimate's value with its interval, or why there is none.

    Args:
        estimate: of any unit.
    """
    if estimate.value is None:
        return f"undefined ({estimate.undefined})"
    scale, sign = (
        (100.0, "%")
        if estimate.unit == "share"
        else (100.0, " points")
        if estimate.unit == "points"
        else (1.0, "")
    )
    digits = 1 if scale > 1 else 2
    value = f"{scale * estimate.value:.{digits}f}{sign}"
    if estimate.low is None or estimate.high is None:
        return f"{value} (no interval)"
    return f"{value} [{scale * estimate.low:.{digits}f}, {scale * estimate.high:.{digits}f}]"


def reasons_words(excluded: dict[str, int]) -> str:
    """Return reasons with counts, the most frequent first.

    >>> reasons_words({"error": 2, "conflict": 391})
    'conflict 391, error 2'
    """
    ordered = sorted(excluded.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{reason} {counted(n)}" for reason, n in ordered)


def source_words(labels: str) -> str:
    """Return whose labels a number rests on, in a person's words.

    >>> source_words("rule:strict"), source_words("judge:openai/gpt-4.1-mini")
    ('rules strict', 'first pass of openai/gpt-4.1-mini')
    """
    kind, _, name = labels.partition(":")
    if kind == "judge":
        return f"first pass of {name}"
    return f"rules {name}" if kind == "rule" else _SOURCES.get(labels, labels)
