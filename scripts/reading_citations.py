#!/usr/bin/env python3
"""Score the readers of `citations` on tests/reading/citations: which statements cite what, whether two references are one work, who abstains.

Usage: .venv/bin/python scripts/reading_citations.py [--wrong] [--locked]

Without arguments the dev half is scored and printed; `--wrong` lists its wrong rows. `--locked` scores the locked half, adds a
line per reader to tests/reading/citations/locked_log.jsonl, writes the passports that reports use and their part of docs/reading.md.
"""

import datetime as dt
import json
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from percuss.protocols import citations
from percuss.protocols.citations.estimate.saying import abstains
from percuss.protocols.citations.marked import Marked, of_claim, paired, reference_of
from percuss.protocols.citations.references.extract import cited_claims
from percuss.protocols.citations.references.identity import same_reference

sys.path.insert(0, str(Path(__file__).resolve().parent))

from reading_halves import digest_of, score_half, share, two_readers
from reading_textbook import of

ROOT = Path(__file__).resolve().parents[1]
CORPUS = ROOT / "tests" / "reading" / "citations"
PASSPORTS = ROOT / "src" / "percuss" / "judging" / "passports_citations.json"
PAGE = CORPUS / "citations.md"
EXTRACTION, IDENTITY, ABSTENTION = "rule:cited-1", "rule:same-work-1", "rule:no-source-1"
VERSIONS = tomllib.loads((Path(citations.__file__).parent / "protocol.toml").read_text(encoding="utf-8"))[
    "readers"
]["versions"]
PAIRS = ("identity", "works")
"""Files of pairs; the reader of identity is scored on both together."""
SECOND_PASS = "second pass"
"""How labels of the first reader, given a second time, are signed."""
SENSITIVITY, FALSE_ALARMS = 0.80, 0.05
"""Floors of a yes or no (spec, reading, section 2). Of extraction: the share of cited statements that is found, and the
share of what is extracted that is none."""
Row = Mapping[str, Any]


class Read(NamedTuple):
    """A text: what was labelled, what was extracted, and which is which."""

    row: Row
    labelled: tuple[Marked, ...]
    extracted: tuple[Marked, ...]
    same: dict[int, int]


