"""What a run says before it starts: where data goes, the folder, the primary estimate; and the forecast."""

import sys
from typing import TYPE_CHECKING

import click
import msgspec
from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:
    from percuss.api.run.forecast import Forecast
    from percuss.api.run.prepare import Prepared

__all__ = ["console", "first_lines", "forecast_lines"]


def console() -> Console:
    """Return a console on standard output; a width of 110 where that is no terminal."""
    width = None if sys.stdout.isatty() else 110
    return Console(width=width, highlight=False, emoji=False, markup=False, soft_wrap=True)


def first_lines(prepared: "Prepared") -> None:
    """Say what a bundled default leaves undefined, where data goes, the folder, and the primary estimate, before the first call."""
    out = console()
    if prepared.leaves:
        out.print(prepared.leaves)
    out.print(f"data goes to: {_hosts(prepared)}")
    out.print(f"folder: {prepared.folder}")
    out.print(f"primary: {prepared.protocol.primary.words}, declared before the first call")
    if prepared.found is not None:
        out.print(f"cases: {prepared.found.sentence}")
        for sentence in prepared.found.warnings:
            out.print(f"warning: {sentence}")
        if prepared.found.answers and not prepared.request.responses:
            out.print(f"note: {prepared.found.answers}")
    if prepared.request.responses:
        out.print(_answers(prepared))
    for flag in prepared.flags:
        out.print(f"note: {flag}")


def _hosts(prepared: "Prepared") -> str:
    if not prepared.hosts:
        return "nowhere; everything runs on this machine"
    return "; ".join(f"{host.host} ({', '.join(host.roles)})" for host in prepared.hosts)


def _answers(prepared: "Prepared") -> str:
    """Say whose the answers made elsewhere are taken to be."""
    from percuss.api.run.answers import attributed_to

    given = prepared.request.responses
    model = attributed_to(prepared)
    return f"answers: from {given}" + (f"; those that name no model are taken as {model}'s" if model else "")


def forecast_lines(found: "Forecast", prepared: "Prepared", *, as_json: bool) -> None:
    """Print a forecast: counts, tokens, price, hosts, detectable difference."""
    if as_json:
        click.echo(msgspec.json.encode(found))
        return
    out = console()
    arms = ", ".join(found.arms)
    first_lines(prepared)
    epochs = prepared.request.epochs
    out.print(
        f"{found.cases:,} cases x {len(found.arms)} arms ({arms}) x {epochs} {'epoch' if epochs == 1 else 'epochs'}"
    )
    followers = [arm.name for arm in prepared.arms if arm.after is not None]
    if followers:
        out.print(f"at most: {', '.join(followers)} follow answers that are not there yet")
    brought = _brought(prepared)
    if brought:
        out.print(f"asked too, for others follow them: {', '.join(brought)}")
    if prepared.request.responses:
        out.print(f"{found.given:,} answers are given and would be scored")
    if found.models or found.judge is not None:
        out.print(_table(found))
    if found.broken:
        out.print(
            f"note: {found.broken:,} conversations could not go on from a reply for show; they are counted as far as they went"
        )
    if found.usd is None:
        out.print(
            f"total: not known for every model (price table of {found.prices_of}; --prices FILE adds yours)"
        )
    else:
        low, expected, high = found.usd
        out.print(
            f"total: {expected:.2f} USD expected ({low:.2f} to {high:.2f}), prices of {found.prices_of}"
        )
    if found.detectable is not None:
        out.print(
            f"difference that could be seen at best: {100 * found.detectable:.1f} points of claims (power 0.8){_margin(prepared)}"
        )
    out.print("dry run: nothing was asked, written or spent")


def _margin(prepared: "Prepared") -> str:
    """Say how small a difference is of no importance, where the protocol's words rest on one."""
    margin = getattr(prepared.options, "margin", None)
    return "" if margin is None else f"; within {100 * margin:g} points one is of no importance"


def _brought(prepared: "Prepared") -> list[str]:
    """Return the arms that nobody named and that come along because named ones follow them."""
    named = ",".join(prepared.request.arms)
    return [arm.name for arm in prepared.arms if named and arm.name not in named]


def _table(found: "Forecast") -> Table:
    table = Table(box=None, pad_edge=False)
    for title in ("model", "calls", "held", "tokens in", "tokens out (low / expected / high)", "USD"):
        table.add_column(title, justify="left" if title == "model" else "right")
    for row in found.models:
        spread = " / ".join(f"{count:,}" for count in row.tokens_out)
        table.add_row(
            row.model, f"{row.calls:,}", f"{row.held:,}", f"{row.tokens_in:,}", spread, _usd(row.usd)
        )
    if found.judge is not None:
        calls = " / ".join(f"{count:,}" for count in found.judge.calls)
        table.add_row(
            f"{found.judge.model} (judge)", calls, "", f"{found.judge.tokens_in:,}", "", _usd(found.judge.usd)
        )
    return table


def _usd(bill: tuple[float, float, float] | None) -> str:
    return "unknown" if bill is None else " / ".join(f"{part:.2f}" for part in bill)
