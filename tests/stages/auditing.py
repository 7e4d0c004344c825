"""Documents with references, records that are held of them, and registries on the loopback: docs/citations.md."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.citing import Web, paper, vancouver, work
from tests.citing_files import bib, body, tex
from tests.stages.playing import Stage
from tests.stages.served import in_a_thread

__all__ = ["citations"]

WORKS = [work(number) for number in range(6)]


@contextmanager
def citations(folder: Path) -> Iterator[Stage]:
    """A paper as PDF and LaTeX, a .bib with one wrong year, the records as they are, an answer that cites two works."""
    refs = [each.record for each in WORKS]
    held = bib(refs)
    wrong = held.replace(f"year = {{{refs[2].year}}}", "year = {1999}")
    assert wrong != held
    entries = [f"{number}. {vancouver(ref)}" for number, ref in enumerate(refs, start=1)]
    (folder / "paper.pdf").write_bytes(paper(body(refs).split("\n\n"), entries))
    (folder / "paper.tex").write_text(tex(refs, "\\bibliography{refs}"), encoding="utf-8")
    (folder / "refs.bib").write_text(wrong, encoding="utf-8")
    (folder / "known.bib").write_text(held, encoding="utf-8")
    cited = "\n\n".join(f"{each.facts[0]} [{n}]" for n, each in enumerate(WORKS[:2], start=1))
    listed = "\n".join(entries[:2])
    (folder / "answer.md").write_text(f"{cited}\n\n## References\n\n{listed}\n", encoding="utf-8")
    with in_a_thread(Web(WORKS)) as web:
        yield Stage(
            environment={**web.environment(), "HOME": str(folder)},
            ends={"percuss citations audit refs.bib": 3},
        )
