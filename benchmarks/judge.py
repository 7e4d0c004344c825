"""What judging a claim takes, against the naive way: equal claims judged once, evidence first so that prefixes are cached.

The naive way asks once a claim and pass with the claim before the evidence. Tokens are counted as characters / 4 of the
prompts that were really sent to the fake judge (simulated); a provider's prefix cache serves what a prompt shares with
the one before it of the same case. Prints ratios; asks no model over a network.
"""

import asyncio
import json
import tempfile
from itertools import pairwise
from pathlib import Path
from typing import Any

from percuss.api.run.request import RunRequest
from percuss.api.run.run import run
from percuss.models.prices import Prices
from percuss.store import RunStore
from percuss.store.dictionaries import unpack_call

JUDGE = "openai/gpt-4.1-mini"  # whose list price the tokens are counted at; it is not asked
CASES = 60


def prompts_of(folder: Path) -> tuple[list[str], int]:
    """Return the judge's prompts in the order in which they were written, and how many verdicts they made."""
    with RunStore.open(folder) as store:
        query = "SELECT request FROM calls WHERE model LIKE 'phantom/judge%' ORDER BY finished_at"
        asked = store.read(lambda db: [unpack_call(db, row[0]) for row in db.execute(query).fetchall()])
        verdicts = store.read(
            lambda db: db.execute("SELECT count(*) FROM verdicts WHERE rater LIKE 'judge:%'").fetchone()[0]
        )
    return [_text(json.loads(request)["request"]) for request in asked], int(verdicts)


def _text(request: dict[str, Any]) -> str:
    return "\n".join(part["text"] for message in request["messages"] for part in message["parts"])


def _shared(a: str, b: str) -> int:
    return next((at for at, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


def main() -> None:
    """Run phantoms with the fake judge and print what a claim takes."""
    with tempfile.TemporaryDirectory() as scratch:
        request = RunRequest(
            protocol="grounding",
            models=("phantom/confabulator", "phantom/calibrated", "phantom/recycler"),
            judge="phantom/judge",
            limit=CASES,
            out=f"{scratch}/run",
        )
        asyncio.run(run(request))
        prompts, verdicts = prompts_of(Path(request.out or ""))
    sent = sum(map(len, prompts)) / 4
    naive = sent / len(prompts) * verdicts
    by_case = sorted(prompts)
    shared = sum(_shared(a, b) for a, b in pairwise(by_case)) / 4
    price = Prices.read(None).of(JUDGE)
    print(
        f"{verdicts:,} verdicts (2 passes), {len(prompts):,} calls: {len(prompts) / verdicts:.3f} of the naive number"
    )
    print(
        f"tokens in a claim: {2 * sent / verdicts:.0f}, naive {2 * naive / verdicts:.0f}, ratio {sent / naive:.3f}"
    )
    print(
        f"of the tokens sent, {shared / sent:.1%} repeat the prompt before them (a prefix cache serves those)"
    )
    if price is not None:
        cost, plain = (1e3 * 2 * price.of(tokens, 0) / verdicts for tokens in (sent, naive))
        print(
            f"input of 1,000 claims at {JUDGE}'s list price: {cost:.2f} USD, naive {plain:.2f} USD; cached prefixes cost less"
        )


if __name__ == "__main__":
    main()
