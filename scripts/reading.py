#!/usr/bin/env python3
"""Score the registered readers on the labelled corpora of tests/reading.

Usage: .venv/bin/python scripts/reading.py [--reader NAME] [--wrong] [--locked] [--freeze] [--blind CORPUS [--sample N]]

Without arguments the dev half is scored and printed; `--wrong` lists its wrong rows. `--locked` scores the locked half,
adds a line per reader to tests/reading/locked_log.jsonl, and writes docs/reading.md and the passports that reports quote.
`--freeze` keeps what the readers say on the locked half as the first version, which later versions are held against.
`--blind` prints a corpus without its labels, shuffled, for somebody who labels it a second time; `--sample` draws N rows of it.

The texts of public data sets (vignettes, abstracts and their questions) are not kept here: a case names the file and the
line, and they are read from `../shared/data` beside the checkout, or from `data` in the folder that PERCUSS_SHARED names.
Where they are not there, claims held against them are left out, and the number of these is printed.
"""

import argparse
import datetime as dt
import hashlib
import json
import os
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from percuss.evidence import abstention
from percuss.evidence.packet import Fact, Packet
from percuss.evidence.rules.checker import check
from percuss.evidence.rules.support2 import support2
from percuss.stats.intervals import wilson
from percuss.stats.kappa import cohen_kappa
from percuss.stats.paired import mcnemar_exact
from percuss.text import kinds
from percuss.text.acts import ABSTENTION, ACTS, SPEECH_ACT, abstains, speech_act
from percuss.text.sentences import split

sys.path.insert(0, str(Path(__file__).resolve().parent))

import reading_elsewhere

ROOT = Path(__file__).resolve().parents[1]
CORPORA = ROOT / "tests" / "reading"
OTHERS = CORPORA / "verified.md"
"""What `scripts/verified.py` found of sets too long to be read anew each time."""
RECORDS = CORPORA / "records" / "records.md"
"""What `scripts/reading_records.py` found of records in other shapes."""
LAWS = CORPORA / "laws.md"
"""What `scripts/reading_laws.py` found of the laws of twins and forms."""
POINTS = CORPORA / "skills" / "points.md"
"""What `scripts/reading_skills.py` found of the reader of key points."""
CITATIONS = CORPORA / "citations" / "citations.md"
"""What `scripts/reading_citations.py` found of the readers of citations."""
PASSPORTS = ROOT / "src" / "percuss" / "judging" / "passports.json"
PAGE = ROOT / "docs" / "reading.md"
LOG = CORPORA / "locked_log.jsonl"
FIRST = CORPORA / "first"
FRESH = CORPORA / "locked2"
"""A second locked set, of other cases, labelled later and scored once a version; see its README."""
MORE = CORPORA / "dev2"
"""Claims that authors wrote and labelled later, before they changed a rule: of kinds of language that rules left undecided."""
THIRD = CORPORA / "acts3"
"""Sentences of the speech acts that were confused: rows to look at, and a third locked set, of cases of their own."""
LOCKED = ("locked", "locked2", "locked3")
"""The halves that are only scored; a passport is on all of them together."""
SHARED = Path(os.environ.get("PERCUSS_SHARED", ROOT.parent / "shared")) / "data"
"""The public data sets that cases refer to; it need not be there."""

LABELLED = ("support", "speech_act", "abstention")
UNSUPPORTED = ("contradicted", "absent")
SUPPORT_CLASSES = ("supported", "unsupported", "partial", "unclear")
ENOUGH = 300
"""Locked claims of each true class that a floor of support is proven on."""
FALSE_UNSUPPORTED, FALSE_SUPPORTED = 0.01, 0.02
"""Largest error by true class that a reader of support may make and still speak."""
SENSITIVITY, FALSE_ALARMS = 0.80, 0.05
"""Floors of a reader that says yes or no."""
KAPPA = 0.70
"""Agreement of two readers below which a corpus waits for better definitions."""
CEILING = {
    True: ("n", "right", "false_unsupported", "false_supported"),
    False: ("n", "right", "sensitivity", "false_alarms"),
}
"""What a second reader is scored on: on claims, and on yes or no."""

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Reader:
    """A reader as it is scored: its corpus, its version, and what it says of one row (None = undecided)."""

    name: str
    corpus: str
    version: str
    says: Callable[[Row], str | None]
    sources: tuple[str, ...]
    yes: str = ""

    @property
    def needs_evidence(self) -> bool:
        """Whether a row is read against its case, and not by its own words alone."""
        return self.corpus == "support"


def _by_rule(rules: str) -> Callable[[Row], str | None]:
    def says(row: Row) -> str | None:
        label = check(row["text"], packet(row["context"]), rules=rules).label
        return None if label is None or label == "unknown" else str(label.value)

    return says


def _by_support2(row: Row) -> str | None:
    held = contexts()[row["context"]]
    said = support2(row["text"], packet(row["context"]), f"{row['question']}\n{held['cohort']}").label
    return SUPPORT2_SAYS.get(said, said)


def _abstains_by_kinds(row: Row) -> str:
    """Version 1 of the definitions: a sentence of primary kind uncertainty, and none with a number, tier or source."""
    text = row["text"]
    first = [kinds.primary(kinds.kinds(text[start:stop])) for start, stop in split(text)]
    commits = {"literature", "numeric", "tier"} & set(first)
    return "true" if "uncertainty" in first and not commits else "false"


def _availability_by_forms(row: Row) -> str:
    return "availability" if abstention.find(row["text"]) is not None else "other"


