"""The fake judge: planted sensitivity and specificity, passes that err independently."""

import json

import numpy as np
import pytest

from percuss.core.messages import Message, Request
from percuss.phantoms import phantom


def request(claim: str) -> Request:
    text = f"<evidence>\nsodium 140\n</evidence>\n<claim>\n{claim}\n</claim>"
    return Request(messages=(Message.of("user", text),))


def rule(evidence: str, claim: str, _shown: str) -> str:
    assert evidence == "sodium 140"
    return "unsupported" if claim.startswith("bad") else "partial"


def rate(claim: str, wanted: str, n: int = 2_000) -> tuple[float, float]:
    model = phantom("phantom/judge?sensitivity=0.8&specificity=0.9", seed=3, extra={"rule": rule})
    passes = np.array(
        [
            [json.loads(model.plan(request(f"{claim} {i}"), epoch=k).text)["label"] == wanted for k in (1, 2)]
            for i in range(n)
        ]
    )
    return float(passes.mean()), float((passes[:, 0] == passes[:, 1]).mean())


@pytest.mark.parametrize(
    ("claim", "wanted", "planted"), [("bad", "unsupported", 0.8), ("good", "partial", 0.9)]
)
def test_errors_are_planted_and_independent(claim: str, wanted: str, planted: float) -> None:
    """Four standard errors of 4,000 draws; agreement of independent passes is p^2 + (1 - p)^2."""
    found, agreement = rate(claim, wanted)
    assert found == pytest.approx(planted, abs=4 * (planted * (1 - planted) / 4_000) ** 0.5)
    assert agreement == pytest.approx(planted**2 + (1 - planted) ** 2, abs=0.045)


def test_the_same_question_gets_the_same_answer() -> None:
    model = phantom("phantom/judge", seed=3, extra={"rule": rule})
    assert model.plan(request("bad 1"), epoch=1) == model.plan(request("bad 1"), epoch=1)


def test_without_a_claim_there_is_nothing_to_read() -> None:
    model = phantom("phantom/judge", seed=3)
    assert "label" not in model.plan(Request(messages=(Message.of("user", "Hello."),))).text
