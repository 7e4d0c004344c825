"""percuss study state, replace, reassign, extend, withdraw, remind, forget, seal, verify: a study's life without the browser."""

from pathlib import Path

import click

from percuss.core.errors import RunError, UsageError

__all__ = ["COMMANDS", "folder_of"]


def folder_of(name: str) -> Path:
    """Return the folder of a study, by its path or its name."""
    from percuss.study.settings import known_folder

    return known_folder(name)


@click.command()
@click.argument("name")
@click.argument("to", required=False, type=click.Choice(["pilot", "open", "paused", "locked", "archived"]))
def state(name: str, to: str | None) -> None:
    """Say in which state a study is, or bring it into the next one."""
    from percuss.study.lifecycle import NEXT, move, state_of
    from percuss.study.status import unsettled
    from percuss.study.study import open_study

    with open_study(folder_of(name)) as study:
        count = 0 if to is None else study.database.write(lambda c: move(c, to, by="system"))
        with study.database.read() as connection:
            now = state_of(connection)
            left = unsettled(study, connection) if to == "locked" else 0
    following = " or ".join(NEXT[now]) or "nothing"
    click.echo(
        f"{name} is {now}; {following} may follow"
        + (f"; {count} labels of the pilot set aside" if count else "")
        + (f"; {left} differences between people stay unsettled" if left else "")
    )


@click.command()
@click.argument("name")
@click.argument("code")
def replace(name: str, code: str) -> None:
    """Give what a rater has not answered yet to a new one; what was answered stays."""
    from percuss.study.lifecycle import replace as give
    from percuss.study.study import open_study

    with open_study(folder_of(name)) as study:
        fresh = study.database.write(lambda c: give(c, study, code, by="system"))
    click.echo(f"{fresh} takes over from {code}; `percuss study serve {name}` prints the link")


@click.command()
@click.argument("name")
@click.argument("code")
@click.argument("to")
@click.option(
    "--item", "named", multiple=True, help="Id of an item; may be given again.  [default: all that are open]"
)
def reassign(name: str, code: str, to: str, named: tuple[str, ...]) -> None:
    """Give open items of the rater CODE to the rater TO; what was answered stays."""
    from percuss.study.reassigning import reassign as give
    from percuss.study.study import open_study

    with open_study(folder_of(name)) as study:
        moved = study.database.write(lambda c: give(c, study, code, to, by="system", named=named))
    count = len(moved.items)
    click.echo(f"{count} item{'' if count == 1 else 's'} of {code} now on the list of {to}")
    if moved.stayed:
        click.echo(f"{len(moved.stayed)} stay with {code}, since {to} judges them too")


@click.command()
@click.argument("name")
@click.argument("count", type=click.IntRange(1))
def extend(name: str, count: int) -> None:
    """Draw more of the items that were offered when the study was made."""
    from percuss.study.extending import extend as draw
    from percuss.study.lifecycle import in_reserve
    from percuss.study.study import open_study

    with open_study(folder_of(name)) as study:
        more = draw(study, count, by="system")
        with study.database.read() as connection:
            left = in_reserve(connection)
    click.echo(f"{more} more items are on the lists; {left} are left in reserve")


@click.command()
@click.argument("name")
@click.argument("code")
@click.confirmation_option(prompt="All that this person said is deleted for good. Go on?")
def withdraw(name: str, code: str) -> None:
    """Delete everything that a person said, as the consent promises; the ledger keeps that somebody withdrew."""
    from percuss.study.store.people import withdraw as take_back
    from percuss.study.study import open_study

    with open_study(folder_of(name)) as study:
        count = study.database.write(lambda c: take_back(c, code, by="system"))
        study.database.scrub()
    click.echo(f"{count} labels of {code} are deleted")


@click.command()
@click.argument("name")
@click.confirmation_option(prompt="Names and accounts of everybody are deleted for good. Go on?")
def forget(name: str) -> None:
    """Delete names and accounts of an archived study; answers stay under codes, and the ledger still verifies.

    With `retention_days` in study.toml `serve` does so by itself when the days are over.
    """
    from percuss.study.retention import forget as erase
    from percuss.study.study import open_study

    with open_study(folder_of(name)) as study:
        count = study.database.write(lambda c: erase(c, by="system"))
        study.database.scrub()
    click.echo(f"names and accounts of {count} people are deleted; their answers stay under codes")


@click.command()
@click.argument("name")
@click.option(
    "--public-url",
    default="http://127.0.0.1:8780",
    show_default=True,
    help="Address under which people come.",
)
@click.option("--smtp", "server", default="", help="Send them: smtp://host:port or smtps://host.")
@click.option("--sender", default="", help="With --smtp: the address that they come from.")
@click.option(
    "--addresses",
    type=click.Path(path_type=Path),
    help="With --smtp: CSV of code and address; keep it outside the study.",
)
def remind(name: str, public_url: str, server: str, sender: str, addresses: Path | None) -> None:
    """Print a reminder for each rater who has not finished, to copy, or send them by SMTP."""
    from percuss.study.reminding import read_addresses, reminders, send
    from percuss.study.study import open_study

    if server and not (sender and addresses):
        raise UsageError("--smtp needs --sender and --addresses, a CSV of code and address")
    with open_study(folder_of(name)) as study:
        listed = reminders(study, public_url.rstrip("/"))
        if server and addresses:
            codes = send(study, listed, read_addresses(addresses), server=server, sender=sender)
            click.echo(f"{len(codes)} of {len(listed)} reminders sent: {', '.join(codes) or 'nobody'}")
            return
    for one in listed:
        click.echo(f"--- {one.code}: {one.subject}\n{one.text}")
    click.echo(
        f"{len(listed)} people have items left"
        if listed
        else "nobody has items left, or nobody can judge now"
    )


@click.command()
@click.argument("name")
@click.option("--out", type=click.Path(path_type=Path), help="Archive; default: NAME.zip, here.")
def seal(name: str, out: Path | None) -> None:
    """Write a locked study's archive: plan, methods, flow, agreement, checklist, record, public key."""
    from percuss.study.about import file_stem
    from percuss.study.sealing import seal as write
    from percuss.study.study import open_study

    with open_study(folder_of(name)) as study:
        path = out or Path(f"{file_stem(study.settings.name)}.zip")
        key = write(study, path)
    click.echo(f"{path}; key {key}: write the key down where others find it")


@click.command()
@click.argument("archive", type=click.Path(path_type=Path, exists=True))
@click.option("--key", default="", help="Fingerprint of the study's key, from elsewhere.")
def verify(archive: Path, key: str) -> None:
    """Verify a sealed study with its archive alone: no network, no secret."""
    from percuss.study.sealing import verify_archive

    found = verify_archive(archive, expected=key)
    for problem in found.problems:
        click.echo(f"  {problem}", err=True)
    if not found.ok:
        count = len(found.problems)
        raise RunError(f"{archive} does not verify: {count} problem{'' if count == 1 else 's'}, listed above")
    click.echo(f"{found.entries} entries and every file verified; head {found.head}; key {found.key}")


COMMANDS = (state, replace, reassign, extend, withdraw, remind, forget, seal, verify)
