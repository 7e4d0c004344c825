"""What scripts that score a protocol's readers share: a share with its interval, and a locked half that is logged once scored."""

import argparse
import datetime as dt
import hashlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from percuss.stats import cohen_kappa, wilson

__all__ = ["digest_of", "score_half", "share", "two_readers"]

Scored = list[dict[str, Any]]


def share(hits: int, n: int) -> dict[str, Any]:
    """Return a share with its interval (Wilson, 95%); of nothing there is none."""
    if not n:
        return {"k": 0, "n": 0, "share": None, "low": None, "high": None}
    got = wilson(hits, n)
    found, low, high = (round(float(each or 0.0), 4) for each in (got.value, got.low, got.high))
    return {"k": hits, "n": n, "share": found, "low": low, "high": high}


def two_readers(pairs: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """Return n, the share of equal labels and kappa of two readers; n 0 where nothing was read twice.

    Args:
        pairs: (first label, second label) of each row, by readers who saw neither rule nor the other's labels.
    """
    kappa = cohen_kappa([a for a, _ in pairs], [b for _, b in pairs]).value if pairs else None
    same = share(sum(a == b for a, b in pairs), len(pairs))
    return {"n": len(pairs), "agree": same, "kappa": None if kappa is None else round(kappa, 3)}


def digest_of(corpus: Path) -> str:
    """Return the digest of a corpus that a passport carries."""
    return hashlib.sha256(corpus.read_bytes()).hexdigest()[:12]


def score_half(
    scored: Callable[..., Scored], *, doc: str | None, folder: Path, passports: Path, logged: Sequence[str]
) -> None:
    """Score the half that the command line asks for; a locked one is logged, and its passports are written.

    Args:
        scored: (half, wrong=..) -> one row per reader. doc: of the script. folder: of the corpora and their log.
        passports: the file that reports quote. logged: fields of a row that the log keeps.
    """
    parser = argparse.ArgumentParser(description=doc)
    parser.add_argument("--wrong", action="store_true")
    parser.add_argument("--locked", action="store_true")
    given = parser.parse_args()
    if not given.locked:
        scored("dev", wrong=given.wrong)
        return
    found = scored("locked", wrong=False)
    date = dt.datetime.now(tz=dt.UTC).date().isoformat()
    with (folder / "locked_log.jsonl").open("a", encoding="utf-8") as log:
        log.writelines(json.dumps({"date": date, **{k: row[k] for k in logged}}) + "\n" for row in found)
    held = [{"date": date, **row} for row in found]
    passports.write_text(json.dumps({"v": 1, "passports": held}, indent=1) + "\n", encoding="utf-8")
