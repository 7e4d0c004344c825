"""What tokens cost: a dated table that the user can replace. An unknown price is None, never 0."""

import re
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec

from percuss.core.errors import BadInput
from percuss.core.price import Price
from percuss.core.strict import Record

__all__ = ["Prices"]


_UNIT = "USD per million tokens"


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

    @classmethod
    def read(cls, path: Path | None = None) -> "Prices":
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
                f'{error}; expected {{"date", "source", "unit": "{_UNIT}", "models": {{id: {{"usd_in", "usd_out"}}}}}}',
                source=str(path),
            ) from None

    def of(self, model: str) -> Price | None:
        """Return the price of a model id, or None where it is unknown.

        A dated name (`gpt-4o-2024-08-06`) has the price of its plain name when it has none of its own.
        """
        plain = re.sub(r"-(\d{8}|\d{4}-\d{2}-\d{2}|latest)$", "", model)
        provider = model.partition("/")[0]
        for name in (model, plain, f"{provider}/*"):
            if name in self.models:
                return self.models[name]
        return None


@cache
def _shipped() -> Prices:
    return _parsed(files("percuss.models").joinpath("prices.json").read_bytes())


def _parsed(data: bytes) -> Prices:
    table: Any = msgspec.json.decode(data, type=Prices)
    if table.unit != _UNIT:
        raise ValueError(f"got the unit {table.unit!r}")
    wrong = [name for name, price in table.models.items() if price.usd_in < 0 or price.usd_out < 0]
    if wrong:
        raise ValueError(f"got a negative price for {wrong[0]}")
    prices: Prices = table
    return prices
