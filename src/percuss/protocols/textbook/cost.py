"""What a question costs: GPU seconds and people's minutes, at dated prices (paper, equation 4 and Table 3)."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Annotated

from msgspec import Meta

from percuss.core.errors import UsageError
from percuss.core.labels import CERTIFICATE
from percuss.core.ports import Session
from percuss.core.protocol import CommandResult
from percuss.core.strict import Record
from percuss.exchange.rows import rows as rows_in
from percuss.protocols.textbook.people.minutes import minutes_of_rows
from percuss.store import RunStore
from percuss.store.sent import sent

__all__ = [
    "CostOptions",
    "CostRow",
    "Prices",
    "cost_of",
    "cost_table",
    "gpu_cost",
    "prices",
    "verification_cost",
]

FILE = Path(__file__).parent / "prices.toml"


class Prices(Record):
    """Prices with their date.

    Args:
        date: month of the prices. clouds: name -> USD per GPU hour. wage: USD per hour of an annotator.
        fees: task -> USD per question for verification, as the paper prints them.
    """

    date: str
    clouds: dict[str, float]
    wage: float
    fees: dict[str, float]


class CostRow(Record):
    """A model's costs.

    Args:
        gpu: cloud -> USD per question. verified: what is added -> USD per question on the cheapest cloud.
        extrapolated: GPU seconds were scaled from another model's, not measured.
    """

    model: str
    gpu: dict[str, float]
    verified: dict[str, float]
    extrapolated: bool = False


@cache
def prices() -> Prices:
    """Return the shipped prices."""
    return Prices(**tomllib.loads(FILE.read_text(encoding="utf-8")))


def gpu_cost(seconds: float, per_hour: float) -> float:
    """Return USD for GPU seconds (GPUs times wall time).

    >>> round(gpu_cost(253, 4.01), 2)
    0.28
    """
    return seconds / 3600 * per_hour


def verification_cost(minutes: float, wage: float) -> float:
    """Return USD for an annotator's minutes.

    >>> round(verification_cost(2.05, 20), 2)
    0.68
    """
    return minutes / 60 * wage


def cost_of(model: str, seconds: float, table: Prices, *, extrapolated: bool = False) -> CostRow:
    """Return a model's row of the cost table.

    Args:
        model: its name. seconds: GPU seconds per question. table: prices. extrapolated: whether they were scaled.
    """
    gpu = {cloud: gpu_cost(seconds, price) for cloud, price in table.clouds.items()}
    cheapest = min(gpu.values())
    verified = {f"+{name}": cheapest + fee for name, fee in table.fees.items()}
    verified["+".join(table.fees)] = cheapest + sum(table.fees.values())
    return CostRow(model=model, gpu=gpu, verified=verified, extrapolated=extrapolated)


class CostOptions(Record):
    """Settings of `percuss textbook cost`."""

    models: Annotated[
        tuple[str, ...],
        Meta(
            description="NAME=GPU-SECONDS per question, measured; NAME*=GPU-SECONDS where extrapolated; NAME=RUN takes those of a run of textbook-generate."
        ),
    ]
    gpus: Annotated[
        int, Meta(description="GPUs that the model of a run took; seconds of its calls count for each.", ge=1)
    ] = 1
    minutes: Annotated[
        float,
        Meta(
            description="Annotator minutes per question, in place of the paper's fees; 0 takes the fees.",
            ge=0,
        ),
    ] = 0.0
    study: Annotated[
        str,
        Meta(description="Export of a study: its mean minutes per judgement take the place of --minutes."),
    ] = ""


def _minutes_of(study: str) -> float:
    if not study:
        return 0.0
    took = minutes_of_rows(row for _, row in rows_in(Path(study)))
    if not took.n:
        raise UsageError(
            f"got {study}, which holds no two judgements of one annotator; expected a study's export"
        )
    return took.mean


def _seconds_of(run: Path, gpus: int) -> float:
    """Return GPU seconds per valid question of a generation: the seconds of its calls, one after the other, on each GPU.

    Args:
        run: of textbook-generate. gpus: that the model took. Calls that ran beside each other are counted in full.

    Raises:
        UsageError: no call of it took any time (a simulated model), or it has no valid question.
    """
    from percuss.protocols.textbook.generate.taking import rows_of

    valid = sum(not row.faults for row in rows_of(run))
    with RunStore.open(run) as store:
        took = store.read(lambda db: sum(call.latency_s for call in sent(db, "", CERTIFICATE, "ask")))
    if not took or not valid:
        raise UsageError(
            f"got the run {run} with {took:.1f} seconds of calls and {valid} valid questions; expected some of both"
        )
    return gpus * took / valid


def _row_of(text: str, table: Prices, gpus: int) -> CostRow:
    name, _, seconds = text.rpartition("=")
    if name and (Path(seconds) / "run.sqlite").is_file():
        return cost_of(name, _seconds_of(Path(seconds), gpus), table)
    if not name or not seconds.replace(".", "", 1).isdigit():
        raise UsageError(f"got {text!r}; expected NAME=SECONDS, such as llama-70b=253, or NAME=RUN")
    return cost_of(name.rstrip("*"), float(seconds), table, extrapolated=name.endswith("*"))


async def cost_table(options: CostOptions, session: Session) -> CommandResult:
    """Print what a question costs by model and cloud, alone and with verification.

    Args:
        options: models with their GPU seconds, minutes or a study's export. session: not used.

    Raises:
        UsageError: a model without a number of seconds or a run, or a study without two judgements of one annotator.
    """
    del session
    table = prices()
    minutes = options.minutes or _minutes_of(options.study)
    if minutes:
        fee = verification_cost(minutes, table.wage)
        table = Prices(date=table.date, clouds=table.clouds, wage=table.wage, fees={"verification": fee})
    rows = [_row_of(text, table, options.gpus) for text in options.models]
    heads = ["model", *rows[0].gpu, *rows[0].verified]
    lines = ["  ".join(heads)]
    for row in rows:
        cells = [f"{value:.2f}" for value in (*row.gpu.values(), *row.verified.values())]
        lines.append("  ".join([row.model + (" *" if row.extrapolated else ""), *cells]))
    lines.append(f"USD per question; prices of {table.date}; * GPU seconds extrapolated, not measured")
    return CommandResult(text="\n".join(lines), data={"rows": [{"model": r.model, **r.gpu, **r.verified, "extrapolated": r.extrapolated} for r in rows], "date": table.date})  # fmt: skip