def _abstains(row: Row) -> str | None:
    label = abstains(row["text"], question_of(row) or "").label
    return None if label is None else str(label).lower()


def _speech_act(row: Row) -> str | None:
    return speech_act(row["text"], question_of(row) or "").act


SUPPORT2_SAYS = {
    "contradicted": "unsupported",
    "absent": "unsupported",
    "given": "supported",
    "undecided": None,
}
"""Outcomes of `support-2` as classes of the corpus; what the question says is supported, and given."""
RULES = "src/percuss/evidence/rules/"
ACTS_FOLDER = "src/percuss/text/acts/"
READERS = (
    Reader("rule:strict", "support", "1", _by_rule("strict"), (RULES + "strict.py", RULES + "text.py")),
    Reader("rule:extended", "support", "1", _by_rule("extended"), (RULES + "extended.py", RULES + "text.py")),
    Reader(
        "rule:support-2",
        "support",
        "2.8",
        _by_support2,
        tuple(
            f"{RULES}support2/{name}.py"
            for name in (
                "door",
                "fielded",
                "named",
                "parts",
                "reference",
                "settled",
                "compared",
                "absence",
                "derived",
                "wording",
                "allergies",
                "ages",
                "changes",
                "clauses",
                "entries",
                "fieldwords",
                "plainly",
                "ranked",
                "phrasing",
                "sexes",
                "sides",
                "together",
                "tiers",
                "unheld",
                "courses",
                "cultures",
                "days",
                "genes",
                "graded",
                "grown",
                "bottles",
                "compounds",
                "eased",
                "expressed",
                "framed",
                "further",
                "habits",
                "kin",
                "moved",
                "nodes",
                "noted",
                "reactions",
                "reworded",
                "scored",
                "slots",
                "stays",
                "taking",
                "times",
                "valued",
            )
        ),
    ),
    Reader(
        "rule:kinds",
        "abstention",
        "1",
        _abstains_by_kinds,
        ("src/percuss/text/kinds.py", "src/percuss/text/sentences.py"),
        yes="true",
    ),
    Reader(
        "rule:forms",
        "speech_act",
        "1",
        _availability_by_forms,
        ("src/percuss/evidence/abstention.py",),
        yes="availability",
    ),
    Reader(
        SPEECH_ACT,
        "speech_act",
        "2.3",
        _speech_act,
        tuple(f"{ACTS_FOLDER}{name}.py" for name in ("speech", "asking", "asserting", "signs", "words")),
    ),
    Reader(
        ABSTENTION,
        "abstention",
        "2.2",
        _abstains,
        (ACTS_FOLDER + "abstention.py", ACTS_FOLDER + "speech.py", ACTS_FOLDER + "words.py"),
        yes="true",
    ),
)
"""Every reader that is scored. A new version is a new line with its own version; the first lines stay."""


@cache
def rows(corpus: str) -> tuple[Row, ...]:
    """Read a corpus; labels are made text, so that yes or no is a label like any other."""
    return _read_rows(CORPORA / f"{corpus}.jsonl")


@cache
def more_rows(corpus: str) -> tuple[Row, ...]:
    """Read the claims that authors labelled later; () where a corpus has none."""
    file = MORE / f"{corpus}.jsonl"
    return _read_rows(file) if file.is_file() else ()


@cache
def fresh_rows(corpus: str) -> tuple[Row, ...]:
    """Read the second locked set of a corpus; () where it has none."""
    return _rows_of(FRESH, corpus)


@cache
def third_rows(corpus: str) -> tuple[Row, ...]:
    """Read what was labelled third, for authors (`dev`) and locked (`locked3`); () where a corpus has none."""
    return _rows_of(THIRD, corpus)


def _rows_of(folder: Path, corpus: str) -> tuple[Row, ...]:
    file = folder / f"{corpus}.jsonl"
    return _read_rows(file) if file.is_file() else ()


def _read_rows(file: Path) -> tuple[Row, ...]:
    out = []
    for line in file.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        row["label"] = str(row["label"]).lower()
        out.append(row)
    return tuple(out)


@cache
def contexts() -> Mapping[str, Row]:
    """Read what the rows are about, by id; a case of a public data set has its texts only where that is there."""
    files = [folder / "contexts.jsonl" for folder in (CORPORA, FRESH, MORE, THIRD)]
    lines = [
        line for file in files if file.is_file() for line in file.read_text(encoding="utf-8").splitlines()
    ]
    return {row["id"]: resolved(row) for row in map(json.loads, lines)}


def resolved(case: Row, folder: Path = SHARED) -> Row:
    """Return a case with the texts that its reference names; as it is where the data set is not there.

    Raises:
        ValueError: the line that is named holds another text.
    """
    if "from" not in case or not (folder / case["from"]["file"]).is_file():
        return case
    named = case["from"]
    held = json.loads(_lines(folder / named["file"])[named["line"] - 1])
    texts = tuple(held["Knowledge"]) if "Knowledge" in held else (vignette(held),)
    same = sha256("\n".join(texts)) == named["sha256"]
    if "question_sha256" in named:
        same = same and sha256(held["Question"]) == named["question_sha256"]
    if not same:
        raise ValueError(
            f"line {named['line']} of {named['file']} is not the text that {case['id']} was labelled on; "
            f"put the file that tests/reading/README.md names into {folder}"
        )
    return {**case, "texts": texts, "question": held.get("Question", case["question"])}


@cache
def _lines(file: Path) -> tuple[str, ...]:
    return tuple(file.read_text(encoding="utf-8").split("\n"))


