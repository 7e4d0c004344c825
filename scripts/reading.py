#!/usr/bin/env python3
"""Score the registered readers on the labelled corpora of tests/reading.

Usage: .venv/bin/python scripts/reading.py [--reader NAME] [--wrong] [--locked] [--freeze] [--blind CORPUS]

Without arguments the dev half is scored and printed; `--wrong` lists its wrong rows. `--locked` scores the locked half,
adds a line per reader to tests/reading/locked_log.jsonl, and writes docs/reading.md and the passports that reports quote.
`--freeze` keeps what the readers say on the locked half as the first version, which later versions are held against.
`--blind` prints a corpus without its labels, shuffled, for somebody who labels it a second time.
"""

import argparse
import datetime as dt
import json
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import reading_elsewhere
from percuss.evidence import abstention
from percuss.evidence.packet import Fact, Packet
from percuss.evidence.rules.checker import check
from percuss.evidence.rules.support2 import support2
from percuss.stats.intervals import wilson
from percuss.stats.kappa import cohen_kappa
from percuss.stats.paired import mcnemar_exact
from percuss.text import kinds
from percuss.text.sentences import split

ROOT = Path(__file__).resolve().parents[1]
CORPORA = ROOT / "tests" / "reading"
PASSPORTS = ROOT / "src" / "percuss" / "judging" / "passports.json"
PAGE = ROOT / "docs" / "reading.md"
LOG = CORPORA / "locked_log.jsonl"
FIRST = CORPORA / "first"

LABELLED = ("support", "speech_act", "abstention")
UNSUPPORTED = ("contradicted", "absent")
SUPPORT_CLASSES = ("supported", "unsupported", "partial", "unclear")
ENOUGH = 300
"""Locked claims of each true class that a floor of support is proven on."""
FALSE_UNSUPPORTED, FALSE_SUPPORTED = 0.01, 0.02
"""Largest error by true class that a reader of support may make and still speak."""
SENSITIVITY, FALSE_ALARMS = 0.80, 0.05
"""Floors of a reader that says yes or no."""

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


