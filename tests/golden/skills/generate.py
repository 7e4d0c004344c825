"""Writes references.json: micro-F1 and accuracy by scikit-learn, edit distances by rapidfuzz, on seeded data.

Run as `python -m tests.golden.skills.generate` where scikit-learn is installed.
"""

import json
from pathlib import Path

import numpy as np
import rapidfuzz
import sklearn
from rapidfuzz.distance import Levenshtein
from sklearn.metrics import accuracy_score, average_precision_score, f1_score, jaccard_score

HERE = Path(__file__).parent
LABELS = 5


def main() -> None:
    """Write the references with the versions that made them."""
    draws = np.random.default_rng(7)
    rows = []
    for n in (4, 9, 30, 120):
        true, said = (draws.random((n, LABELS)) < share for share in (0.4, 0.5))
        rows.append(
            {
                "true": true.astype(int).tolist(),
                "said": said.astype(int).tolist(),
                "micro_f1": float(f1_score(true, said, average="micro")),
                "exact": float(accuracy_score(true, said)),
                "jaccard": float(jaccard_score(true, said, average="samples", zero_division=1)),
            }
        )
    rankings = []
    for n in (5, 12, 40):
        relevant = draws.random(n) < 0.4
        relevant[int(draws.integers(n))] = True
        scores = draws.permutation(n).astype(float)
        rankings.append(
            {
                "relevant": relevant.astype(int).tolist(),
                "scores": scores.tolist(),
                "ap": float(average_precision_score(relevant, scores)),
            }
        )
    words = ["".join(draws.choice(list("abcd "), size=int(draws.integers(1, 20)))) for _ in range(12)]
    texts = [
        {"one": a, "other": b, "distance": Levenshtein.distance(" ".join(a.split()), " ".join(b.split()))}
        for a, b in zip(words[::2], words[1::2], strict=True)
    ]
    made = {
        "by": {"scikit-learn": sklearn.__version__, "rapidfuzz": rapidfuzz.__version__},
        "labels": rows,
        "rankings": rankings,
        "texts": texts,
    }
    (HERE / "references.json").write_text(json.dumps(made) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