def sha256(text: str) -> str:
    """Return the digest by which a text is known again."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def vignette(held: Mapping[str, Any]) -> str:
    """Write an examination case as one text: every entry but the diagnosis, as `Name: value.`"""
    shown = {k: v for k, v in held["OSCE_Examination"].items() if k != "Correct_Diagnosis"}
    return " ".join(f"{name.replace('_', ' ')}: {value.rstrip('.')}." for name, value in _entries("", shown))


def _entries(name: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for inner, held in value.items():
            yield from _entries(inner, held)
    else:
        yield name, "; ".join(value) if isinstance(value, list) else str(value)


def is_there(row: Row) -> bool:
    """Return whether the evidence that a row is held against can be read here."""
    case = contexts()[row["context"]]
    return "from" not in case or bool(case["texts"])


def question_of(row: Row) -> str | None:
    """Return a row's question; that of a public data set's case is the case's."""
    asked = row["question"] or contexts()[row["context"]]["question"]
    return None if asked is None else str(asked)


def unscored(reader: "Reader", held: Iterable[Row]) -> int:
    """Count the rows whose evidence a reader needs and that is not there."""
    return sum(reader.needs_evidence and not is_there(row) for row in held)


def unscored_lines(readers: Iterable["Reader"], half: str) -> list[str]:
    """Say how many rows of a half could not be scored, and why."""
    left_out = {
        reader.corpus: n
        for reader in readers
        for n in [
            sum(
                unscored(reader, held)
                for each in (LOCKED if half == "locked" else (half,))
                for held in parts(reader, each).values()
            )
        ]
        if n
    }
    return [
        f"{corpus}: {n} rows not scored, for the texts of public data sets are not in {SHARED}; "
        "put them there or name the folder above data/ in PERCUSS_SHARED"
        for corpus, n in left_out.items()
    ]


@cache
def packet(context: str) -> Packet:
    """Return the case's full packet, the one reference in every arm."""
    held = contexts()[context]
    return Packet(
        facts=tuple(Fact(**fact) for fact in held["facts"]),
        texts=tuple(held["texts"]),
        layers=tuple(held["layers"]),
    )


def layout(row: Row) -> str:
    """Return whether a row's evidence is structured or text."""
    return str(contexts()[row["context"]]["kind"])


def true_class(row: Row) -> str:
    """Return a support label with both kinds of unsupported in one."""
    return "unsupported" if row["label"] in UNSUPPORTED else str(row["label"])


def parts(reader: Reader, half: str) -> dict[str, list[Row]]:
    """Return the rows that a reader is scored on: support by layout, anything else as a whole.

    Args:
        reader: the reader. half: dev, locked, locked2 or locked3.
    """
    every = (
        *rows(reader.corpus),
        *more_rows(reader.corpus),
        *fresh_rows(reader.corpus),
        *third_rows(reader.corpus),
    )
    held = [row for row in every if row["half"] == half]
    if reader.corpus != "support":
        return {"": held}
    out: dict[str, list[Row]] = {"structured": [], "text": []}
    for row in held:
        if not row["given"]:  # what only repeats the question is outside n
            out[layout(row)].append(row)
    return out


def rate(hits: int, n: int) -> dict[str, Any]:
    """Return a share with its Wilson limits; without anything to count, its n alone."""
    if not n:
        return {"k": 0, "n": 0, "share": None, "low": None, "high": None}
    got = wilson(hits, n)
    share, low, high = (round(float(x), 4) for x in (got.value or 0.0, got.low or 0.0, got.high or 0.0))
    return {"k": hits, "n": n, "share": share, "low": low, "high": high}


def support_figures(pairs: Sequence[tuple[Row, str | None]]) -> dict[str, Any]:
    """Return the figures of a reader of support: outcomes and errors by true class."""
    table: dict[str, Counter[str]] = {name: Counter() for name in SUPPORT_CLASSES}
    for row, said in pairs:
        table[true_class(row)][said or "undecided"] += 1
    n = {name: sum(counts.values()) for name, counts in table.items()}
    false_unsupported = rate(table["supported"]["unsupported"], n["supported"])
    false_supported = rate(table["unsupported"]["supported"], n["unsupported"])
    enough = min(n["supported"], n["unsupported"]) >= ENOUGH
    within = _errors_within(false_unsupported, false_supported)
    return {
        "n": len(pairs),
        "decided": rate(sum(said is not None for _, said in pairs), len(pairs)),
        "right": rate(sum(said == true_class(row) for row, said in pairs), len(pairs)),
        "false_unsupported": false_unsupported,
        "false_supported": false_supported,
        "said": {name: dict(sorted(counts.items())) for name, counts in table.items()},
        "enough": enough,
        "floors_met": enough and within,
    }


def _errors_within(false_unsupported: Mapping[str, Any], false_supported: Mapping[str, Any]) -> bool:
    """Tell whether both errors of a reader of support lie within their floors; what wasn't seen can't lie outside."""
    return (false_unsupported["share"] or 0) <= FALSE_UNSUPPORTED and (
        false_supported["share"] or 0
    ) <= FALSE_SUPPORTED


