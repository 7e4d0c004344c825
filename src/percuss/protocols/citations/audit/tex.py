r"""LaTeX: \cite commands of a file and of those that it includes, and the entries of the .bib or .bbl beside it or inside it."""

import re
from collections.abc import Sequence
from pathlib import Path

from percuss.core.errors import BadInput
from percuss.protocols.citations.audit.document import Document, Use
from percuss.protocols.citations.audit.tex_parts import whole
from percuss.protocols.citations.references.bibtex import plain, read_bibtex
from percuss.protocols.citations.references.record import Reference
from percuss.protocols.citations.references.strings import parse, relabelled

__all__ = ["read_bbl", "read_tex"]

_CITE = re.compile(
    r"\\(?:[a-zA-Z]{0,12}cite[a-zA-Z]{0,12}|nocite)\*?(?:\[[^\]]{0,200}\]){0,2}\{([^{}]{1,2000})\}"
)
_FILES = re.compile(r"\\(?:bibliography|addbibresource(?:\[[^\]]*\])?)\{([^{}]{1,500})\}")
_ITEM = re.compile(
    r"\\bibitem\s*(?:\[(?:[^\[\]{}]|\{[^{}]*\}|\{(?:[^{}]|\{[^{}]*\})*\}){0,400}\])?\s*\{([^{}]{1,200})\}"
)
_LARGEST = 64 << 20


def read_tex(path: Path, text: str, given: Sequence[Path]) -> tuple[Document, set[Path]]:
    """Read a .tex file with its references.

    Args:
        path, text: of the file. given: other files of the call: a .bib or .bbl among them is taken first.

    Returns:
        the document, and the given files that were used for it.
    """
    bare, included, missing = whole(path, text)
    used = included & {each.resolve() for each in given}
    used = {each for each in given if each.resolve() in used}
    references: list[Reference] = list(read_bbl(bare)) if "\\bibitem" in bare else []
    for file in _files(path, bare, given):
        if file.stat().st_size > _LARGEST:
            raise BadInput("is too large for a bibliography", source=str(file))
        content = file.read_text(encoding="utf-8", errors="replace")
        references += read_bbl(content) if file.suffix == ".bbl" else read_bibtex(content, file.name)
        used |= {file} & set(given)
    keys = {reference.key for reference in references}
    uses, dangling = [], []
    for match in _CITE.finditer(bare):
        names = tuple(name.strip() for name in match[1].split(",") if name.strip())
        if names == ("*",):
            uses.append(Use(start=match.start(), stop=match.end(), keys=tuple(keys), written="\\nocite{*}"))
            continue
        held = tuple(name for name in names if name in keys)
        uses.append(Use(start=match.start(), stop=match.end(), keys=held, written=match[0]))
        dangling += [name for name in names if name not in keys]
    problem = (
        ""
        if references or not uses
        else "no bibliography: neither a .bib nor a .bbl is beside it, and it has no \\bibitem"
    )
    return Document(
        name=path.name, text=bare, references=tuple(references), uses=tuple(uses),
        dangling=tuple(dict.fromkeys(dangling)) if references else (), problem=problem, missing=missing,
    ), used  # fmt: skip


def _files(path: Path, text: str, given: Sequence[Path]) -> list[Path]:
    beside = [each for each in given if each.suffix.lower() in {".bib", ".bbl"}]
    named = [name.strip() for match in _FILES.finditer(text) for name in match[1].split(",")]
    wanted = {Path(name).name if name.endswith(".bib") else f"{Path(name).name}.bib" for name in named}
    chosen = [each for each in beside if each.name in wanted or each.stem == path.stem]
    if chosen:
        return chosen
    found = [path.parent / name for name in sorted(wanted) if (path.parent / name).is_file()]
    if found:
        return found
    bbl = path.with_suffix(".bbl")
    return [bbl] if bbl.is_file() and "\\bibitem" not in text else beside


def read_bbl(text: str) -> tuple[Reference, ...]:
    r"""Read the \bibitem entries of a .bbl or of a thebibliography."""
    items = list(_ITEM.finditer(text))
    end = text.find("\\end{thebibliography}")
    stops = [*[item.start() for item in items[1:]], end if end > 0 else len(text)][: len(items)]
    made = []
    for item, stop in zip(items, stops, strict=True):
        body = re.sub(r"\\newblock\b", " ", text[item.end() : max(stop, item.end())])
        body = re.sub(r"\\(?:url|href|doi|path)\s*\{([^{}]*)\}", r" \1 ", body)
        body = re.sub(
            r"\\(?:emph|textit|textbf|textsc|em|it|bf|sc|rm|bibinfo\{[^{}]*\}|bibnamefont|bibfnamefont|natexlab)\b",
            " ",
            body,
        )
        made.append(relabelled(parse(plain(body)), item[1], item.start(), stop))
    return tuple(made)
