"""`percuss cache`: what the replies across runs are, and clearing them."""

from pathlib import Path

import click
import msgspec

__all__ = ["command"]


@click.command()
@click.argument("file", type=click.Path(path_type=Path), required=False)
@click.option("--clear", is_flag=True, help="Forget replies; all, or as --model and --older-than say.")
@click.option("--model", help="Only those of this model.")
@click.option(
    "--older-than", "days", type=click.FloatRange(0), metavar="DAYS", help="Only those that are older."
)
@click.option("--yes", is_flag=True, help="Do not ask first.")
@click.option("--json", "as_json", is_flag=True, help="As JSON on standard output, and nothing else there.")
def command(
    file: Path | None, *, clear: bool, model: str | None, days: float | None, yes: bool, as_json: bool
) -> int:
    """Say what the cache of replies across runs holds, and clear it."""
    from percuss.api.run.caching import AUTO, file_of
    from percuss.store.replies import Replies

    replies = Replies(file_of(AUTO if file is None else str(file)))
    if not clear and (model or days is not None):
        raise click.UsageError("--model and --older-than choose what --clear forgets; say --clear with them")
    if clear:
        if not yes:
            click.confirm(f"forget replies in {replies.path}?", abort=True, err=True)
        click.echo(f"{replies.clear(model, days):,} replies are gone from {replies.path}")
        return 0
    held = replies.held()
    if as_json:
        click.echo(
            msgspec.json.format(msgspec.json.encode({"file": str(replies.path), "models": held}), indent=2)
        )
        return 0
    for one in held:
        click.echo(
            f"{one.model}: {one.replies:,} replies, {one.size / 1e6:,.2f} MB, {one.oldest[:10]} to {one.newest[:10]}"
        )
    click.echo(f"in {replies.path}" if held else f"no replies in {replies.path}; --cache keeps them")
    return 0
