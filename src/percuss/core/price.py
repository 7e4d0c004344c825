"""What tokens cost."""

from percuss.core.strict import Record

__all__ = ["Price"]


class Price(Record):
    """USD for a million tokens in and out."""

    usd_in: float
    usd_out: float

    def of(self, tokens_in: float, tokens_out: float) -> float:
        """Return the price of some tokens in USD."""
        return (tokens_in * self.usd_in + tokens_out * self.usd_out) / 1_000_000
