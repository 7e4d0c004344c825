"""Writes rankings.json: average precision by trec_eval (pytrec_eval) of seeded rankings that miss relevant documents.

Run as `python -m tests.golden.skills.generate_rankings` where pytrec-eval-terrier is installed. No two scores are equal: trec_eval breaks ties the
other way round than we do.
"""

import json
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pytrec_eval

HERE = Path(__file__).parent


def main() -> None:
    """Write the rankings with the version that scored them."""
    draws = np.random.default_rng(11)
    rankings = []
    for n, missed in ((1, 0), (5, 2), (12, 0), (12, 5), (40, 9), (200, 30)):
        relevant = [f"d{at:03}" for at in range(n) if draws.random() < 0.3] or ["d000"]
        scores = {f"d{at:03}": float(score) for at, score in enumerate(draws.permutation(n))}
        relevant += [f"m{at:03}" for at in range(missed)]
        judged = {"q": dict.fromkeys(relevant, 1)}
        found = pytrec_eval.RelevanceEvaluator(judged, {"map"}).evaluate({"q": scores})["q"]["map"]
        rankings.append({"scores": scores, "relevant": relevant, "map": float(found)})
    made = {"by": {"pytrec-eval-terrier": version("pytrec-eval-terrier")}, "rankings": rankings}
    (HERE / "rankings.json").write_text(json.dumps(made) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