def yes_figures(reader: Reader, pairs: Sequence[tuple[Row, str | None]]) -> dict[str, Any]:
    """Return the figures of a reader that says yes or no; an undecided is a miss and no alarm."""
    yes = [said == reader.yes for row, said in pairs if row["label"] == reader.yes]
    no = [said == reader.yes for row, said in pairs if row["label"] != reader.yes]
    sensitivity, alarms = rate(sum(yes), len(yes)), rate(sum(no), len(no))
    right = sum((said == reader.yes) == (row["label"] == reader.yes) for row, said in pairs if said)
    return {
        "n": len(pairs),
        "decided": rate(sum(said is not None for _, said in pairs), len(pairs)),
        "right": rate(right, len(pairs)),
        "sensitivity": sensitivity,
        "false_alarms": alarms,
        "floors_met": bool(yes and no)
        and sensitivity["share"] >= SENSITIVITY
        and alarms["share"] <= FALSE_ALARMS,
    }


NODES = ("assertion", "hedged", "availability")
"""Speech acts that something is counted by: each is a yes or no of its own, and each has the floors."""


def act_figures(pairs: Sequence[tuple[Row, str | None]]) -> dict[str, Any]:
    """Return the figures of a reader that names every speech act: outcomes by true class, each act as a yes or no."""
    said: dict[str, Counter[str]] = {
        act: Counter(word or "undecided" for row, word in pairs if row["label"] == act) for act in ACTS
    }
    nodes: dict[str, dict[str, Any]] = {act: _node(act, pairs) for act in ACTS}
    lost = sum(said["assertion"][act] for act in ("general", "none", "heading"))
    return {
        "n": len(pairs),
        "decided": rate(sum(word is not None for _, word in pairs), len(pairs)),
        "right": rate(sum(word == row["label"] for row, word in pairs), len(pairs)),
        "sensitivity": nodes["assertion"]["sensitivity"],
        "false_alarms": nodes["assertion"]["false_alarms"],
        "assertions_lost": rate(lost, said["assertion"].total()),
        "said": {act: dict(sorted(counts.items())) for act, counts in said.items()},
        "nodes": nodes,
        "floors_met": all(nodes[act]["floors_met"] for act in NODES),
    }


def _node(act: str, pairs: Sequence[tuple[Row, str | None]]) -> dict[str, Any]:
    yes = [said == act for row, said in pairs if row["label"] == act]
    no = [said == act for row, said in pairs if row["label"] != act]
    sensitivity, alarms = rate(sum(yes), len(yes)), rate(sum(no), len(no))
    met = bool(yes and no) and sensitivity["share"] >= SENSITIVITY and alarms["share"] <= FALSE_ALARMS
    return {"sensitivity": sensitivity, "false_alarms": alarms, "floors_met": met}


def figures(reader: Reader, pairs: Sequence[tuple[Row, str | None]]) -> dict[str, Any]:
    """Return the figures that fit the reader's corpus."""
    if reader.corpus == "support":
        return support_figures(pairs)
    return yes_figures(reader, pairs) if reader.yes else act_figures(pairs)


def origin_of(row: Row) -> str:
    """Return who wrote a row, twins by no kind of their own: a table of twenty kinds is no table."""
    return "twin" if row["origin"].startswith("twin:") else str(row["origin"])


def split_by(
    pairs: Iterable[tuple[Row, str | None]], key: Callable[[Row], str]
) -> dict[str, list[tuple[Row, str | None]]]:
    """Group rows and what was said of them by a property of the row."""
    out: dict[str, list[tuple[Row, str | None]]] = defaultdict(list)
    for row, said in pairs:
        out[key(row)].append((row, said))
    return dict(sorted(out.items()))


def said_by(reader: Reader, held: Iterable[Row]) -> list[tuple[Row, str | None]]:
    """Let a reader read the rows whose evidence is there, if it needs any."""
    return [(row, reader.says(row)) for row in held if is_there(row) or not reader.needs_evidence]


def second_readings(corpus: str) -> dict[str, dict[str, str]]:
    """Return the second labels of a corpus by id, for each reading that was made of it."""
    out: dict[str, dict[str, str]] = defaultdict(dict)
    for file in sorted((CORPORA / "second").glob("*.jsonl")):
        for row in map(json.loads, file.read_text(encoding="utf-8").splitlines()):
            if row["corpus"] == corpus:
                out[row["labelled_by"]][row["id"]] = str(row["label"]).lower()
    return dict(out)


def again_labelled(corpus: str, *, same_reader: bool = False) -> list[tuple[Row, str]]:
    """Return rows with a second label: of other readers, or what the reader of the first labels said again."""
    return [
        (row, labels[row["id"]])
        for by, labels in second_readings(corpus).items()
        if _is_second_pass(corpus, by) == same_reader
        for row in rows(corpus)
        if row["id"] in labels
    ]


def _is_second_pass(corpus: str, labelled_by: str) -> bool:
    return labelled_by.split(",", maxsplit=1)[0] in {row["labelled_by"] for row in rows(corpus)}


def second_labels(corpus: str, *, same_reader: bool = False) -> dict[str, Any]:
    """Return how far second labels agree with the first; empty where there are none.

    Without `same_reader` the labels of other readers count; with it, those that the reader of the first labels made again.
    """
    again = again_labelled(corpus, same_reader=same_reader)
    if not again:
        return {}
    by = [by for by in second_readings(corpus) if _is_second_pass(corpus, by) == same_reader]
    whole = {**_agreement(again), "readers": sorted(by)}
    if same_reader:
        return whole
    of_models = [(row, label) for row, label in again if row["origin"].startswith("model:")]
    of_people = [(row, label) for row, label in again if not row["origin"].startswith("model:")]
    return {**whole, "of_models": _agreement(of_models), "of_people": _agreement(of_people)}


