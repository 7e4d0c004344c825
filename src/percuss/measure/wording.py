"""Words around numbers inside sentences; `percuss.measure.numbers` writes the numbers themselves."""

from collections.abc import Sequence

from percuss.core.labels import reason_words
from percuss.measure.numbers import count, p_value

__all__ = [
    "counted",
    "covers_words",
    "joined",
    "p_words",
    "plural",
    "reasons_words",
    "source_words",
]


_SOURCES = {
    "agreement": "judge, where both passes agree",
    "majority": "judge, most of three passes",
    "human": "people",
    "corrected": "people on a part, the machine on the rest",
    "concordant": "where judge and rules give one label",
}


def counted(number: float) -> str:
    """Return a count with thousands separated."""
    return count(round(number))


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

    >>> p_words(0.00005), p_words(0.3)
    ('p under 0.0001', 'p 0.300')
    """
    return f"p {p_value(p)}"


def reasons_words(excluded: dict[str, int]) -> str:
    """Return reasons with counts, the most frequent first.

    >>> reasons_words({"error": 2, "undecided:by rule": 391})
    'undecided (by rule) 391, failed 2'
    """
    ordered = sorted(excluded.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{reason_words(reason)} {counted(n)}" for reason, n in ordered)


def source_words(labels: str) -> str:
    """Return whose labels a number rests on, in a person's words.

    >>> source_words("rule:strict"), source_words("judge:openai/gpt-4.1-mini")
    ('rules strict', 'first pass of openai/gpt-4.1-mini')
    """
    kind, _, name = labels.partition(":")
    if kind == "judge":
        return f"first pass of {name}"
    if kind == "verifier":
        return f"verifier {name}"
    return f"rules {name}" if kind == "rule" else _SOURCES.get(labels, labels)
