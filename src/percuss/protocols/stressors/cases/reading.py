"""Read cases line by line; the layout of each line is recognised by its fields."""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any, Literal

import msgspec

from percuss.core.errors import BadInput
from percuss.core.records import Case, Record
from percuss.core.sources import Found, Sourced
from percuss.protocols.stressors.cases import agentclinic, mediq, nejm
from percuss.protocols.stressors.cases.fhir import Patients, holds_fhir
from percuss.protocols.stressors.options import StressorsOptions
from percuss.protocols.stressors.scenario.information_flow import Unbuildable, draw
from percuss.protocols.stressors.scenario.units import consequence_of
from percuss.protocols.stressors.scenario.vignettes import Vignette

__all__ = ["BUNDLED", "Loaded", "cases", "is_bundled", "loaded", "vignette_from"]

BUNDLED = "vignettes"
LINE_LIMIT = 16 * 1024 * 1024


def cases(source: str | None, options: StressorsOptions, seed: int) -> Iterator[Case]:
    """Return the cases of a source, read lazily.

    Args:
        source: None or `vignettes` for the bundled ones, else a JSONL file: one vignette, one AgentClinic case (OSCE, or
            NEJM with its picture beside the file) or one mediQ case a line; or a FHIR file or folder: one patient a case.
        options: not used. seed: of the draw, for what is said of a file's cases.

    Raises:
        BadInput: with the file and line, for anything that cannot be a case.
    """
    del options
    if source is None or source == BUNDLED:
        return _bundled()
    path = Path(source)
    if path.exists() and holds_fhir(path):
        patients = Patients(path)
        return Sourced(map(_case, patients), patients.found)
    if not path.is_file():
        raise BadInput(
            f"no cases at {source!r}; give a JSONL file of vignettes, AgentClinic or mediQ cases, a FHIR file or folder, or `{BUNDLED}`"
        )
    return _counted(path, seed)


def _counted(path: Path, seed: int) -> Sourced:
    """The cases of a file, and what its first lines say of them once they were read."""
    held: list[Vignette] = []

    def read() -> Iterator[Case]:
        for case in _from_file(path):
            held.append(msgspec.convert(case.payload, Vignette))
            yield case

    def found() -> Found:
        counted = loaded(held, seed)
        return Found(layout=counted.words, cases=len(held), left_out=counted.left_out)

    return Sourced(read(), found)


def _bundled() -> Iterator[Case]:
    held = resources.files("percuss.protocols.stressors") / "data" / "vignettes.jsonl"
    with resources.as_file(held) as path:
        yield from _from_file(path)


@lru_cache(maxsize=1)
def _known() -> dict[str, Vignette]:
    return {case.id: msgspec.convert(case.payload, Vignette) for case in _bundled()}


def is_bundled(vignette: Vignette) -> bool:
    """Return whether a vignette is one of the bundled ones, word for word, whoever attacked it since."""
    held = _known().get(vignette.id)
    return held is not None and held == msgspec.structs.replace(vignette, gap_not_needed=held.gap_not_needed)


def _case(vignette: Vignette, folder: Path | None = None) -> Case:
    picture = None if folder is None else nejm.picture_of(vignette, folder)
    if picture is not None:
        vignette = msgspec.structs.replace(vignette, track="image")
    payload = msgspec.to_builtins(vignette)
    if not vignette.picture:
        del payload["picture"]
    if not vignette.gap_not_needed:  # a case that nobody has attacked is the case that it was
        del payload["gap_not_needed"]
    blobs = () if picture is None else (picture,)
    return Case(
        id=vignette.id, cluster=vignette.cluster, stratum=vignette.stratum, payload=payload, blobs=blobs
    )


def _from_file(path: Path) -> Iterator[Case]:
    seen: dict[str, int] = {}
    with path.open("rb") as file:
        for line, raw in enumerate(file, start=1):
            if len(raw) > LINE_LIMIT:
                raise BadInput(
                    f"longer than {LINE_LIMIT // 2**20} MB; split the case", source=path.name, line=line
                )
            if not raw.strip():
                continue
            vignette = _row(raw, path.name, line)
            if vignette.id in seen:
                raise BadInput(
                    f"id {vignette.id!r} was given on line {seen[vignette.id]} already; ids must differ",
                    source=path.name,
                    line=line,
                )
            seen[vignette.id] = line
            yield _case(vignette, path.parent)
    if not seen:
        raise BadInput("no cases; one JSON object a line was expected", source=path.name)


def _row(raw: bytes, source: str, line: int) -> Vignette:
    """A row of a released data set that can't be read fails itself and is counted; a vignette of one's own must be whole."""
    try:
        return vignette_from(raw, source, line)
    except BadInput as error:
        layout = _layout(raw)
        if layout is None:
            raise
        name = f"{layout}-unread-{line}"
        return Vignette(
            id=name,
            cluster=name,
            opening="",
            facts=(),
            diagnosis="",
            gold_status="none",
            layout=layout,
            unread=str(error),
        )


