"""Weights on their way: name, licence and size, then a bar on standard error."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

if TYPE_CHECKING:
    from percuss.models.assets import Asset
    from percuss.models.assets import Progress as Step

__all__ = ["describe", "fetch_weights"]


def describe(asset: "Asset") -> str:
    """Return an asset in one line."""
    return f"{asset.name}: {asset.size / 1e6:,.0f} MB, {asset.licence}, sha256 {asset.sha256[:12]} ({asset.source})"


def fetch_weights(assets: Sequence["Asset"], *, quiet: bool, to: Path | None = None) -> None:
    """Fetch weights once, and say what they are.

    Args:
        assets: what is missing.
        quiet: no line and no bar.
        to: a folder for a machine without internet; None is the cache.
    """
    from percuss.models.asset_sources import ensure, pull

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    with Progress(*columns, console=console, transient=True, disable=quiet or not console.is_terminal) as bar:
        for asset in assets:
            if not quiet:
                click.echo(f"fetching {describe(asset)}", err=True)
            task = bar.add_task(asset.name, total=asset.size)

            def watch(step: "Step", task: int = task) -> None:
                bar.update(task, completed=step.done, total=step.total)  # type: ignore[arg-type]

            asyncio.run(
                ensure(asset, on_progress=watch) if to is None else pull(asset, to, on_progress=watch)
            )
