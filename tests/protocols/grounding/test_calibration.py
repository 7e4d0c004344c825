"""The paraphrase set and the thresholds placed on it."""

import numpy as np
import pytest

from percuss.protocols.grounding.estimate.calibration import (
    best_threshold,
    paraphrases,
    place,
    placed_threshold,
)
from tests.protocols.grounding.runs import HashEmbedder


def test_the_set_is_whole() -> None:
    found = paraphrases()
    assert len(found) == 60
    assert len({text for triple in found for text in triple}) == 180
    assert all(text.endswith(".") for triple in found for text in triple)


def test_the_lowest_threshold_that_one_in_a_hundred_passes() -> None:
    same, other = np.array([0.9, 0.8, 0.55]), np.linspace(0, 0.5, 200)
    placed = best_threshold(same, other, np.array([0.6, 0.2]))
    assert placed.specificity >= 0.99
    assert np.mean(other < placed.threshold) == pytest.approx(placed.specificity)
    assert 0.49 < placed.threshold < 0.5
    assert placed.sensitivity == 1
    assert placed.opposite == 0.5
    assert placed.auc == 1


def test_the_bundled_embedder_has_a_threshold() -> None:
    placed = placed_threshold("embedded/minilm-l6-int8")
    assert placed is not None
    assert 0.3 < placed < 0.8
    assert placed_threshold("nobody/knows") is None


async def test_any_embedder_can_be_placed() -> None:
    placed = await place(HashEmbedder())
    assert placed.specificity >= 0.99
    assert placed.auc > 0.8


@pytest.mark.embedded
async def test_the_shipped_threshold_is_what_the_embedder_gives() -> None:
    pytest.importorskip("onnxruntime")
    from percuss.core.errors import PercussError
    from percuss.models.embeddings import build
    from percuss.net.client import Client

    client = Client(per_host=1)
    try:
        embedder = build("embedded/minilm-l6-int8", client=client)
        placed = await place(embedder)
    except PercussError as error:
        pytest.skip(f"the embedder's weights are not here: {error}")
    finally:
        await client.close()
    assert placed.threshold == pytest.approx(placed_threshold(embedder.id), abs=0.005)