SUPPORT2_SAYS = {
    "contradicted": "unsupported",
    "absent": "unsupported",
    "given": "supported",
    "undecided": None,
}
"""Outcomes of `support-2` as classes of the corpus; what the question says is supported, and given."""
RULES = "src/percuss/evidence/rules/"
READERS = (
    Reader("rule:strict", "support", "1", _by_rule("strict"), (RULES + "strict.py", RULES + "text.py")),
    Reader("rule:extended", "support", "1", _by_rule("extended"), (RULES + "extended.py", RULES + "text.py")),
    Reader(
        "rule:support-2",
        "support",
        "2",
        _by_support2,
        tuple(
            f"{RULES}support2/{name}.py"
            for name in ("door", "parts", "reference", "settled", "compared", "absence", "derived", "wording")
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
)
"""Every reader that is scored. A new version is a new line with its own version; the first lines stay."""


@cache
def rows(corpus: str) -> tuple[Row, ...]:
    """Read a corpus; labels are made text, so that yes or no is a label like any other."""
    out = []
    for line in (CORPORA / f"{corpus}.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        row["label"] = str(row["label"]).lower()
        out.append(row)
    return tuple(out)


@cache
def contexts() -> Mapping[str, Row]:
    """Read what the rows are about, by id."""
    lines = (CORPORA / "contexts.jsonl").read_text(encoding="utf-8").splitlines()
    return {row["id"]: row for row in map(json.loads, lines)}


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
    """Return the rows that a reader is scored on: support by layout, anything else as a whole."""
    held = [row for row in rows(reader.corpus) if row["half"] == half]
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
    within = (false_unsupported["share"] or 0) <= FALSE_UNSUPPORTED and (
        false_supported["share"] or 0
    ) <= FALSE_SUPPORTED
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


def figures(reader: Reader, pairs: Sequence[tuple[Row, str | None]]) -> dict[str, Any]:
    """Return the figures that fit the reader's corpus."""
    return support_figures(pairs) if reader.corpus == "support" else yes_figures(reader, pairs)


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
    """Let a reader read rows."""
    return [(row, reader.says(row)) for row in held]


def second_labels(corpus: str) -> dict[str, Any]:
    """Return agreement of the second labelling with the first; empty where there is none."""
    second: dict[str, str] = {}
    readers: set[str] = set()
    for file in sorted((CORPORA / "second").glob("*.jsonl")):
        for row in map(json.loads, file.read_text(encoding="utf-8").splitlines()):
            if row["corpus"] == corpus:
                second[row["id"]] = str(row["label"]).lower()
                readers.add(row["labelled_by"])
    both = [(_first_label(row), second[row["id"]]) for row in rows(corpus) if row["id"] in second]
    if not both:
        return {}
    fine = cohen_kappa([first for first, _ in both], [again for _, again in both])
    coarse = cohen_kappa([_coarse(first) for first, _ in both], [_coarse(again) for _, again in both])
    return {
        "n": len(both),
        "readers": sorted(readers),
        "agree": rate(sum(first == again for first, again in both), len(both)),
        "kappa": _three(fine),
        "kappa_coarse": _three(coarse),
    }


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
                cells[said == truth, first["said"][row["id"]] == truth] += 1
        got = mcnemar_exact(cells[True, True], cells[True, False], cells[False, True], cells[False, False])
        out[first["reader"]] = {
            "only_now": cells[True, False],
            "only_first": cells[False, True],
            "p": got.p,
        }
    return out


def _yes_or_other(reader: Reader, row: Row) -> str:
    if reader.corpus == "abstention":
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
    else:
        errors = [f"sensitivity {words(got['sensitivity'])}", f"false alarms {words(got['false_alarms'])}"]
    return [
        f"n {got['n']}, decided {words(got['decided'])}",
        *errors,
        "floors met" if got["floors_met"] else "below the floors",
    ]


def print_dev(readers: Iterable[Reader], *, wrong: bool) -> None:
    """Print the dev half: figures, by origin and arm, and the wrong rows if asked for."""
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
        for part, held in parts(reader, "locked").items():
            pairs = said_by(reader, held)
            out.append(
                {
                    "reader": reader.name,
                    "version": reader.version,
                    "corpus": reader.corpus,
                    "layout": part,
                    "language": "en",
                    "date": max(row["date"] for row in held),
                    **figures(reader, pairs),
                    "by_origin": {k: figures(reader, v) for k, v in split_by(pairs, origin_of).items()},
                    "by_arm": {
                        k: figures(reader, v) for k, v in split_by(pairs, lambda r: str(r["arm"])).items()
                    },
                    "second_labels": second_labels(reader.corpus),
                    "against_first": against_first(reader, pairs),
                }
            )
    return out


def log(made: Iterable[Mapping[str, Any]]) -> None:
    """Add one line per locked scoring."""
    today = dt.datetime.now(tz=dt.UTC).date().isoformat()
    keep = (
        "reader version corpus layout n decided right false_unsupported false_supported sensitivity false_alarms floors_met"
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
    parser.add_argument("--reader", help="only this reader")
    for name in ("--wrong", "--locked", "--freeze"):
        parser.add_argument(name, action="store_true")
    parser.add_argument(
        "--blind", metavar="CORPUS", choices=LABELLED, help="print a corpus for a second reader"
    )
    args = parser.parse_args()
    if args.blind:
        print_blind(args.blind)
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
    if args.reader is None:
        PASSPORTS.write_text(json.dumps({"v": 1, "passports": made}, indent=1) + "\n", encoding="utf-8")
        PAGE.write_text(page(made), encoding="utf-8")
    for one in made:
        reader = next(r for r in chosen if r.name == one["reader"] and r.version == one["version"])
        print(f"\n{one['reader']} (version {one['version']}) on {one['corpus']} {one['layout']}, locked")
        print("\n".join("  " + line for line in lines_of(reader, one)))
    return 0


def print_blind(corpus: str) -> None:
    """Print the rows of a corpus in another order, with nothing but what a second reader may see."""
    held = list(rows(corpus))
    random.Random(corpus).shuffle(held)
    for row in held:
        print(
            json.dumps(
                {name: row[name] for name in ("id", "text", "context", "question")}, ensure_ascii=False
            )
        )


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
            "project, no clinician. The package carries the same figures as passports; a report quotes them beside every "
            "number that a reader made."
        ),
        "",
    ]
    for corpus in LABELLED:
        out += _corpus_lines(corpus)
    out += ["## Readers on the locked half", ""]
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


def _says_elsewhere(claim: str, held: Packet) -> str | None:
    """Say what rules alone make of a claim: `rule:forms` for what data are there, `rule:support-2` for the rest."""
    if abstention.find(claim) is not None:
        return "availability"
    said = support2(claim, held).label
    return SUPPORT2_SAYS.get(said, said)


def _elsewhere_lines() -> list[str]:
    """Return the section on sets that others labelled; it says so where they are not there."""
    out = [
        "## Sets that others labelled",
        "",
        "`rule:support-2` with `rule:forms` alone, on sets that lie beside the project; no row of them was looked at while the rule was written.",
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
    return [*out, ""]


def _corpus_lines(corpus: str) -> list[str]:
    counts = Counter((row["half"], row["label"]) for row in rows(corpus))
    labels = sorted({label for _, label in counts})
    second = second_labels(corpus)
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
    if second:
        kappa = second["kappa"]
        lines += [
            f"Labelled a second time, blind: {second['n']} rows, same label {words(second['agree'])}, Cohen's kappa "
            f"{kappa['value']} [{kappa['low']}, {kappa['high']}]"
            + (
                f" (both kinds of unsupported as one: {second['kappa_coarse']['value']})"
                if corpus == "support"
                else ""
            )
            + f". Second reader: {', '.join(second['readers'])}. A second pass of the reader of the first labels shows how steady "
            "that reader is, not how far two people agree.",
            "",
        ]
    return lines


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
