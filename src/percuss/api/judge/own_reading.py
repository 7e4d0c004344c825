"""A passport on the run's own text: how each reader read what people labelled of it, by model and true label (reading.md, section 2)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from percuss.api.report.manifest import scoring_of
from percuss.core.errors import UsageError
from percuss.core.judgement import Judgement
from percuss.core.strict import Record
from percuss.exchange.judgements import run_judgements
from percuss.judging.people import majority
from percuss.store import RunStore

__all__ = ["OwnReading", "own_readings"]


class OwnReading(Record):
    """What one reader made of the texts of one model that people gave one label.

    Args:
        reader: as verdicts name it. model: whose text. aspect: what was labelled. label: people's.
        n: texts. right: read so. undecided: left open, or failed on. wrong: other label -> how often.
    """

    reader: str
    model: str
    aspect: str
    label: str
    n: int
    right: int
    undecided: int
    wrong: dict[str, int] = {}


def own_readings(run: Path, *, scoring: str | None = None) -> tuple[OwnReading, ...]:
    """Return how every reader of a run read what people labelled of it, undecided counted.

    Args:
        run: the folder, its labels imported. scoring: start of a scoring's id; None takes the latest.

    Raises:
        UsageError: nobody labelled anything of the run.
    """
    with RunStore.open(run) as store:
        rows = list(run_judgements(store.view(scoring_of(store, scoring).id)))
    found = tuple(_by_aspect(rows))
    if not found:
        raise UsageError(
            f"nobody has labelled claims of {run}; `percuss reading label {run} --n 60` writes a blind sample"
        )
    return found


def _by_aspect(rows: Sequence[Judgement]) -> Iterator[OwnReading]:
    for aspect in dict.fromkeys(one.metric for one in rows):
        truth, _ = majority([one for one in rows if one.metric == aspect])
        held: dict[tuple[str, str, str], Counter[str]] = {}
        for one in rows:
            if one.human or one.run_pass != 1 or one.metric != aspect or one.item not in truth:
                continue
            key = (one.rater, one.stratum.partition(" / ")[0], truth[one.item])
            held.setdefault(key, Counter())[one.label or ""] += 1
        for (reader, model, label), said in sorted(held.items()):
            yield OwnReading(
                reader=reader, model=model, aspect=aspect, label=label, n=said.total(), right=said[label], undecided=said[""],
                wrong={other: k for other, k in sorted(said.items()) if other not in {label, ""}},
            )  # fmt: skip
