"""`percuss citations audit FILE..`: check the references of anyone's document."""

import asyncio
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from percuss.protocols.citations.audit.document import Document
    from percuss.protocols.citations.audit.library import Library
    from percuss.protocols.citations.audit.report import AuditReport
    from percuss.protocols.citations.references.compare import Tolerance

__all__ = ["command"]


class _WithOwn(click.Group):
    """The group with the protocol's own commands beside the audit; the protocol is loaded for these alone."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the audit, then the protocol's own."""
        return [*super().list_commands(ctx), *self._own().commands]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the audit without loading the protocol."""
        return super().get_command(ctx, cmd_name) or self._own().commands.get(cmd_name)

    def _own(self) -> click.Group:
        from percuss.cli.protocol_commands import protocol_group

        return protocol_group("citations") or click.Group()


@click.group(cls=_WithOwn)
def command() -> None:
    """Check the references of a document, or the code of an answer."""


@command.command("audit")
@click.argument("files", nargs=-1, required=True, type=click.Path(allow_dash=True))
@click.option(
    "--library",
    "libraries",
    multiple=True,
    type=click.Path(),
    help="Local authority: a .bib, .ris, .nbib, CSL-JSON, JSONL or Parquet file, or a folder of them.",
)
@click.option(
    "--complete", is_flag=True, help="The libraries hold every record there is: what they lack doesn't exist."
)
@click.option(
    "--resolve",
    metavar="A,B,..",
    help="Ask registries: crossref, pubmed, openalex, datacite, arxiv, web (cited pages). Each reference's own string leaves this machine.",
)
@click.option(
    "--mail",
    envvar="PERCUSS_MAIL",
    help="Address that registries may write to; asked for once with --resolve.",
)
@click.option(
    "--cache",
    type=click.Path(),
    default=".percuss/citations",
    show_default=True,
    help="Where answers of registries stay; the same audit again asks nothing twice.",
)
@click.option(
    "--content", is_flag=True, help="Check too whether the sources say it, by rule, where their text is held."
)
@click.option("--strict", is_flag=True, help="Both pages must agree, not only the first.")
@click.option("--all", "every", is_flag=True, help="List the references that were found, too.")
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="One object a reference on standard output, and nothing else there.",
)
@click.option("--html", type=click.Path(), help="Write a page to this file.")
@click.option("--sarif", type=click.Path(), help="Write SARIF to this file.")
@click.option("--junit", type=click.Path(), help="Write JUnit XML to this file.")
@click.option(
    "--fix",
    type=click.Path(),
    help="Write corrected entries to this .bib file; never to a file that is audited.",
)
@click.option(
    "--fail-if",
    "fail_if",
    multiple=True,
    metavar="CONDITION",
    help="Exit with 3 where it holds, e.g. 'mismatch>0'.",
)
@click.option("--offline", is_flag=True, help="Refuse --resolve, whatever a script says.")
def audit_command(files: tuple[str, ...], **how: Any) -> int:
    """Check the references of documents: .bib, RIS, CSL-JSON, NBIB, Markdown, text, notebooks, HTML, LaTeX, DOCX, PDF; - reads standard input.

    Without --resolve nothing leaves this machine.
    """
    from percuss.core.errors import UsageError
    from percuss.protocols.citations.audit.gates import failing, read_gate
    from percuss.protocols.citations.audit.render import as_json, as_text
    from percuss.protocols.citations.audit.report import AuditReport

    gates = [read_gate(text, tuple(AuditReport(files=()).counts())) for text in how["fail_if"]]
    if how["fix"] and Path(how["fix"]).resolve() in {Path(file).resolve() for file in files}:
        raise UsageError(f"--fix got {how['fix']}, which is audited; expected another file")
    if how["offline"] and how["resolve"]:
        raise UsageError("got --offline and --resolve; expected one of them")
    for name in ("html", "sarif", "junit", "fix"):
        if how[name] and not Path(how[name]).resolve().parent.is_dir():
            raise UsageError(f"--{name} got {how[name]}; expected a file in a folder that is there")
    report = asyncio.run(_audited(files, how))
    _write(report, how)
    click.echo(as_json(report) if how["as_json"] else as_text(report, every=how["every"]))
    if how["as_json"]:
        for note in report.notes:
            click.echo(f"percuss: {note}", err=True)
    broken = failing(gates, report.counts())
    for sentence in broken:
        click.echo(f"percuss: gate failed: {sentence}", err=True)
    return 3 if broken else 0


async def _audited(files: tuple[str, ...], how: dict[str, Any]) -> "AuditReport":
    from percuss.cli.words import many
    from percuss.protocols.citations.audit.audit import EXACT, audit
    from percuss.protocols.citations.audit.library import read_library
    from percuss.protocols.citations.audit.readers import LARGEST, read_documents
    from percuss.protocols.citations.references.compare import Tolerance

    stdin = sys.stdin.buffer.read(LARGEST + 1) if "-" in files else None
    documents = read_documents(files, standard_input=stdin)
    libraries = [read_library(path, complete=how["complete"]) for path in how["libraries"]]
    tolerance = Tolerance(title="words", authors="whole", pages="exact") if how["strict"] else EXACT
    names = many(how["resolve"])
    if not names:
        return await audit(documents, libraries, tolerance=tolerance, content=how["content"])
    return await _asked(names, documents, libraries, tolerance, how)


async def _asked(
    names: tuple[str, ...], documents: "Sequence[Document]", libraries: "Sequence[Library]", tolerance: "Tolerance",
    how: dict[str, Any],
) -> "AuditReport":  # fmt: skip
    """Audit with registries; what talks to them is loaded here alone, it takes longer than 500 references."""
    from percuss.cli.progress import counting
    from percuss.net.client import Client
    from percuss.net.fetching import PageFetcher
    from percuss.protocols.citations.audit.audit import Online, audit
    from percuss.protocols.citations.sources.archive import Archive
    from percuss.protocols.citations.sources.fetch import Pages
    from percuss.protocols.citations.sources.polite import Polite
    from percuss.protocols.citations.sources.resolve import refuse_unknown, resolvers

    refuse_unknown([name for name in names if name != "web"])
    _say_what_leaves(names, sum(len(document.references) for document in documents))
    archive = Archive(Path(how["cache"]))
    mail = how["mail"] if how["mail"] is not None else _mail(quiet=how["as_json"])
    async with Client() as client, PageFetcher() as fetcher:
        polite = Polite(client, archive=archive, mail=mail)
        pages = Pages(archive, fetcher) if "web" in names else None
        online = Online(resolvers([name for name in names if name != "web"], polite), polite, pages)
        with counting(quiet=how["as_json"], words="asking") as watch:
            return await audit(
                documents, libraries, online, tolerance=tolerance, content=how["content"], watch=watch
            )


def _say_what_leaves(names: tuple[str, ...], n: int) -> None:
    click.echo(
        f"percuss: asking {', '.join(names)} about {n} references: their own strings and identifiers leave this machine, "
        "never the document or its name",
        err=True,
    )


def _mail(*, quiet: bool) -> str:
    """Ask once for an address, where somebody sits at the terminal; it stays in a file of the user's."""
    kept = Path.home() / ".config" / "percuss" / "mail"
    if kept.exists():
        return kept.read_text(encoding="utf-8").strip()
    if quiet or not sys.stdin.isatty():
        return ""
    given = str(
        click.prompt(
            "E-mail address for the registries' polite pool (empty: none)",
            default="",
            show_default=False,
            err=True,
        )
    )
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_text(given.strip() + "\n", encoding="utf-8")
    return given.strip()


def _write(report: "AuditReport", how: dict[str, Any]) -> None:
    from percuss.protocols.citations.audit.exports import as_junit, as_sarif, page_of
    from percuss.protocols.citations.audit.render import corrected_bibtex

    def page(each: "AuditReport") -> str:
        from percuss.report.html.audit import render_audit

        return render_audit(**page_of(each))

    made: dict[str, Callable[[AuditReport], str | bytes]] = {
        "html": page,
        "sarif": as_sarif,
        "junit": as_junit,
        "fix": corrected_bibtex,
    }
    for name, write in made.items():
        if how[name]:
            content = write(report)
            Path(how[name]).write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
