"""`percuss models`: list, pull, add, test."""

import asyncio
from pathlib import Path

import click

__all__ = ["command"]


@click.group()
def command() -> None:
    """List, fetch, add and test models."""


@command.command("list")
@click.option("--json", "as_json", is_flag=True, help="As JSON on standard output, and nothing else there.")
def list_models(as_json: bool) -> int:
    """List providers, local weights and simulated models."""
    import msgspec

    from percuss.cli.fetching import describe
    from percuss.models.assets import ASSETS, cache_dir, locate
    from percuss.models.endpoints import PROVIDERS
    from percuss.phantoms import names

    if as_json:
        rows = [
            {
                "name": a.name,
                "sha256": a.sha256,
                "size": a.size,
                "licence": a.licence,
                "here": locate(a) is not None,
            }
            for a in ASSETS.values()
        ]
        click.echo(
            msgspec.json.encode({"providers": list(PROVIDERS), "assets": rows, "phantoms": list(names())})
        )
        return 0
    click.echo(
        "endpoints (provider/name): " + ", ".join(PROVIDERS) + ", openai-api/SERVICE/MODEL, inspect/ANY"
    )
    click.echo(f"weights (cache {cache_dir()}):")
    for asset in ASSETS.values():
        click.echo(f"  {'here   ' if locate(asset) else 'missing'} {describe(asset)}")
    click.echo("simulated: " + ", ".join(names()))
    return 0


@command.command()
@click.argument("names", nargs=-1)
@click.option("--to", type=click.Path(), metavar="DIR", help="Fill a folder for a machine without internet.")
def pull(names: tuple[str, ...], to: str | None) -> int:
    """Fetch weights into the cache, or into a folder to carry."""
    from percuss.cli.fetching import fetch_weights
    from percuss.models.assets import find

    wanted = [find(name.removeprefix("embedded/")) for name in names or ("smollm2-135m-instruct",)]
    fetch_weights(wanted, quiet=False, to=Path(to) if to else None)
    click.echo("here: " + ", ".join(asset.name for asset in wanted))
    return 0


@command.command()
@click.argument("file", type=click.Path())
def add(file: str) -> int:
    """Bring a weights file to this machine: a known asset, or any GGUF."""
    from percuss.models import assets

    name, path = assets.add(Path(file))
    click.echo(f"{name}: {path.stat().st_size / 1e6:,.0f} MB in the cache; use it as embedded/{name}")
    return 0


@command.command()
@click.argument("model")
@click.option("--base-url", help="Address of the endpoint.")
def test(model: str, base_url: str | None) -> int:
    """Ask a model one short question and say what came back."""
    from percuss.api.run.trial import try_model

    found = asyncio.run(try_model(model, base_url=base_url))
    click.echo(f"{found.model} answered in {found.seconds:.1f} s: {found.text!r}")
    click.echo(f"served as {found.served or 'not said'}; {found.tokens_in} tokens in, {found.tokens_out} out")
    click.echo(
        "it gives log-probabilities of its tokens, so it can be a --role verifier"
        if found.verifies
        else "it gives no log-probabilities of its tokens, so it cannot be a --role verifier; it can be a judge"
    )
    return 0
