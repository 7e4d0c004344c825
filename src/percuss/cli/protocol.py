"""`percuss protocol`: write a protocol of one's own from a page that runs, and try every law on one."""

import click

__all__ = ["command"]


@click.group(name="protocol")
def command() -> None:
    """Write a protocol of your own, and test one."""


@command.command()
@click.argument("name")
@click.option("--out", metavar="DIR", help="Folder to write; percuss-NAME unless given.")
def new(name: str, out: str | None) -> int:
    """Write a protocol that runs as it is, to be changed into your own."""
    from pathlib import Path

    from percuss.testing.new import write_protocol

    folder = Path(out or f"percuss-{name}")
    for path in write_protocol(name, folder):
        click.echo(f"wrote {path}")
    click.echo(f"next: pip install {folder}; percuss run {name}; percuss protocol test {name}")
    return 0


@command.command()
@click.argument("name")
@click.option("--law", "laws", multiple=True, metavar="LAW", help="Only this law; may be given again.")
@click.option("--json", "as_json", is_flag=True, help="As JSON on standard output, and nothing else there.")
def test(name: str, laws: tuple[str, ...], as_json: bool) -> int:
    """Try every law of a protocol on an installed one: 12 cases, simulated answers, no network."""
    import msgspec

    from percuss.api.catalog import load
    from percuss.core.errors import UsageError
    from percuss.testing import check
    from percuss.testing.laws import LAWS

    strange = next((law for law in laws if law not in LAWS), None)
    if strange is not None:
        raise UsageError(f"got the law {strange!r}; expected one of {', '.join(LAWS)}")
    found = check(load(name), laws or None)
    if as_json:
        click.echo(msgspec.json.encode(found))
    else:
        for outcome in found.outcomes:
            click.echo(outcome.line)
        tried = sum(outcome.verdict != "does not apply" for outcome in found.outcomes)
        click.echo(f"{found.protocol}: {tried - len(found.failures)} of {tried} laws hold")
    return 0 if found.passed else 1
