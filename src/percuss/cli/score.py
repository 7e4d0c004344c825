"""`percuss score PROTOCOL --cases GOLD --responses FILE`: score answers made elsewhere."""

import click

from percuss.cli.run import Protocols

__all__ = ["command"]


@click.group(cls=Protocols, score_only=True)
def command() -> None:
    """Score answers made elsewhere; asks no model under test."""
