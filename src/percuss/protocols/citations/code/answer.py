"""One answer in, one reading out: its blocks by language, its commands, findings and verdict."""

import re
from collections.abc import Iterable

from percuss.protocols.citations.code.blocks import blocks_of, inline_code
from percuss.protocols.citations.code.index import Ecosystem, NoIndex, PackageIndex
from percuss.protocols.citations.code.installs import Install, installs_in_line, installs_of
from percuss.protocols.citations.code.languages import elixir, r, scala
from percuss.protocols.citations.code.languages.base import Mention, Reader, judged
from percuss.protocols.citations.code.python.check import PythonSurfaces, check_python
from percuss.protocols.citations.code.python.parsing import parse_snippet
from percuss.protocols.citations.code.records import Block, CodeReading, Finding, Verdict
from percuss.protocols.citations.code.versions import asked_exactly

__all__ = ["check_answer", "wanted"]

_READERS: dict[str, Reader] = {"r": r.mentions, "scala": scala.mentions, "elixir": elixir.mentions}
_IN_PASSING = {
    "r": re.compile(r"\b(?:install|p_load|pkg_install|install_\w+)\b[^\n(]{0,20}\("),
    "scala": re.compile(r"%"),
    "elixir": re.compile(r"^\s*\{\s*:\w+\s*,|Mix\.install"),
}
_BY_SHELL = re.compile(r"\b(?:Rscript|R)\s(?:[^\n'\"]{0,60}\s)?-e\s+(['\"])(.{1,1000}?)\1(?=\s|$)")
_COMMANDS = frozenset({"shell", "", "text", "plaintext", "dockerfile", "requirements"})


def check_answer(
    answer: str,
    *,
    language: str = "",
    earlier: Iterable[str] = (),
    surfaces: PythonSurfaces | None = None,
    index: PackageIndex | None = None,
) -> CodeReading:
    """Return what an answer installs, imports and calls, and whether it is there.

    Blocking and up to seconds for the first answer about a large package: call it in a thread.

    Args:
        answer: Markdown as the model wrote it.
        language: that the question asks for; it is assumed of fences that name none.
        earlier: answers of earlier turns, whose names the code may use.
        surfaces: Python packages at hand; None for those of this environment.
        index: answers of registries; None for none, and packages that are not at hand are then not checkable.
    """
    surfaces = PythonSurfaces.of_this_environment() if surfaces is None else surfaces
    index = NoIndex() if index is None else index
    blocks = blocks_of(answer)
    installs = _installs(answer, blocks)
    python = [block for block in blocks if _language(block, language) == "python"]
    before = [
        block for text in earlier for block in blocks_of(text) if _language(block, language) == "python"
    ]
    pins = {i.name: asked_exactly(i.version) or "" for i in installs if i.ecosystem in {"pypi", "conda"}}
    found, unread = check_python(python, earlier=before, surfaces=surfaces, index=index, pins=pins)
    findings = [*found, *_judged_installs(installs, surfaces, index)]
    for name, reader in _READERS.items():
        own = tuple(block for block in blocks if _language(block, language) == name)
        aside = _in_passing(answer, blocks, name)
        mentions = [*reader(own), *(m for m in reader(aside) if m.kind == "install")]
        once = {(m.kind, m.name, m.version): m for m in reversed(mentions)}
        findings += judged(once.values(), language=name, index=index)
    ordered = tuple(sorted(findings, key=lambda item: (item.start, item.kind, item.name)))
    return CodeReading(
        findings=ordered, blocks=len(blocks), unread=unread, verdict=_verdict(ordered, len(blocks))
    )


def wanted(
    answer: str, *, language: str = "", surfaces: PythonSurfaces | None = None
) -> tuple[tuple[Ecosystem, str], ...]:
    """Return the packages that a registry would have to be asked about before an answer can be checked.

    Args:
        answer, language, surfaces: as for `check_answer`.
    """
    asked = _Asked()
    check_answer(answer, language=language, surfaces=surfaces, index=asked)
    return tuple(sorted(asked.names))


def _in_passing(answer: str, blocks: tuple[Block, ...], language: str) -> tuple[Block, ...]:
    """Return the installs of a language outside its own blocks: in a sentence (`install.packages("x")`), by `Rscript -e`."""
    signs = _IN_PASSING[language]
    pieces = [(start, text) for start, text in inline_code(answer, blocks) if signs.search(text)]
    for block in blocks if language == "r" else ():
        lines = zip(block.code.split("\n"), block.lines, strict=True)
        for line, start in lines if block.language in _COMMANDS else ():
            pieces += [(start + m.start(2), m[2]) for m in _BY_SHELL.finditer(line[:2_000])]
    return tuple(Block(language=language, code=text, start=start, lines=(start,)) for start, text in pieces)


class _Asked:
    """An index that knows nothing and remembers what it was asked."""

    def __init__(self) -> None:
        self.names: set[tuple[Ecosystem, str]] = set()

    def look(self, ecosystem: Ecosystem, name: str) -> None:
        self.names.add((ecosystem, name))


def _language(block: Block, assumed: str) -> str:
    if block.language:
        return block.language
    name = block.file or ""
    for ending, language in (
        (".py", "python"),
        (".exs", "elixir"),
        (".ex", "elixir"),
        (".scala", "scala"),
        (".sbt", "scala"),
        (".R", "r"),
    ):
        if name.endswith(ending):
            return language
    if assumed.lower() == "python" or not assumed:
        parsed = parse_snippet(block.code)
        plain = parsed.tree is not None and not parsed.reason
        if (
            plain
            and ("import " in block.code or "(" in block.code)
            and not list(installs_of(block, every_line=True))
        ):
            return "python"
        return ""
    return "" if list(installs_of(block, every_line=True)) else assumed.lower()


def _installs(answer: str, blocks: tuple[Block, ...]) -> list[Install]:
    found: dict[tuple[str, str, str], Install] = {}
    listed = [i for block in blocks for i in installs_of(block, every_line=block.language in _COMMANDS)]
    inline = [
        i
        for start, text in inline_code(answer, blocks)
        for i in installs_in_line(text, range(start, start + len(text)))
    ]
    for install in sorted([*listed, *inline], key=lambda each: each.start):
        found.setdefault((install.ecosystem, install.name, install.version), install)
    return list(found.values())


def _judged_installs(installs: list[Install], surfaces: PythonSurfaces, index: PackageIndex) -> list[Finding]:
    mentions = []
    for install in installs:
        known = (
            _at_hand(install, surfaces)
            if install.ecosystem == "pypi" and index.look("pypi", install.name) is None
            else ""
        )
        mentions.append(
            Mention(
                "install",
                install.name,
                install.start,
                (install.ecosystem,),
                version=install.version,
                known=known,
                unknown=install.reason,
            )
        )
    return judged(mentions, language="shell", index=index)


def _at_hand(install: Install, surfaces: PythonSurfaces) -> str:
    """Say that a distribution is installed here, in the version asked for where one is; "" where that isn't known."""
    from percuss.protocols.citations.code.python.packages import Packages

    installed = Packages(surfaces.sources, NoIndex()).installed_version(install.name)
    if installed is None:
        return ""
    asked = asked_exactly(install.version)
    if install.version and (asked is None or asked != installed):
        return ""
    return f"version {installed} is installed here"


def _verdict(findings: tuple[Finding, ...], blocks: int) -> Verdict:
    if any(finding.status == "nonexistent" for finding in findings):
        return "hallucinated"
    if any(finding.status == "ok" for finding in findings):
        return "clean"
    return "unscored" if blocks or findings else "no_code"
