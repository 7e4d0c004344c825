"""percuss study: create, serve, follow, export; each command loads what it needs when it is called."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from percuss.cli.study_agreement import SOURCE, agreement
from percuss.cli.study_files import COMMANDS as FILES
from percuss.cli.study_life import COMMANDS as LIFE
from percuss.cli.study_life import folder_of
from percuss.core.errors import RunError, UsageError

if TYPE_CHECKING:
    from percuss.core.records import AnnotationItem
    from percuss.study.create import Made

__all__ = ["command"]

DESIGNS = "claim-adjudication, reader-study, qa-verification, ranking, likert5, extraction, source-grounding, confirm, or a .toml file"

COPIED = (
    "seed",
    "title",
    "asker",
    "purpose",
    "contact",
    "overlap",
    "repeats",
    "page_by",
    "language",
    "pass_mark",
)
"""Options of `create` that are settings of the same name."""


@click.group(name="study")
def command() -> None:
    """Human studies: create, serve, follow, export.

    People's answers stay on this machine.
    """


def _items(
    source: Path, design: str, protocol_scoring: str | None, named: tuple[str, ...]
) -> tuple[list["AnnotationItem"], Any]:
    """Return the items of a run folder or a file, and what finds their pictures."""
    from percuss.study.design import load_design
    from percuss.study.files import read_items

    if not source.is_dir():
        return list(read_items(source, load_design(design), named)), None
    if named:
        raise UsageError(f"--map names columns of a table, and {source} is a folder; leave it out")
    if (source / "study.toml").is_file():
        return _marks(source, design), None
    from percuss.api.catalog import load
    from percuss.study.runs import items_of_run

    return items_of_run(source, load_design(design), load, scoring=protocol_scoring)


def _marks(source: Path, design: str) -> list["AnnotationItem"]:
    """Return the statements that people marked in another study, as items of this one."""
    from percuss.study.design import load_design
    from percuss.study.marks import is_chained, items_of_marks
    from percuss.study.study import open_study

    with open_study(source) as study:
        if not is_chained(study, load_design(design).name):
            raise UsageError(
                f"{source} is a study of {study.design.name}; only the marks of extraction become items, of source-grounding"
            )
        return items_of_marks(study)


@command.command()
@click.argument("name")
@click.option("--design", "-d", required=True, help=DESIGNS)
@click.option(
    "--from",
    "source",
    required=True,
    type=click.Path(path_type=Path),
    help="A run folder, a .csv, .xlsx or .jsonl of items, or the folder of an extraction study: its marks become items.",
)
@click.option(
    "--items", "ids", type=click.Path(path_type=Path), help="A list of ids, one a line; only these are taken."
)
@click.option(
    "--map",
    "named",
    multiple=True,
    metavar="FIELD=COLUMN",
    help="Columns of a table that are called otherwise: claim=statement,id=row; delimiter=semicolon, encoding=cp1252, sheet=Two too.",
)
@click.option("--sample", type=int, help="Draw this many items, equally over the strata.")
@click.option("--raters", type=click.IntRange(1, 500), default=2, show_default=True, help="People who judge.")
@click.option(
    "--adjudicators",
    type=click.IntRange(0, 20),
    default=1,
    show_default=True,
    help="People who settle differences.",
)
@click.option(
    "--overlap",
    type=click.FloatRange(0, 1),
    default=1.0,
    show_default=True,
    help="Share of the items that several people judge.",
)
@click.option(
    "--per-item",
    type=click.IntRange(2, 500),
    default=2,
    show_default=True,
    help="How many people judge an overlapping item.",
)
@click.option("--strata", default="", help="What to balance over, e.g. model,arm or model,arm,flip.")
@click.option(
    "--repeats",
    type=click.FloatRange(0, 0.5),
    default=0.1,
    show_default=True,
    help="Share of the items that come back unannounced.",
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=42,
    show_default=True,
    help="Of the sample, the assignment and the orders.",
)
@click.option("--title", default="", help="Title on every page; default: the design's question.")
@click.option("--asker", default="", help="Who asks, for the invitation.")
@click.option("--purpose", default="", help="Why, for the invitation.")
@click.option("--contact", default="", help="Whom to ask, for the invitation.")
@click.option("--scoring", help="With a run: the scoring whose claims are taken; default: the newest.")
@click.option(
    "--database-url", default="", help="postgresql://user@host/name; default: SQLite in the study's folder."
)
@click.option("--out", type=click.Path(path_type=Path), help="Folder of the study; default: studies/NAME.")
@click.option(
    "--settle",
    type=click.Choice(["adjudicator", "together"]),
    default="adjudicator",
    show_default=True,
    help="Who settles differences: somebody who sees both labels as A and B, or the two raters at one screen.",
)
@click.option(
    "--retention",
    type=click.IntRange(0),
    default=0,
    help="Days after archiving on which names and accounts are deleted; the invitation says so.  [default: kept]",
)
@click.option(
    "--page-by",
    default="",
    help="Judge all items that share this on one page beside their record: case, patient. --sample then counts pages.",
)
@click.option(
    "--pass-mark",
    type=click.FloatRange(0, 1),
    default=0.0,
    show_default=True,
    help="Share of practice questions to be answered as the reference does, or practice begins again.",
)
@click.option(
    "--language",
    type=click.Choice(["en", "de"]),
    default="en",
    show_default=True,
    help="Of the screens; everybody may choose another one.",
)
@click.option("--draft", is_flag=True, help="Nobody can judge until it is brought into `pilot` or `open`.")
def create(name: str, design: str, source: Path, **given: Any) -> None:
    """Make a study of a run's claims or of your own items."""
    from percuss.study.create import create as make
    from percuss.study.files import read_ids
    from percuss.study.settings import Settings, kept_for

    listed, blob = _items(source, design, given["scoring"], given["named"])
    settings = Settings(
        name=name,
        design=design,
        **{one: given[one] for one in COPIED},
        depth=given["per_item"],
        strata=tuple(part.strip() for part in given["strata"].split(",") if part.strip()),
        source=str(source),
        database=given["database_url"],
        settling=given["settle"],
        retention_days=given["retention"],
        kept=kept_for(given["retention"]),
    )
    study, made = make(
        settings,
        listed,
        folder=given["out"],
        raters=given["raters"],
        adjudicators=given["adjudicators"],
        size=given["sample"],
        ids=read_ids(given["ids"]) if given["ids"] else None,
        blob=blob,
        state="draft" if given["draft"] else "open",
    )
    study.close()
    if given["sample"] is not None and made.items < given["sample"]:
        click.echo(f"--sample {given['sample']}: {made.items} items are there, all were taken", err=True)
    _say_made(made, name)


