"""An audit of 500 references, the whole command: `python benchmarks/audit.py [--references 500] [--rounds 3]`.

Each format is audited offline by a process of its own, start-up included, in turn with a bare interpreter that imports
bibtexparser and parses the same references with it, which is what reading them costs without any audit. CPU (user and
system) decides, since it doesn't depend on what else runs; seconds on the clock stand beside it. Target: 2 s.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tests.citing import apa, vancouver, work
from tests.citing_files import bib, body, nbib, numbered, ris

BARE = "import bibtexparser, sys; print(len(bibtexparser.parse_string(open(sys.argv[1], encoding='utf-8').read()).entries))"
AUDIT = ["-m", "percuss", "citations", "audit"]


def spent(words: list[str]) -> tuple[float, float]:
    """Return the CPU of a process and its seconds on the clock."""
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run([sys.executable, *words], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return cpu, time.perf_counter() - started


def written(folder: Path, n: int) -> dict[str, list[str]]:
    """Write the references in several formats; return the words of each audit."""
    refs = [work(number).record for number in range(n)]
    texts = {
        "refs.bib": bib(refs),
        "refs.ris": ris(refs),
        "refs.nbib": nbib(refs),
        "numbered.md": f"{body(refs)}\n\n## References\n\n{numbered(refs, vancouver)}\n",
        "apa.txt": "References\n\n" + "\n\n".join(apa(each) for each in refs) + "\n",
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return {
        **{name: [str(folder / name)] for name in texts},
        "refs.bib, a library of as many": [str(folder / "refs.bib"), "--library", str(folder / "refs.bib")],
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--references", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        audits = written(Path(name), given.references)
        bare: list[tuple[float, float]] = []
        took: dict[str, list[tuple[float, float]]] = {each: [] for each in audits}
        for _ in range(given.rounds):
            bare.append(spent(["-c", BARE, str(Path(name) / "refs.bib")]))
            for each, words in audits.items():
                took[each].append(spent([*AUDIT, *words]))
    floor = median(cpu for cpu, _ in bare)
    print(f"{given.references} references; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print(f"bibtexparser alone, start-up included: {floor:.2f} s of CPU")
    for each, rows in took.items():
        cpu, wall = median(row[0] for row in rows), median(row[1] for row in rows)
        print(
            f"{each}: {cpu:.2f} s of CPU ({cpu / floor:.1f} x bibtexparser alone), {wall:.2f} s on the clock"
        )


if __name__ == "__main__":
    main()