def _agreement(again: Sequence[tuple[Row, str]]) -> dict[str, Any]:
    first, second = [_first_label(row) for row, _ in again], [label for _, label in again]
    return {
        "n": len(again),
        "agree": rate(sum(map(str.__eq__, first, second)), len(again)),
        "kappa": _three(cohen_kappa(first, second)),
        "kappa_coarse": _three(cohen_kappa([*map(_coarse, first)], [*map(_coarse, second)])),
    }


def ceiling(reader: Reader, again: Iterable[tuple[Row, str]]) -> dict[str, Any]:
    """Score second labels as a reader's words are, against the first: what no reader can be asked to exceed."""
    pairs: list[tuple[Row, str | None]] = [
        ({**row, "label": _first_label(row)}, _coarse(label)) for row, label in again if not row.get("given")
    ]
    names = CEILING[reader.corpus == "support"]
    return {name: figure for name, figure in figures(reader, pairs).items() if name in names} if pairs else {}


def _first_label(row: Row) -> str:
    """Return the label before the second reading: where it mended a label, agreement counts the one it disagreed with."""
    return str(row.get("label_before_second", row["label"])).lower()


def _coarse(label: str) -> str:
    return "unsupported" if label in UNSUPPORTED else label


def _three(result: Any) -> dict[str, Any]:
    return {
        name: None if getattr(result, name) is None else round(getattr(result, name), 3)
        for name in ("value", "low", "high")
    }


def against_first(reader: Reader, pairs: Sequence[tuple[Row, str | None]]) -> dict[str, Any]:
    """Return the paired comparison with each frozen first version of the same corpus: rows right, exact McNemar."""
    out = {}
    for file in sorted(FIRST.glob(f"{reader.corpus}.*.json")):
        first = json.loads(file.read_text(encoding="utf-8"))
        cells: Counter[tuple[bool, bool]] = Counter()
        for row, said in pairs:
            truth = true_class(row) if reader.corpus == "support" else _yes_or_other(reader, row)
            if row["id"] in first["said"]:
                now = said
                if reader.corpus == "speech_act":  # the first version told availability from all else
                    now, truth = (word if word == "availability" else "other" for word in (said, truth))
                cells[now == truth, first["said"][row["id"]] == truth] += 1
        got = mcnemar_exact(cells[True, True], cells[True, False], cells[False, True], cells[False, False])
        out[first["reader"]] = {
            "only_now": cells[True, False],
            "only_first": cells[False, True],
            "p": got.p,
        }
    return out


def _yes_or_other(reader: Reader, row: Row) -> str:
    if reader.corpus == "abstention" or not reader.yes:
        return str(row["label"])
    return reader.yes if row["label"] == reader.yes else "other"


def words(figure: Mapping[str, Any]) -> str:
    """Say a share with its counts and limits."""
    if figure["share"] is None:
        return "none"
    return f"{figure['k']}/{figure['n']} = {figure['share']:.3f} [{figure['low']:.3f}, {figure['high']:.3f}]"


def lines_of(reader: Reader, got: Mapping[str, Any]) -> list[str]:
    """Say a reader's figures in lines."""
    if reader.corpus == "support":
        errors = [
            f"false unsupported among truly supported {words(got['false_unsupported'])}",
            f"false supported among truly unsupported {words(got['false_supported'])}",
            *(
                f"truly {name} read as: " + ", ".join(f"{said} {k}" for said, k in counts.items())
                for name, counts in got["said"].items()
                if counts
            ),
        ]
    elif not reader.yes:
        errors = [
            f"assertions read as general, heading or none {words(got['assertions_lost'])}",
            *(
                f"{act}: sensitivity {words(node['sensitivity'])}, false alarms {words(node['false_alarms'])}"
                for act, node in got["nodes"].items()
                if node["sensitivity"]["n"]
            ),
            *(
                f"truly {act} read as: " + ", ".join(f"{said} {k}" for said, k in counts.items())
                for act, counts in got["said"].items()
                if counts
            ),
        ]
    else:
        errors = [f"sensitivity {words(got['sensitivity'])}", f"false alarms {words(got['false_alarms'])}"]
    return [
        f"n {got['n']}, decided {words(got['decided'])}",
        *errors,
        "floors met" if got["floors_met"] else "below the floors",
    ]


def print_dev(readers: Iterable[Reader], *, wrong: bool) -> None:
    """Print the dev half: figures, by origin and arm, and the wrong rows if asked for."""
    readers = list(readers)
    print("\n".join(unscored_lines(readers, "dev")))
    for reader in readers:
        for part, held in parts(reader, "dev").items():
            pairs = said_by(reader, held)
            print(f"\n{reader.name} (version {reader.version}) on {reader.corpus} {part}, dev")
            print("\n".join("  " + line for line in lines_of(reader, figures(reader, pairs))))
            for name, key in (("origin", origin_of), ("arm", lambda row: str(row["arm"]))):
                for value, some in split_by(pairs, key).items():
                    print(f"  {name} {value}: {'; '.join(lines_of(reader, figures(reader, some))[:3])}")
            for row, said in pairs if wrong else ():
                truth = true_class(row) if reader.corpus == "support" else _yes_or_other(reader, row)
                if said is not None and said != truth:
                    print(f"    {row['id']} {row['context']} {truth} read {said}: {row['text'][:160]!r}")