def _say_made(made: "Made", name: str) -> None:
    click.echo(
        f"{made.folder}: {made.items} of {made.offered} items, design {made.design}, {made.raters} raters"
    )
    click.echo(f"{made.doubled} items are judged by several people; {made.repeats} come back unannounced")
    click.echo(f"{made.masked} names of models or makers were masked as [model]")
    tested = " or ".join(name for name in ("arm", "model") if name not in made.untested)
    if tested:
        click.echo(
            f"blinding: no field beside {', '.join(made.exempt)} tells {tested} (a permutation test on {made.tested_on} with p < .001 would have refused the study)"
        )
    for hidden, why in made.untested.items():
        click.echo(f"blinding: nothing was tested of the {hidden}: {why}")
    for warning in made.warnings[:5]:
        click.echo(f"picture: {warning}", err=True)
    for suspect in made.suspects[:5]:
        click.echo(f"blinding: {suspect}", err=True)
    click.echo(f"next: percuss study serve {name}")


@command.command()
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="Address to listen on; the default is this machine alone.",
)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8780, show_default=True, help="Port; 0 takes a free one."
)
@click.option(
    "--public-url", default="", help="Address under which people reach it, e.g. https://host/study."
)
def serve(names: tuple[str, ...], host: str, port: int, public_url: str) -> None:
    """Serve a study, or several under a path each, and print the invitation links."""
    from contextlib import ExitStack

    from percuss.study.serve import serve as run
    from percuss.study.study import open_study

    with ExitStack() as stack:
        studies = [stack.enter_context(open_study(folder_of(name))) for name in names]
        run(studies, host=host, port=port, public_url=public_url, say=click.echo)


