"""Where cases come from: the bundled cohort, or a JSONL file that is read line by line."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any

import msgspec

from percuss.core.errors import BadInput
from percuss.core.records import Case
from percuss.evidence.packet import LAYERS, Fact, Packet
from percuss.protocols.grounding import cohort
from percuss.protocols.grounding.donors import derangement
from percuss.protocols.grounding.layouts import FIELDS, Layout, layout_of, mapping
from percuss.protocols.grounding.options import GroundingOptions
from percuss.protocols.grounding.record import Grounding

__all__ = ["LINE_LIMIT", "cases", "packet_from"]

LINE_LIMIT = 16 * 1024 * 1024


def cases(source: str | None, options: GroundingOptions, seed: int) -> Iterator[Case]:
    """Yield the cases of a source, lazily.

    Args:
        source: None or `tcga_luad` for the bundled 119 cases, `tcga_luad:all` for all 450, else a JSONL file of
            `{id, question?, evidence: text | [texts] | facts | layers, cluster?, stratum?, reference?, cohort?}`, or of
            rows whose columns are recognised (RAGAS, DeepEval, MedHallu) or named by `--map`.
        options: settings of the run; `shuffled` gives each case of a file a donor.
        seed: root seed.

    Raises:
        BadInput: with the file and line, for anything that cannot be a case.
    """
    if source is None or source in {cohort.BUNDLED, cohort.ALL}:
        yield from cohort.bundled(source, seed)
        return
    path = Path(source)
    if not path.is_file():
        raise BadInput(f"no cases at {source!r}; give a JSONL file, `{cohort.BUNDLED}` or `{cohort.ALL}`")
    named = mapping(options.map)
    yield from _with_donors(path, named, seed) if options.shuffled else _from_file(path, named)


def packet_from(evidence: Any) -> Packet:
    """Return the packet of a case's `evidence` field.

    Args:
        evidence: text; a list of texts; a list of facts `{path, value, unit?, source?}`; or an object of layers
            (`pathology`, `transcriptomics`, `clinical`, `fusion`, each may be null) or of any other nested values.

    Raises:
        BadInput: none of these; the message says what was got.
    """
    if isinstance(evidence, str):
        return Packet.of_text(evidence)
    if isinstance(evidence, dict):
        return Packet.of_layers(evidence)
    if not isinstance(evidence, list):
        raise BadInput(
            f"`evidence` is {_kind(evidence)}; text, a list of texts, facts or an object was expected"
        )
    if all(isinstance(part, str) for part in evidence):
        return Packet.of_text(*evidence)
    try:
        facts = msgspec.convert(evidence, tuple[Fact, ...])
    except msgspec.ValidationError as error:
        raise BadInput(
            f"`evidence` is a list that is neither of texts nor of facts {{path, value}}: {error}"
        ) from None
    heads = {fact.path.partition(".")[0] for fact in facts}
    return Packet(facts=facts, layers=tuple(name for name in LAYERS if name in heads))


def _from_file(path: Path, named: Mapping[str, str]) -> Iterator[Case]:
    seen: dict[str, int] = {}
    layout: Layout | None = None
    with path.open("rb") as file:
        for line, raw in _lines(path, file):
            row = _object(path, line, raw)
            layout = layout or layout_of(row, named)
            case = _case(path, line, row, layout)
            if case.id in seen:
                raise _bad(
                    path, line, f"id {case.id!r} was given on line {seen[case.id]} already; ids must differ"
                )
            seen[case.id] = line
            yield case
    if not seen:
        raise BadInput("no cases; one JSON object a line was expected", source=path.name)


def _with_donors(path: Path, named: Mapping[str, str], seed: int) -> Iterator[Case]:
    """Read the file twice: once for strata and places, then for the cases, each with its donor's evidence."""
    found = {case.id: case.stratum for case in _from_file(path, named)}
    donors = derangement(found, seed=seed)
    places: dict[str, int] = {}
    with path.open("rb") as file:
        at, walk = 0, iter(found)
        for _ in _lines(path, file):
            places[next(walk)] = at
            at = file.tell()
    with path.open("rb") as lender:
        for line, case in enumerate(_from_file(path, named), start=1):
            donor = donors.get(case.id)
            if donor is None:
                yield case
                continue
            lender.seek(places[donor])
            row = _object(path, line, next(_lines(path, lender))[1])
            packet = packet_from(layout_of(row, named).read(row, line)["evidence"])
            content = msgspec.convert(case.payload, Grounding)
            lent = msgspec.structs.replace(content, donor=donor, donor_packet=packet)
            yield msgspec.structs.replace(case, payload=msgspec.to_builtins(lent))


def _lines(path: Path, file: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    line = 0
    while raw := file.readline(LINE_LIMIT + 1):
        line += 1
        if len(raw) > LINE_LIMIT:
            raise _bad(path, line, f"longer than {LINE_LIMIT // 2**20} MB; split the case's evidence")
        if line == 1:
            raw = raw.removeprefix(b"\xef\xbb\xbf")
        if raw.strip():
            yield line, raw.strip()


def _object(path: Path, line: int, raw: bytes) -> dict[str, Any]:
    try:
        given = msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _bad(path, line, f"not JSON ({error}); one object a line was expected") from None
    if not isinstance(given, dict):
        raise _bad(path, line, f"{_kind(given)}; an object with `id` and `evidence` was expected")
    return given


def _case(path: Path, line: int, row: dict[str, Any], layout: Layout) -> Case:
    for name in row if layout.strict else ():
        if name not in FIELDS:
            raise _bad(
                path, line, f"unknown field `{name}`; fields are {', '.join(FIELDS)} (rename with --map)"
            )
    given = layout.read(row, line)
    texts = {name: given.get(name) for name in FIELDS if name not in {"evidence", "reference"}}
    for name in ("id", "evidence"):
        if given.get(name) in (None, "", [], {}):
            raise _bad(
                path,
                line,
                f"`{name}` is missing; give {'a unique text' if name == 'id' else 'text, texts or facts'}",
            )
    for name, value in texts.items():
        if value is not None and not isinstance(value, str):
            raise _bad(path, line, f"`{name}` is {_kind(value)}; text was expected")
    try:
        packet = packet_from(given["evidence"])
        record = None if given.get("reference") is None else packet_from(given["reference"])
    except BadInput as error:
        raise _bad(path, line, str(error)) from None
    content = Grounding(
        packet=packet, question=given.get("question") or "", cohort=given.get("cohort") or "", record=record
    )
    return Case(
        id=given["id"],
        cluster=given.get("cluster") or given["id"],
        stratum=given.get("stratum") or "",
        payload=msgspec.to_builtins(content),
    )


def _bad(path: Path, line: int, message: str) -> BadInput:
    return BadInput(message, source=path.name, line=line)


def _kind(value: Any) -> str:
    names = {
        bool: "a truth value",
        int: "a number",
        float: "a number",
        str: "text",
        list: "a list",
        dict: "an object",
    }
    return names.get(type(value), "null")
