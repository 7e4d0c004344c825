"""One rater's judgement of one item: what validating a judge is made of."""

from percuss.core.strict import Record

__all__ = ["Judgement"]


class Judgement(Record):
    """One rater's judgement of one item under one metric.

    Args:
        rater: people are `human:..`, judges anything else.
        label, score: one of them, or none where `outcome` says why there is none.
        outcome: one of `percuss.stats.gates.OUTCOMES`.
        cluster: what is resampled; the item where the table names none.
        sham: name of the sham arm that the item was put in, whose acknowledgment is a false alarm; "" where it was none.
        run_pass: pass of the judge, 1 where there is one.
    """

    item: str
    rater: str
    metric: str = "label"
    label: str | None = None
    score: float | None = None
    stratum: str = ""
    cluster: str = ""
    outcome: str = "ok"
    sham: str = ""
    run_pass: int = 1

    @property
    def human(self) -> bool:
        """Whether a person judged."""
        return self.rater.startswith("human:")
