"""What tokens cost: a dated table that the user can replace. An unknown price is None, never 0."""

import re
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec

from percuss.core.errors import BadInput
from percuss.core.strict import Record

__all__ = ["Price", "Prices", "load"]


class Price(Record, rename={"input": "in", "output": "out"}):
    """USD per million tokens read and written."""

    input: float
    output: float


class Prices(Record):
    """A price table.

    Args:
        date: day for which it holds, ISO 8601.
        source: where the prices are from, in words. unit: always USD per million tokens.
        models: model id, or `provider/*` for all of a provider.
    """

    date: str
    source: str
    unit: str
    models: dict[str, Price]

    def price(self, model: str) -> Price | None:
        """Return the price of a model id, or None where it is unknown.

        A dated name (`gpt-4o-2024-08-06`) has the price of its plain name when it has none of its own.
        """
        plain = re.sub(r"-(\d{8}|\d{4}-\d{2}-\d{2}|latest)$", "", model)
        provider = model.partition("/")[0]
        for name in (model, plain, f"{provider}/*"):
            if name in self.models:
                return self.models[name]
        return None

    def cost_usd(self, model: str, *, tokens_in: int, tokens_out: int) -> float | None:
        """Return what a call costs in USD, or None where the price is unknown."""
        price = self.price(model)
        if price is None:
            return None
        return (price.input * tokens_in + price.output * tokens_out) / 1e6


def load(path: Path | None = None) -> Prices:
    """Read a price table.

    Args:
        path: the user's own; None is the one that comes with the package.

    Raises:
        BadInput: cannot be read, or is no price table.
    """
    if path is None:
        return _shipped()
    try:
        return _parsed(path.read_bytes())
    except OSError as error:
        raise BadInput(
            f"cannot be read ({error.strerror}); expected a price table", source=str(path)
        ) from None
    except (msgspec.DecodeError, UnicodeDecodeError, ValueError) as error:
        raise BadInput(
            f'{error}; expected {{"date", "source", "unit": "USD per million tokens", "models": {{id: {{"in", "out"}}}}}}',
            source=str(path),
        ) from None


@cache
def _shipped() -> Prices:
    return _parsed(files("percuss.models").joinpath("prices.json").read_bytes())


def _parsed(data: bytes) -> Prices:
    table: Any = msgspec.json.decode(data, type=Prices)
    if table.unit != "USD per million tokens":
        raise ValueError(f"got the unit {table.unit!r}")
    wrong = [name for name, price in table.models.items() if price.input < 0 or price.output < 0]
    if wrong:
        raise ValueError(f"got a negative price for {wrong[0]}")
    prices: Prices = table
    return prices