@command.command()
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def status(name: str, as_json: bool) -> None:
    """Say how far everybody is, and what is open."""
    import msgspec

    from percuss.study.status import status as find
    from percuss.study.study import open_study

    with open_study(folder_of(name)) as study:
        found = find(study)
    if as_json:
        click.echo(msgspec.json.encode(found))
        return
    click.echo(
        f"{found.name} ({found.design}): {found.labels_done} of {found.labels_total} answers on {found.items} items"
    )
    click.echo(
        f"answered by everybody asked: {found.answered_twice}; differ: {found.disagreements}; settled: {found.settled}"
    )
    if found.seconds is not None:
        click.echo(f"active time an answer: median {found.seconds:.1f} s")
    for person in found.people:
        seconds = "" if person.seconds is None else f", {person.seconds:.0f} s an item"
        progress = (
            f"{person.done} of {person.total}"
            if person.total
            else "joined"
            if person.joined
            else "not joined"
        )
        cant = f", can't judge {person.cant}" if person.cant else ""
        click.echo(f"  {person.code:4} {person.role:12} {progress}{seconds}{cant}")


@command.command()
@click.argument("name")
@click.option(
    "--format",
    "kind",
    default="csv",
    show_default=True,
    help="csv, parquet, verdicts, labels, label-studio, ledger.",
)
@click.option(
    "--out", type=click.Path(path_type=Path), help="File; default: NAME with the format's ending, here."
)
@click.option(
    "--to-run",
    type=click.Path(path_type=Path, exists=True),
    help="Write the labels into this run as human verdicts.",
)
@click.option("--source", default="", help=SOURCE)
def export(name: str, kind: str, out: Path | None, to_run: Path | None, source: str) -> None:
    """Write the labels as a file, or into a run as verdicts of human:r1, human:r2, human:adjudicated."""
    from percuss.study.about import file_stem
    from percuss.study.export import FORMATS, export_file
    from percuss.study.reference import source_of
    from percuss.study.study import open_study

    with open_study(folder_of(name)) as study:
        if to_run is not None:
            from percuss.study.runs import export_to_run

            click.echo(f"{export_to_run(study, to_run)} human verdicts written into {to_run}")
            return
        if kind not in FORMATS:
            raise UsageError(f"--format {kind!r} is unknown; there are {', '.join(FORMATS)}")
        target = out or Path(f"{file_stem(study.settings.name)}.{FORMATS[kind]}")
        path = export_file(study, target, kind, source=source_of(source) if source else None)
    click.echo(str(path))


@command.command(name="import")
@click.argument("name")
@click.argument("path", type=click.Path(path_type=Path, exists=True))
def import_(name: str, path: Path) -> None:
    """Take labels made in Label Studio (JSON export) into a study, as those of raters x1, x2 .."""
    from percuss.study.labelstudio import import_labels
    from percuss.study.study import open_study

    with open_study(folder_of(name)) as study:
        found = import_labels(study, path)
    click.echo(
        f"{found.labels} labels of {', '.join(found.raters)}; {found.unknown} of items not in this study left out"
    )


@command.command()
@click.argument("name")
@click.option(
    "--out", required=True, type=click.Path(path_type=Path), help="Folder of the copy; it may not exist yet."
)
@click.option("--database-url", "database", default="", help="Of the copy; default: SQLite in its folder.")
def migrate(name: str, out: Path, database: str) -> None:
    """Copy a study of Percuss 0.1 into one of this release; the old one is not touched."""
    from percuss.study.migrate import migrate as copy

    made = copy(folder_of(name), out, database=database)
    click.echo(
        f"{made.folder}: {made.labels} labels and {made.settled} settled items copied as events of 0.1"
    )
    click.echo(
        f"whether they had been revised is unknown; the old ledger ({made.entries} entries) is attached"
    )


@command.command(name="verify-ledger")
@click.argument("name")
@click.option(
    "--expect", help="Hash of an earlier head that was written down; it must still be in the ledger."
)
@click.option(
    "--key",
    type=click.Path(path_type=Path, exists=True),
    help="Public key; default: ledger.pub of the study.",
)
def verify_ledger(name: str, expect: str | None, key: Path | None) -> None:
    """Verify hashes and signatures with the public key alone, and hold all tables against the ledger."""
    from percuss.study.checking import verify_folder

    found = verify_folder(folder_of(name), key=key, expect=expect)
    if not found.ok:
        for problem in found.problems:
            click.echo(f"  {problem}", err=True)
        count = len(found.problems)
        raise RunError(
            f"the ledger of {name} does not verify: {count} problem{'' if count == 1 else 's'}, listed above"
        )
    click.echo(f"{found.entries} entries verified; head {found.head}; key {found.key}")


for _one in (agreement, *FILES, *LIFE):
    command.add_command(_one)
