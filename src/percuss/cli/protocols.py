"""`percuss protocols`: what can be measured, and what each protocol needs."""

import click

__all__ = ["command"]


@click.command()
@click.option("--json", "as_json", is_flag=True, help="As JSON on standard output, and nothing else there.")
def command(as_json: bool) -> int:
    """List the protocols and what each needs."""
    import msgspec

    from percuss.api.catalog import protocols
    from percuss.cli.show import console

    rows = [
        {
            "name": found.name,
            "aliases": list(found.aliases),
            "version": found.version,
            "question": found.question,
            "primary": found.primary.words,
            "roles": dict(found.roles),
            "arms": [arm.name for arm in found.arms(found.options())],
            "paper": found.manifest.get("paper", {}).get("title", ""),
        }
        for found in protocols()
    ]
    if as_json:
        click.echo(msgspec.json.encode(rows))
        return 0
    out = console()
    for row in rows:
        aliases = f" ({', '.join(row['aliases'])})" if row["aliases"] else ""
        out.print(f"{row['name']}{aliases}  version {row['version']}")
        out.print(f"  {row['question']}")
        out.print(f"  primary: {row['primary']}")
        out.print(f"  arms: {', '.join(row['arms'])}")
        out.print(f"  roles: {', '.join(f'{role} ({need})' for role, need in row['roles'].items())}")
        if row["paper"]:
            out.print(f"  paper: {row['paper']}")
    return 0
