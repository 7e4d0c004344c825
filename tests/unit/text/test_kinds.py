"""Kinds: all that apply, and the primary one by the paper's order of precedence."""

import pytest

from percuss.text.kinds import kinds, layers, primary


@pytest.mark.parametrize(
    ("claim", "held"),
    [
        ("Stage III", ("numeric",)),
        ("pT2 N0", ("numeric",)),
        ("Never-smoker", ("numeric",)),
        ("Tier 3", ("tier",)),
        ("An immune-inflamed tumor with a score of 0.7", ("numeric", "tier")),
        ("Wu et al. 2019 found 40% in cold tumors", ("literature", "numeric", "tier")),
        ("RNA was not available", ("uncertainty", "modality")),
        ("RNA was not available, tumor 61%", ("numeric", "modality")),
        ("The tier cannot be determined", ("uncertainty",)),
        ("Pathology shows infiltrates", ("modality",)),
        ("The biology is favorable", ("other",)),
        ("Two thirds of the cells", ("numeric",)),
        ("In 2018, tile_183 was read", ("other",)),
        ("The patient is male", ("other",)),
    ],
)
def test_kinds_that_apply(claim: str, held: tuple[str, ...]) -> None:
    """In the order literature, numeric, tier, uncertainty, modality, other."""
    assert kinds(claim) == held
    assert primary(held) == held[0]


def test_layers_mentioned() -> None:
    """A denial is a mention."""
    assert layers("No RNA; pathology and clinical data, fused") == {
        "transcriptomics",
        "pathology",
        "clinical",
        "fusion",
    }


def test_a_number_inside_a_tier_is_none_and_one_beside_it_is() -> None:
    assert kinds("Tier 3 and Tier 2") == ("tier",)
    assert kinds("Tier 3 and Tier 2, 5 of them") == ("numeric", "tier")
    assert kinds("5 of Tier 3") == ("numeric", "tier")