def passports(readers: Iterable[Reader]) -> list[dict[str, Any]]:
    """Score the locked half: one passport per reader and layout, with errors by class, origin and arm."""
    out = []
    for reader in readers:
        sets, seen = [parts(reader, half) for half in LOCKED], parts(reader, "dev")
        for part, held in {name: [row for each in sets for row in each[name]] for name in seen}.items():
            pairs = said_by(reader, held)
            by_half = {
                half: figures(reader, [pair for pair in pairs if pair[0]["half"] == half]) for half in LOCKED
            }
            out.append(
                {
                    "reader": reader.name,
                    "version": reader.version,
                    "corpus": reader.corpus,
                    "layout": part,
                    "language": "en",
                    "date": max(row["date"] for row in held),
                    "unscored": unscored(reader, held),
                    **_with_fresh(reader, figures(reader, pairs), (by_half["locked2"], by_half["locked3"])),
                    "by_half": {"dev": figures(reader, said_by(reader, seen[part])), **by_half},
                    "by_origin": {k: figures(reader, v) for k, v in split_by(pairs, origin_of).items()},
                    "by_arm": {
                        k: figures(reader, v) for k, v in split_by(pairs, lambda r: str(r["arm"])).items()
                    },
                    "second_labels": second_labels(reader.corpus),
                    "ceiling": ceiling(reader, again_labelled(reader.corpus)),
                    "second_pass": second_labels(reader.corpus, same_reader=True),
                    "against_first": against_first(reader, pairs),
                }
            )
    return out


