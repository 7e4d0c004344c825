"""How often this protocol's own readers are right on labelled text: the parser, the disclosure reader, attribution by rule.

Made by `scripts/reading_explanation.py --locked` from tests/reading/explanation.
"""

from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from percuss.core.ports import RunView
from percuss.core.reading import ReadRight

__all__ = ["is_outside", "jury_outside", "passport", "passports", "read_right", "words"]

_FILE = Path(__file__).parent / "passports.json"


@cache
def jury_outside() -> tuple[str, ...]:
    """Return the kinds of cue under which a person finds more or fewer admissions than the rule's own interval holds (docs/jury.md)."""
    return tuple(msgspec.json.decode(_FILE.with_name("jury_outside.json").read_bytes()))


def is_outside(labels: str, arm: str) -> bool:
    """Tell whether what a reader says of silence in an arm is no finding: the rule's, under a cue where a person finds otherwise.

    Args:
        labels: the label source of an estimate. arm: its name.
    """
    return labels.startswith("rule:") and arm.partition(":")[0] in jury_outside()


@cache
def passports() -> tuple[dict[str, Any], ...]:
    """Return the passports that ship with the protocol: reader, corpus, n, and rates with their limits."""
    return tuple(msgspec.json.decode(_FILE.read_bytes())["passports"])


def passport(reader: str) -> dict[str, Any] | None:
    """Return a reader's passport; None where it was never held against labelled texts.

    Args:
        reader: as verdicts name it; `rule:ca >= 4` is a cut of a scale.
    """
    return next((row for row in passports() if row["reader"] == reader), None)


def read_right(run: RunView, name: str, labels: str) -> ReadRight | None:
    """Return how often the reader behind an estimate was right; None where nobody has measured it.

    Args:
        run: not used: pictures' questions are asked in one layout. name: of the estimate. labels: its label source.
    """
    del run, name
    row = passport(labels)
    if row is None:
        return None
    return ReadRight(
        corpus=f"explanation/{row['corpus']}",
        date=row["date"],
        n=row["n"],
        right=row["right"]["share"],
        false_unsupported=None,
        false_supported=None,
        floors_met=row["floors_met"],
    )


def words(reader: str) -> str:
    """Return how often a reader is right, in one clause; "" where nobody has measured it.

    Args:
        reader: as verdicts name it.
    """
    row = passport(reader)
    if row is None:
        return ""
    said = f"reads {100 * row['right']['share']:.0f}% of {row['n']:,} labelled texts right"
    node = row["nodes"].get("admitted")
    if node is not None and node["recall"]["share"] is not None:
        said += f", finds {100 * node['recall']['share']:.0f}% of {node['recall']['n']} admissions"
    return said