@cache
def rows(name: str) -> tuple[Row, ...]:
    """Return the rows of a corpus, both halves."""
    return tuple(map(json.loads, (CORPUS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()))


def read(row: Row) -> Read:
    """Extract the cited statements of a text, and hold them against the labels."""
    labelled = tuple(
        Marked(one["start"], one["stop"], reference_of(row["text"][slice(*one["reference"])]), tuple(one["reference"]))
        for one in row["claims"]
    )  # fmt: skip
    extracted = tuple(map(of_claim, cited_claims(row["text"]).claims))
    return Read(row, labelled, extracted, paired(labelled, extracted))


def extraction(read_rows: Sequence[Read]) -> dict[str, Any]:
    """Return how cited statements are found; `right` is of all that were labelled or extracted."""
    both = sum(len(one.same) for one in read_rows)
    labelled, extracted = (
        sum(len(getattr(one, name)) for one in read_rows) for name in ("labelled", "extracted")
    )
    either = labelled + extracted - both
    return {
        "n": either,
        "texts": len(read_rows),
        "decided": share(either, either),
        "right": share(both, either),
        "sensitivity": share(both, labelled),
        "false_alarms": share(extracted - both, extracted),
        "texts_right": share(sum(len(one.labelled) == len(one.extracted) == len(one.same) for one in read_rows), len(read_rows)),
    }  # fmt: skip


def yes_no(pairs: Sequence[tuple[bool, bool]]) -> dict[str, Any]:
    """Return how a yes or no is read: (label, reading) of each row."""
    yes, no = [said for label, said in pairs if label], [said for label, said in pairs if not label]
    return {
        "n": len(pairs),
        "decided": share(len(pairs), len(pairs)),
        "right": share(sum(label == said for label, said in pairs), len(pairs)),
        "sensitivity": share(sum(yes), len(yes)),
        "false_alarms": share(sum(no), len(no)),
    }


def met(found: Mapping[str, Any]) -> bool:
    """Say whether a reader is above its floors, in each of its files where it has several."""
    if "parts" in found and not all(map(met, found["parts"].values())):
        return False
    return bool(
        found["sensitivity"]["share"] >= SENSITIVITY and (found["false_alarms"]["share"] or 0) <= FALSE_ALARMS
    )


def is_same(row: Row) -> bool:
    """Return what is read of a pair of references."""
    return same_reference(reference_of(row["a"]), reference_of(row["b"]))


def style(row: Row) -> str:
    """Return who wrote a text, and for what it was asked."""
    who, _, rest = row["origin"].partition("|")
    return f"{who}, {rest.partition('|')[0].removeprefix('prompt:').partition('+')[0]}" if rest else who


def pairs_of(half: str, name: str) -> list[tuple[bool, bool]]:
    """Return (label, reading) of each pair of a file: whether two references are one work."""
    return [(row["label"] == "same", is_same(row)) for row in rows(name) if row["half"] == half]


def figures_of(half: str) -> dict[str, tuple[str, dict[str, Any]]]:
    """Return reader -> its corpus and how it does on a half."""
    replies = [row for row in rows("abstention") if row["half"] == half]
    parts = {name: yes_no(pairs_of(half, name)) for name in PAIRS}
    both = yes_no([pair for name in PAIRS for pair in pairs_of(half, name)])
    return {
        EXTRACTION: ("texts", extraction(_texts(half))),
        IDENTITY: ("identity", {**both, "parts": parts}),
        ABSTENTION: ("abstention", yes_no([(row["label"], abstains(row["text"])) for row in replies])),
    }


def _texts(half: str) -> list[Read]:
    return [read(row) for row in rows("texts") if row["half"] == half]


def scored(half: str, *, wrong: bool) -> list[dict[str, Any]]:
    """Score and print a half; the locked one is written down for docs/reading.md."""
    parts = {name: extraction(some) for name, some in _by_style(_texts(half))}
    out = [_passport(reader, corpus, figures) for reader, (corpus, figures) in figures_of(half).items()]
    for each in out:
        print(
            f"{each['reader']}, {half}: n {each['n']}, right {of(each['right'])}, found {of(each['sensitivity'])}, false alarms "
            f"{of(each['false_alarms'])}; second reader: the same label in {of(each['second_labels']['agree'])}, kappa {each['second_labels']['kappa']}"
        )
    for name, part in parts.items():
        print(
            f"  {name}: {part['texts']} texts, found {of(part['sensitivity'])}, extra {of(part['false_alarms'])}"
        )
    for line in _wrong(half) if wrong else ():
        print(line)
    if half == "locked":
        PAGE.write_text("\n".join(page(out, parts)) + "\n", encoding="utf-8")
    return out


def _by_style(texts: Sequence[Read]) -> Iterator[tuple[str, list[Read]]]:
    for name in sorted({style(one.row) for one in texts}):
        yield name, [one for one in texts if style(one.row) == name]


def _passport(reader: str, corpus: str, figures: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "reader": reader, "version": VERSIONS[reader], "corpus": f"citations_{corpus}", "digest": "+".join(digest_of(CORPUS / f"{name}.jsonl") for name in (PAIRS if corpus == "identity" else (corpus,))),
        **figures, "second_labels": again(corpus), "second_pass": again(corpus, same_reader=True),
        "floors_met": met(figures),
    }  # fmt: skip


def again(corpus: str, *, same_reader: bool = False, files: Sequence[str] = ()) -> dict[str, Any]:
    """Return how far labels of another reader, or of the same one a second time, agree with the first; all were read blind.

    Args:
        corpus: texts, identity or abstention. files: those of its files that are meant; () = all of them.
    """
    first = {
        row["id"]: row
        for name in files or (PAIRS if corpus == "identity" else (corpus,))
        for row in rows(name)
    }
    found = [
        row
        for row in rows("second")
        if row["corpus"] == corpus
        and row["id"] in first
        and row["labelled_by"].endswith(SECOND_PASS) == same_reader
    ]
    labels = {"texts": _is_citation, "identity": _label, "abstention": _label}[corpus]
    return two_readers([(str(labels(first[row["id"]], row)), str(row["label"])) for row in found])


def _label(row: Row, again: Row) -> Any:
    del again
    return row["label"]


def _is_citation(row: Row, again: Row) -> bool:
    return any(
        one["marker"][0] < again["stop"] and again["start"] < one["marker"][1] for one in row["claims"]
    )


def _wrong(half: str) -> Iterator[str]:
    pairs, works, replies = (
        [row for row in rows(name) if row["half"] == half] for name in (*PAIRS, "abstention")
    )
    for one in _texts(half):
        text = one.row["text"]
        for words, marks, known in (
            ("missed", one.labelled, set(one.same)),
            ("extra", one.extracted, set(one.same.values())),
        ):
            for i, mark in enumerate(marks):
                if i not in known:
                    place = text[slice(*mark.place)] if mark.place else ""
                    yield f"  {words}, {style(one.row)}: {place[:60]!r} in {text[mark.start : mark.stop][:150]!r}"
    yield from (f"  {row['label']}: {row['a']!r} / {row['b']!r}" for row in [*pairs, *works] if is_same(row) != (row["label"] == "same"))  # fmt: skip
    yield from (f"  abstained {row['label']}: {row['text'][:200]!r}" for row in replies if abstains(row["text"]) != row["label"])  # fmt: skip


def _by_file() -> str:
    """Say who read which file of pairs a second time."""
    parts = []
    for name in PAIRS:
        two = again("identity", files=(name,))
        parts.append(f"{of(two['agree'])} of `{name}.jsonl` (kappa {two['kappa']})")
    return f"Of the pairs another second reader took each file: the same label in {' and '.join(parts)}."


def page(out: Sequence[Mapping[str, Any]], parts: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Yield the part of docs/reading.md on these readers."""
    date = dt.datetime.now(tz=dt.UTC).date().isoformat()
    versions = ", ".join(f"`{each['reader']}` version {each['version']}" for each in out)
    others = ", ".join(
        f"{of(each['second_labels']['agree'])} (kappa {each['second_labels']['kappa']})" for each in out
    )
    passes = ", ".join(of(each["second_pass"]["agree"]) for each in out)
    yield f"## Citations: {versions}"
    yield ""
    yield (
        "Answers of two local models and texts of a person in the styles in which people cite (tests/reading/citations), labelled by one reader of the "
        f"project, no clinician, before a rule was changed; scored on the locked half on {date} by scripts/reading_citations.py. A cited statement is found where "
        f"the same reference is read and half of the words. A second reader, who saw no label and no rule, agrees on {others}; a second "
        f"pass of the first reader on {passes}, which shows slips alone. {_by_file()} "
        f"Floors: {SENSITIVITY:.2f} found, at most {FALSE_ALARMS:.2f} false alarms (of extraction: of what is extracted)."
    )
    yield ""
    yield "| reader | n | found | false alarms | floors | the version before (found, false alarms) |"
    yield "|---|---|---|---|---|---|"
    before = figures_before()
    names = {
        EXTRACTION: "cited statements",
        IDENTITY: "two references, one work",
        ABSTENTION: "the answer abstains",
    }
    for each in out:
        yield f"| `{each['reader']}`: {names[each['reader']]} | {each['n']} | {cell(each['sensitivity'])} | {cell(each['false_alarms'])} | {'met' if each['floors_met'] else 'missed'} | {before[each['reader']]} |"  # fmt: skip
    yield ""
    yield "Pairs of references by file, and those of `works.jsonl` by what sort of work it is:"
    yield ""
    yield "| pairs | n | found | false alarms |"
    yield "|---|---|---|---|"
    for pairs, found in _pairs_by_kind():
        yield f"| {pairs} | {found['n']} | {cell(found['sensitivity'])} | {cell(found['false_alarms'])} |"
    yield ""
    yield "Cited statements by who wrote them and what was asked for:"
    yield ""
    yield "| origin | texts | found (recall) | of what is extracted, none (1 - precision) |"
    yield "|---|---|---|---|"
    for name, part in parts.items():
        yield f"| {name} | {part['texts']} | {cell(part['sensitivity'])} | {cell(part['false_alarms'])} |"


def _pairs_by_kind() -> Iterator[tuple[str, dict[str, Any]]]:
    for name in PAIRS:
        yield f"`{name}.jsonl`", yes_no(pairs_of("locked", name))
    works = [row for row in rows("works") if row["half"] == "locked"]
    for kind in sorted({row["kind"] for row in works}):
        yield kind, yes_no([(row["label"] == "same", is_same(row)) for row in works if row["kind"] == kind])


def figures_before() -> dict[str, str]:
    """Return what the version before of each reader reached on the locked half, as it was logged then."""
    lines = (CORPUS / "locked_log.jsonl").read_text(encoding="utf-8").splitlines()
    held = [row for row in map(json.loads, lines) if row["version"] != VERSIONS[row["reader"]]]
    out = {}
    for reader in VERSIONS:
        version = next((row["version"] for row in reversed(held) if row["reader"] == reader), None)
        parts = {row["corpus"]: row for row in held if (row["reader"], row["version"]) == (reader, version)}
        sums = [
            "/".join(str(sum(row[name][each] for row in parts.values())) for each in ("k", "n"))
            for name in ("sensitivity", "false_alarms")
        ]
        out[reader] = f"{version}: {', '.join(sums)}" if parts else "-"
    return out


def cell(k: Mapping[str, Any]) -> str:
    """Return a share with its interval, as a cell of a table."""
    return f"{of(k)} ({k['share']:.2f}) [{k['low']:.2f}, {k['high']:.2f}]" if k["n"] else "-"


def main() -> None:
    """Score a half."""
    logged = ("reader", "version", "corpus", "digest", "n", "right", "sensitivity", "false_alarms")
    score_half(scored, doc=__doc__, folder=CORPUS, passports=PASSPORTS, logged=logged)


if __name__ == "__main__":
    main()