def _with_fresh(reader: Reader, got: dict[str, Any], later: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return figures of all locked sets; the floors don't hold where a later set alone refutes them: its interval lies outside.

    A later set has too few rows of a class to prove a floor; it can only speak against one.
    """
    of_support = {"false_unsupported": FALSE_UNSUPPORTED, "false_supported": FALSE_SUPPORTED}
    floors = of_support if reader.corpus == "support" else {"false_alarms": FALSE_ALARMS}
    limits = [(one[name], floor) for one in later for name, floor in floors.items()]
    refuted = any(figure["low"] is not None and figure["low"] > floor for figure, floor in limits)
    return {**got, "floors_met": got["floors_met"] and not refuted}


def with_others(made: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return new passports with those of the readers that weren't scored now, in the order of READERS."""
    held = json.loads(PASSPORTS.read_text(encoding="utf-8"))["passports"]
    new = {(one["reader"], one["version"]) for one in made}
    kept = [*made, *(one for one in held if (one["reader"], one["version"]) not in new)]
    order = {(reader.name, reader.version): place for place, reader in enumerate(READERS)}
    known = [one for one in kept if (one["reader"], one["version"]) in order]
    return sorted(known, key=lambda one: order[one["reader"], one["version"]])


def log(made: Iterable[Mapping[str, Any]]) -> None:
    """Add one line per locked scoring."""
    today = dt.datetime.now(tz=dt.UTC).date().isoformat()
    keep = (
        "reader version corpus layout n decided right false_unsupported false_supported sensitivity false_alarms "
        "assertions_lost nodes floors_met"
    ).split()
    with LOG.open("a", encoding="utf-8") as file:
        for one in made:
            file.write(
                json.dumps({"scored": today, **{name: one[name] for name in keep if name in one}}) + "\n"
            )


def main() -> int:
    """Print the dev half, or score the locked one."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--reader", help="only this reader; the others keep their passports")
    for name in ("--wrong", "--locked", "--freeze"):
        parser.add_argument(name, action="store_true")
    parser.add_argument(
        "--blind", metavar="CORPUS", choices=LABELLED, help="print a corpus for a second reader"
    )
    parser.add_argument("--sample", metavar="N", type=int, help="with --blind: only N rows, drawn by a seed")
    args = parser.parse_args()
    try:
        contexts()
    except ValueError as wrong:
        print(wrong)
        return 2
    if args.blind:
        print_blind(args.blind, args.sample)
        return 0
    chosen = [reader for reader in READERS if args.reader in {None, reader.name}]
    if not chosen:
        print(f"no reader {args.reader!r}; registered are {', '.join(r.name for r in READERS)}")
        return 2
    if not (args.locked or args.freeze):
        print_dev(chosen, wrong=args.wrong)
        return 0
    if args.freeze:
        freeze(chosen)
    made = passports(chosen)
    log(made)
    missing = unscored_lines(chosen, "locked")
    print("\n".join([*missing, "docs/reading.md and the passports stay as they are"] if missing else []))
    if not missing:
        every = with_others(made)
        PASSPORTS.write_text(json.dumps({"v": 1, "passports": every}, indent=1) + "\n", encoding="utf-8")
        PAGE.write_text(page(every), encoding="utf-8")
    for one in made:
        reader = next(r for r in chosen if r.name == one["reader"] and r.version == one["version"])
        print(f"\n{one['reader']} (version {one['version']}) on {one['corpus']} {one['layout']}, locked")
        print("\n".join("  " + line for line in lines_of(reader, one)))
    return 0


def drawn(corpus: str, n: int | None) -> list[Row]:
    """Draw rows of a corpus for a second reader, shuffled: all, or n by a seed.

    Claims and answers are drawn half from models and half from people and twins, sentences over all rows.
    """
    seeded = random.Random(corpus if n is None else f"{corpus} {n}")
    held = list(rows(corpus))
    seeded.shuffle(held)
    if n is None:
        return held
    if corpus == "speech_act":
        return held[:n]
    of_models = [row for row in held if row["origin"].startswith("model:")]
    of_others = [row for row in held if not row["origin"].startswith("model:")]
    chosen = of_models[: n - n // 2] + of_others[: n // 2]
    seeded.shuffle(chosen)
    return chosen


def print_blind(corpus: str, n: int | None = None) -> None:
    """Print rows of a corpus in another order, with nothing but what a second reader may see."""
    held = drawn(corpus, n)
    for row in filter(is_there, held):
        seen = {name: row[name] for name in ("id", "text", "context")}
        case = contexts()[row["context"]]
        evidence = {name: case[name] for name in ("facts", "texts")} if corpus == "support" else {}
        print(json.dumps({**seen, "question": question_of(row), **evidence}, ensure_ascii=False))
    if left_out := sum(not is_there(row) for row in held):
        print(f"{left_out} rows left out: their texts are not in {SHARED}", file=sys.stderr)


def freeze(readers: Iterable[Reader]) -> None:
    """Keep what readers say on the locked half; a frozen version is never written again.

    Raises:
        FileExistsError: it has been frozen before.
    """
    FIRST.mkdir(exist_ok=True)
    for reader in readers:
        said = {
            row["id"]: word
            for held in parts(reader, "locked").values()
            for row, word in said_by(reader, held)
        }
        file = FIRST / f"{reader.corpus}.{reader.name.replace(':', '-')}.json"
        with file.open("x", encoding="utf-8") as out:
            json.dump({"reader": reader.name, "version": reader.version, "said": said}, out, indent=0)
            out.write("\n")


def page(made: Sequence[Mapping[str, Any]]) -> str:
    """Write docs/reading.md."""
    held = [row for corpus in LABELLED for row in rows(corpus)]
    out = [
        "# How well the readers read",
        "",
        (
            "Made by `scripts/reading.py --locked` from the labelled texts of [tests/reading](../tests/reading/README.md): "
            f"{len(held):,} rows, of which the locked half is only scored: authors of rules do not look at it. Labels are of one reader of the "
            "project, no clinician; a part was labelled again by a second reader, who wrote no rule and saw no label. The package carries the same figures as passports; a report quotes them beside every "
            "number that a reader made."
        ),
        "",
    ]
    for corpus in LABELLED:
        out += _corpus_lines(corpus)
    out += ["## Readers on the locked half", ""]
    out += _half_lines(made)
    for one in made:
        reader = next(r for r in READERS if r.name == one["reader"] and r.version == one["version"])
        out += [
            f"### `{one['reader']}` version {one['version']}: {one['corpus'].replace('_', ' ')} {one['layout']}".rstrip(),
            "",
        ]
        out += [f"- {line}" for line in lines_of(reader, one)]
        out += ["", *_table(reader, one), ""]
    out += _elsewhere_lines()
    return "\n".join(out).rstrip() + "\n"


def _says_elsewhere(claim: str, held: Packet, asked: str) -> str | None:
    """Say what rules alone make of a claim: the speech act first, as in a run, then `rule:support-2` for what is asserted."""
    act = speech_act(claim).act
    if act in {"availability", "general", "heading", "none"}:
        return "availability" if act == "availability" else "general"
    said = support2(claim, held, asked).label
    return SUPPORT2_SAYS.get(said, said)


def _elsewhere_lines() -> list[str]:
    """Return the section on sets that others labelled; it says so where they are not there."""
    out = [
        "## Sets that others labelled",
        "",
        "`rule:support-2` after the speech act (`rule:speech-act-2`), on sets that lie beside the project; no rule was fitted to a row of them.",
        "Asked for: opposite at most 3%; on structured rows right at least 60%.",
        "",
    ]
    counted = reading_elsewhere.counts(_says_elsewhere)
    if not counted:
        return [*out[:2], "Not scored: the sets are not beside this checkout.", ""]
    out += ["| rows | n | right | opposite | other | undecided |", "|---" * 6 + "|"]
    for layout, found in sorted(counted.items()):
        n = found.total()
        shares = " | ".join(
            f"{found[name]} ({found[name] / n:.2f})" for name in ("right", "opposite", "other", "undecided")
        )
        out.append(f"| {layout} | {n} | {shares} |")
    return [
        *out,
        "",
        *(
            line
            for page in (LAWS, RECORDS, OTHERS, POINTS, CITATIONS)
            for line in (*page.read_text(encoding="utf-8").splitlines(), "")
        ),
    ]


def _corpus_lines(corpus: str) -> list[str]:
    counts = Counter((row["half"], row["label"]) for row in rows(corpus))
    labels = sorted({label for _, label in counts})
    lines = [
        f"## Corpus `{corpus}`: {len(rows(corpus)):,} rows",
        "",
        "| half | " + " | ".join(labels) + " |",
        "|---" * (len(labels) + 1) + "|",
        *(
            f"| {half} | " + " | ".join(str(counts[half, label]) for label in labels) + " |"
            for half in ("dev", "locked")
        ),
        "",
    ]
    return lines + _second_lines(corpus) + _fresh_lines(corpus)


def _fresh_lines(corpus: str) -> list[str]:
    """Say what the second locked set holds, and how far its two passes agree."""
    held = fresh_rows(corpus)
    if not held:
        return []
    counts = Counter(row["label"] for row in held)
    again = [json.loads(line) for line in (FRESH / "second.jsonl").read_text(encoding="utf-8").splitlines()]
    second = {row["id"]: str(row["label"]).lower() for row in again if row["corpus"] == corpus}
    pairs = [(row, second[row["id"]]) for row in held if row["id"] in second]
    of_models = sum(row["origin"].startswith("model:") for row in held)
    return [
        *_third_lines(corpus),
        (
            f"- A second locked set (`locked2`, {len(held):,} rows, {of_models} of them by models, of cases that stand nowhere else): "
            + ", ".join(f"{label} {n}" for label, n in sorted(counts.items()))
            + "."
        ),
        f"- Its two passes by one reader, the second without the first labels: {_agree_words(corpus, _agreement(pairs))}.",
        "",
    ]


def _third_lines(corpus: str) -> list[str]:
    """Say what the rows hold that were written and recorded for the speech acts that were confused."""
    held = third_rows(corpus)
    if not held:
        return []
    of_models = sum(row["origin"].startswith("model:") for row in held)
    halves = [
        f"{half} "
        + ", ".join(f"{label} {n}" for label, n in sorted(Counter(r["label"] for r in held if r["half"] == half).items()))
        for half in ("dev", "locked3")
    ]  # fmt: skip
    return [
        (
            f"- Awkward sentences of the classes that were confused (`acts3`, {len(held):,} rows, {of_models} of them by models, "
            f"by cases of their own): {'; '.join(halves)}. One pass of one reader, who is the author of the rule."
        )
    ]


def _half_lines(made: Sequence[Mapping[str, Any]]) -> list[str]:
    """Say how right each reader is on each set: the gaps between them are how much was tuned."""
    if not any("by_half" in one for one in made):
        return []
    out = [
        (
            "Right on each set (an undecided text is not right): what authors look at, the locked half that was scored several times, "
            "the second locked set, whose cases stand nowhere else, and the third, of speech acts alone. The gaps are how much was tuned."
        ),
        "",
        "| reader | dev | locked | locked2 | locked3 |",
        "|---" * 5 + "|",
    ]
    for one in made:
        if "by_half" in one:
            of = one["by_half"]
            layout_ = f", {one['layout']}" if one["layout"] else ""
            shares = " | ".join(_share(of[half]["right"]) if half in of else "-" for half in ("dev", *LOCKED))
            out.append(f"| `{one['reader']}` {one['version']}{layout_} | {shares} |")
    return [*out, "", *_later_lines()]


def _later_lines() -> list[str]:
    """Say how right a reader is on the claims that its authors wrote and labelled before they changed it."""
    out = []
    for reader in READERS:
        held = more_rows(reader.corpus) if reader.version != "1" else ()
        if held:
            got = figures(reader, said_by(reader, held))
            out.append(
                f"`{reader.name}` {reader.version} on {len(held)} claims that its authors wrote and labelled later, of kinds that rules had left "
                f"undecided (`dev2`): right {_share(got['right'])}. They show what it was made on, and count in no passport."
            )
    return [*out, ""] if out else []


def _second_lines(corpus: str) -> list[str]:
    """Say how far a second reader agrees with the first labels, what the ceiling is, and how steady the first reader is."""
    lines = []
    if second := second_labels(corpus):
        below = "" if (second["kappa"]["value"] or 0) >= KAPPA else f" This is below {KAPPA}."
        lines += [
            (
                f"- Two readers ({', '.join(second['readers'])} against the first labels, blind): "
                f"{_agree_words(corpus, second)}.{below} On sentences of models "
                f"{_agree_words(corpus, second['of_models'])}; on those of people and twins "
                f"{_agree_words(corpus, second['of_people'])}."
            ),
            *(f"- {_ceiling_words(reader)}." for reader in _kinds_of_readers(corpus)),
        ]
    if steady := second_labels(corpus, same_reader=True):
        lines.append(
            f"- One reader twice ({', '.join(steady['readers'])}, in the same sitting): {_agree_words(corpus, steady)}. "
            "It shows slips, not how far two readers agree."
        )
    return [*lines, ""] if lines else []


def _kinds_of_readers(corpus: str) -> list[Reader]:
    """Return one reader for each thing that is asked of a corpus: of yes or no readers, one per what they look for."""
    return list({reader.yes: reader for reader in reversed(READERS) if reader.corpus == corpus}.values())


def _ceiling_words(reader: Reader) -> str:
    got = ceiling(reader, again_labelled(reader.corpus))
    asked = f" for {reader.yes.replace('true', 'an abstention')}" if reader.yes else ""
    by_class = [f"{k.replace('_', ' ')} {words(v)}" for k, v in got.items() if k not in {"n", "right"}]
    return (
        f"Ceiling{asked}, the second reader scored as rules are: n {got['n']}, right {words(got['right'])}, "
        + ", ".join(by_class)
    )


def _agree_words(corpus: str, got: Mapping[str, Any]) -> str:
    kappa = got["kappa"]
    if kappa["value"] is None:
        return f"{got['n']} rows, kappa undefined"
    said = f"{got['n']} rows, same label {words(got['agree'])}, Cohen's kappa {kappa['value']} [{kappa['low']}, {kappa['high']}]"
    as_one = f", both kinds of unsupported as one {got['kappa_coarse']['value']}"
    return said + (as_one if corpus == "support" else "")


def _table(reader: Reader, one: Mapping[str, Any]) -> list[str]:
    names = (
        ("false_unsupported", "false_supported")
        if reader.corpus == "support"
        else ("sensitivity", "false_alarms")
    )
    head = [
        "| rows | n | decided | " + " | ".join(name.replace("_", " ") for name in names) + " |",
        "|---" * 5 + "|",
    ]
    body = [
        f"| {value.replace('|', ', ')} | {got['n']} | {_share(got['decided'])} | "
        + " | ".join(_share(got[name]) for name in names)
        + " |"
        for group in ("by_origin", "by_arm")
        for value, got in one[group].items()
    ]
    return head + body


def _share(figure: Mapping[str, Any]) -> str:
    return "-" if figure["share"] is None else f"{figure['k']}/{figure['n']} ({figure['share']:.2f})"


if __name__ == "__main__":
    sys.exit(main())
