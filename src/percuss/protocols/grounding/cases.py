"""Where cases come from: the bundled cohort, JSONL of our own that is read line by line, or any layout that is known."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, Any

import msgspec

from percuss.core.errors import BadInput
from percuss.core.records import Case
from percuss.core.sources import Found, Sourced
from percuss.evidence.packet import LAYERS, Fact, Packet
from percuss.exchange.entries import Entries, Entry
from percuss.exchange.evaluation_sets import FORM, OF_ANSWERS, mapping_of
from percuss.exchange.rows import rows
from percuss.exchange.sources import is_ours, read_source
from percuss.protocols.grounding import cohort
from percuss.protocols.grounding.donors import derangement
from percuss.protocols.grounding.options import GroundingOptions
from percuss.protocols.grounding.record import Grounding

__all__ = ["LINE_LIMIT", "cases", "packet_from"]

LINE_LIMIT = 16 * 1024 * 1024
FIELDS = ("id", "question", "evidence", "cluster", "stratum", "reference", "cohort")


def cases(source: str | None, options: GroundingOptions, seed: int) -> Iterator[Case]:
    """Return the cases of a source, read lazily; a source of the user's says afterwards what was found.

    Args:
        source: None or `tcga_luad` for the bundled 119 cases, `tcga_luad:all` for all 450; else JSONL of
            `{id, question?, evidence: text | [texts] | facts | layers, cluster?, stratum?, reference?, cohort?}`, or a
            file or folder of a layout that `percuss.exchange.sources` recognises.
        options: settings of the run; `map` names columns, `shuffled` gives each case of a file a donor.
        seed: root seed.

    Raises:
        BadInput: with the file and line, for anything that cannot be a case.
    """
    if source is None or source in {cohort.BUNDLED, cohort.ALL}:
        return cohort.bundled(source, seed)
    path = Path(source)
    if not path.exists():
        raise BadInput(f"no cases at {source!r}; give a file, a folder, `{cohort.BUNDLED}` or `{cohort.ALL}`")
    mapping = mapping_of(options.map)
    if not mapping.keys() - OF_ANSWERS - set(FORM) and is_ours(path):
        return _own(path, options, seed)
    entries = read_source(path, mapping)
    found = _from_entries(entries)
    return Sourced(_lent(list(found), seed) if options.shuffled else found, entries.notes.found)


def _own(path: Path, options: GroundingOptions, seed: int) -> Sourced:
    """Return the cases of our own layout; a JSON list is held whole, lines are not."""
    n = 0

    def counted(walk: Iterable[Case]) -> Iterator[Case]:
        nonlocal n
        for case in walk:
            n += 1
            yield case

    if path.suffix.lower() == ".json":
        listed = _from_list(path)
        walk = _lent(list(listed), seed) if options.shuffled else listed
    else:
        walk = _with_donors(path, seed) if options.shuffled else _from_file(path)
    return Sourced(counted(walk), lambda: Found(layout="cases of our own layout", cases=n))


def _from_entries(entries: Entries) -> Iterator[Case]:
    """Yield the cases of another layout.

    Raises:
        BadInput: none is left.
    """
    for entry in entries:
        yield _case_of(entry)
    if not entries.notes.cases:
        left = "; ".join(f"{what}: {count:,}" for what, count in entries.notes.left_out.items())
        raise BadInput(
            f"{entries.notes.layout}, but no case with evidence{f' ({left})' if left else ''}",
            source=entries.path.name,
        )


def _case_of(entry: Entry) -> Case:
    content = Grounding(
        packet=entry.packet, question=entry.question, cohort=entry.cohort, record=entry.reference
    )
    return Case(
        id=entry.id,
        cluster=entry.cluster or entry.id,
        stratum=entry.stratum,
        payload=msgspec.to_builtins(content),
    )


def _lent(held: list[Case], seed: int) -> Iterator[Case]:
    """Give each of some held cases another one's evidence."""
    by_id = {case.id: case for case in held}
    donors = derangement({case.id: case.stratum for case in held}, seed=seed)
    for case in held:
        yield _with_donor(case, donors.get(case.id), by_id.__getitem__)


def _with_donor(case: Case, donor: str | None, lent: Callable[[str], Case]) -> Case:
    content = msgspec.convert(case.payload, Grounding)
    if donor is not None:
        packet = msgspec.convert(lent(donor).payload, Grounding).packet
        content = msgspec.structs.replace(content, donor=donor, donor_packet=packet)
    return msgspec.structs.replace(case, payload=msgspec.to_builtins(content))


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


def _from_file(path: Path) -> Iterator[Case]:
    with path.open("rb") as file:
        yield from _distinct(path, ((line, _case(path, line, raw)) for line, raw in _lines(path, file)))


def _from_list(path: Path) -> Iterator[Case]:
    yield from _distinct(path, ((number, _read(path, number, row)) for number, row in rows(path)))


def _distinct(path: Path, walk: Iterable[tuple[int, Case]]) -> Iterator[Case]:
    seen: dict[str, int] = {}
    for line, case in walk:
        if case.id in seen:
            raise _bad(
                path, line, f"id {case.id!r} was given on line {seen[case.id]} already; ids must differ"
            )
        seen[case.id] = line
        yield case
    if not seen:
        raise BadInput("no cases; one JSON object a line was expected", source=path.name)


def _with_donors(path: Path, seed: int) -> Iterator[Case]:
    """Read the file twice: once for strata and places, then for the cases, each with its donor's evidence."""
    strata = {case.id: case.stratum for case in _from_file(path)}
    donors = derangement(strata, seed=seed)
    places: dict[str, tuple[int, int]] = {}
    with path.open("rb") as file:
        at = 0
        for line, raw in _lines(path, file):
            places[_case(path, line, raw).id] = (at, line)
            at = file.tell()
    with path.open("rb") as lender:

        def lent(donor: str) -> Case:
            offset, line = places[donor]
            lender.seek(offset)
            return _case(path, line, lender.readline(LINE_LIMIT).strip())

        for case in _from_file(path):
            yield _with_donor(case, donors.get(case.id), lent)


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


def _case(path: Path, line: int, raw: bytes) -> Case:
    try:
        given = msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _bad(path, line, f"not JSON ({error}); one object a line was expected") from None
    return _read(path, line, given)


def _read(path: Path, line: int, given: Any) -> Case:
    if not isinstance(given, dict):
        raise _bad(path, line, f"{_kind(given)}; an object with `id` and `evidence` was expected")
    for name in given:
        if name not in FIELDS:
            raise _bad(
                path, line, f"unknown field `{name}`; fields are {', '.join(FIELDS)} (rename with --map)"
            )
    if isinstance(given.get("id"), int) and not isinstance(given["id"], bool):
        given = {**given, "id": str(given["id"])}
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