def _layout(raw: bytes) -> Literal["agentclinic", "nejm", "mediq"] | None:
    try:
        record: Any = msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    if not isinstance(record, dict):
        return None
    if agentclinic.is_agentclinic(record):
        return "agentclinic"
    if nejm.is_nejm(record):
        return "nejm"
    return "mediq" if mediq.is_mediq(record) else None


class Loaded(Record):
    """What a file of cases holds, for the first lines of a run.

    Args:
        layouts: layout -> rows. left_out: reason -> rows that can't be posed. no_contradiction: cases without anything to contradict.
        no_gold: cases whose question has no diagnosis for an answer, or a disputed one.
        bearing: cases whose contradiction would change something: the diagnosis, what is urgent, a drug or dose, a procedure.
        no_picture: cases that name a picture which isn't beside their file, and are asked without it.
    """

    layouts: dict[str, int]
    left_out: dict[str, int]
    no_contradiction: int
    no_gold: int
    bearing: int = 0
    no_picture: int = 0

    @property
    def words(self) -> str:
        """What the cases are like, in words, without how many were left out."""
        found = ", ".join(
            f"{n} {'vignettes of the own layout' if name == 'own' else f'cases of {name}'}"
            for name, n in self.layouts.items()
        )
        built = sum(self.layouts.values()) - sum(self.left_out.values()) - self.no_contradiction
        share = f" ({self.bearing / built:.0%})" if built else ""
        unseen = (
            f"; {self.no_picture} without their picture, which is not beside the file"
            if self.no_picture
            else ""
        )
        return (
            f"{found}: {self.no_contradiction} without a contradiction, {self.no_gold} without a gold diagnosis, the contradiction would change "
            f"something in {self.bearing} of {built}{share}{unseen}"
        )

    @property
    def sentence(self) -> str:
        """The counts in one sentence."""
        found = ", ".join(
            f"{n} {'vignettes of the own layout' if name == 'own' else f'cases of {name}'}"
            for name, n in self.layouts.items()
        )
        left = "; ".join(f"{n} left out ({reason})" for reason, n in self.left_out.items()) or "none left out"
        return f"{found}: {left}; {self.no_contradiction} without a contradiction, {self.no_gold} without a gold diagnosis."


def loaded(cases_read: Iterable[Vignette], seed: int) -> Loaded:
    """Count what cases hold.

    Args:
        cases_read: as they were read. seed: of the draw.
    """
    layouts, left = Counter[str](), Counter[str]()
    bare = without = bearing = unseen = 0
    for vignette in cases_read:
        layouts[vignette.layout] += 1
        unseen += bool(vignette.picture) and vignette.track != "image"
        try:
            made = draw(vignette, seed)
        except Unbuildable as error:
            left[str(error).partition(": ")[2].partition(";")[0]] += 1
            continue
        bare += not made.targets
        bearing += bool(made.targets) and consequence_of(vignette, made.targets[0][0]) != "nothing"
        without += vignette.gold_status != "given"
    return Loaded(
        layouts=dict(layouts),
        left_out=dict(left),
        no_contradiction=bare,
        no_gold=without,
        bearing=bearing,
        no_picture=unseen,
    )


def vignette_from(raw: bytes, source: str, line: int) -> Vignette:
    """Return the vignette of one line of a file.

    Args:
        raw: a JSON object in one of the four layouts. source, line: where it stands, for errors.

    Raises:
        BadInput: not JSON, no known layout, or a field that does not fit.
    """
    try:
        record: Any = msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadInput(
            f"not JSON ({error}); one object a line was expected", source=source, line=line
        ) from None
    if not isinstance(record, dict):
        raise BadInput("a JSON object was expected", source=source, line=line)
    try:
        if agentclinic.is_agentclinic(record):
            return agentclinic.vignette_of(record, line)
        if nejm.is_nejm(record):
            return nejm.vignette_of(record, line)
        if mediq.is_mediq(record):
            return mediq.vignette_of(record, line)
        vignette = msgspec.convert(record, Vignette)
    except BadInput as error:
        raise BadInput(str(error), source=source, line=line) from None
    except msgspec.ValidationError as error:
        raise BadInput(
            f"neither a vignette nor an AgentClinic or mediQ case: {error}", source=source, line=line
        ) from None
    _require(vignette, source, line)
    return vignette


def _require(vignette: Vignette, source: str, line: int) -> None:
    ids = [fact.id for fact in vignette.facts]
    if len(set(ids)) != len(ids):
        raise BadInput("two facts share an id; ids must differ within a vignette", source=source, line=line)
    strange = {each.fact_id for each in vignette.authored} - set(ids)
    if strange:
        raise BadInput(
            f"a contradiction names fact {min(strange)!r}, which the vignette does not hold",
            source=source,
            line=line,
        )
