"""Where cases come from: the bundled synthetic chests, or pictures with findings in a file of the user's."""

from collections.abc import Iterator
from pathlib import Path

from percuss.core.errors import BadInput
from percuss.core.records import Case
from percuss.core.sources import Found, Sourced
from percuss.protocols.explanation.cases.bundled import chests, named
from percuss.protocols.explanation.cases.coco import with_regions
from percuss.protocols.explanation.cases.dicom_regions import with_dicom_regions
from percuss.protocols.explanation.cases.sampling import one_split, stratified
from percuss.protocols.explanation.cases.study import Study, cases_of
from percuss.protocols.explanation.cases.tables import from_csv, from_jsonl, from_parquet
from percuss.protocols.explanation.options import ExplanationOptions

__all__ = ["cases"]


def cases(source: str | None, options: ExplanationOptions, seed: int) -> Iterator[Case]:
    """Return one case per question and picture, read lazily; with a knowledge base of the user's, what looks wrong in that too.

    Args:
        source: None or `chests[:icu][:200]` for synthetic chests; else a `.jsonl` or `.csv` file beside its pictures, a
            `.parquet` shard, or a folder of shards.
        options: `sample` draws pictures stratified over findings; `regions` is a COCO file of boxes, or DICOM objects; a knowledge
            base of the user's is read first.
        seed: root seed.

    Raises:
        BadInput: with file and line, for a record that cannot be a case; a knowledge base that can't be read. A picture that cannot be used is no such error:
            its cases carry the sentence, are never asked and are counted.
    """
    walk = _walk(source, options, seed)
    if not options.knowledge:
        return walk
    # A dry run and a first call come after this line: what can't be read is not found out when all answers are paid.
    from percuss.protocols.explanation.check import warnings_of

    warnings = tuple(f"knowledge base: {sentence}" for sentence in warnings_of(options))
    return _counted(walk, warnings)


def _counted(walk: Iterator[Case], warnings: tuple[str, ...]) -> Sourced:
    """The cases, and beside what their knowledge base is warned of how many they were."""
    pictures: dict[str, int] = {}

    def read() -> Iterator[Case]:
        for case in walk:
            image = str(case.payload["image"])
            pictures[image] = pictures.get(image, 0) + 1
            yield case

    def found() -> Found:
        n = len(pictures)
        words = f"questions on {n:,} {'picture' if n == 1 else 'pictures'}"
        return Found(layout=words, cases=sum(pictures.values()), warnings=warnings)

    return Sourced(read(), found)


def _walk(source: str | None, options: ExplanationOptions, seed: int) -> Iterator[Case]:
    studies = one_split(_studies(source, options, seed))
    if options.regions:
        laid_over = with_regions if options.regions.endswith(".json") else with_dicom_regions
        studies = laid_over(studies, Path(options.regions))
    if options.sample:
        studies = iter(stratified(list(studies), options.sample, seed=seed))
    for study in studies:
        yield from cases_of(study)


def _studies(source: str | None, options: ExplanationOptions, seed: int) -> Iterator[Study]:
    synthetic = named(source, options)
    if synthetic is not None:
        return chests(*synthetic, seed=seed)
    path = Path(str(source))
    if path.is_dir() or path.suffix == ".parquet":
        return from_parquet(path)
    if not path.is_file():
        raise BadInput(f"no cases at {source!r}; give a .jsonl, .csv or .parquet file, or `chests`")
    if path.suffix == ".csv":
        return from_csv(path)
    return from_jsonl(path)
