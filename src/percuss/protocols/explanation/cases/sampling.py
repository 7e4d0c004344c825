"""Drawing pictures from a source, stratified over findings, with every patient in one split."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from percuss.core.errors import BadInput
from percuss.core.seeds import generator
from percuss.protocols.explanation.cases.study import Study

__all__ = ["one_split", "stratified"]


def one_split(studies: Iterable[Study]) -> Iterator[Study]:
    """Yield the studies, refusing a patient who stands in two splits.

    Raises:
        BadInput: such a patient, with the line.
    """
    split_of: dict[str, str] = {}
    for study in studies:
        known = split_of.setdefault(study.patient, study.split) if study.patient else study.split
        if known != study.split:
            raise BadInput(
                f"the patient {study.patient!r} stands in {known} and {study.split}; a patient belongs to one split",
                source=study.source,
                line=study.line,
            )
        yield study


def stratified(studies: Sequence[Study], size: int, *, seed: int) -> list[Study]:
    """Draw pictures evenly over strata, in the order of the source (papers/1 section 3.2).

    A picture's stratum is its rarest positive finding (or "clear"), so that rare findings are drawn as often as they can be.

    Args:
        studies: of a source, one a picture.
        size: how many pictures; all where there are no more.
        seed: of the draw.
    """
    if size >= len(studies):
        return list(studies)
    positive = [
        tuple(name for name, value in study.fields.items() if value not in (0, False, "full"))
        for study in studies
    ]
    counts = Counter(name for names in positive for name in names)
    strata: dict[str, list[int]] = {}
    for place, names in enumerate(positive):
        key = min(names, key=lambda name: (counts[name], name), default="clear")
        strata.setdefault(key, []).append(place)
    queues = []
    for key in sorted(strata):
        order = generator(seed, "sample", key).permutation(len(strata[key]))
        queues.append([strata[key][int(place)] for place in order])
    taken: list[int] = []
    while len(taken) < size:
        for queue in queues:
            if queue and len(taken) < size:
                taken.append(queue.pop())
    return [studies[place] for place in sorted(taken)]
