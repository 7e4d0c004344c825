"""The self-test as a page and a figure, so that each version publishes its own."""

from collections.abc import Iterator
from pathlib import Path

from percuss.api.run.selftesting import Selftest
from percuss.selftest.counts import CoverageSetting
from percuss.selftest.planted import PlantedRow

__all__ = ["write_pages"]

WIDTH, LEFT, ROW = 760, 330, 20


def write_pages(found: Selftest, folder: Path) -> tuple[Path, ...]:
    """Write `selftest-PROTOCOL.md` and `selftest-PROTOCOL.svg`.

    Args:
        found: what was planted and measured.
        folder: made where it does not exist.
    """
    folder.mkdir(parents=True, exist_ok=True)
    page, figure = (folder / f"selftest-{found.protocol}.{ending}" for ending in ("md", "svg"))
    rows = [
        row
        for row in found.rows
        if row.estimate == "hdi_pooled" or "hdi" not in {r.estimate for r in found.rows}
    ]
    primary = [row for row in rows if row.estimate == rows[0].estimate] if rows else []
    page.write_text("\n".join(_page(found, figure.name)) + "\n", encoding="utf-8")
    figure.write_text("\n".join(_figure(primary)) + "\n", encoding="utf-8")
    return page, figure


def _page(found: Selftest, figure: str) -> Iterator[str]:
    yield f"# Self-test of `{found.protocol}`, version {found.version}\n"
    yield f"Made by `percuss selftest {found.protocol} --seed {found.seed} --out docs`. Every number on this page is simulated.\n"
    if found.traps:
        yield from _traps(found)
    if found.counts is not None:
        yield from _counts(found)
    yield "## Runs on phantoms: planted against measured\n"
    yield f"{found.misses} of {found.intervals} intervals miss the planted value; chance allows {found.allowed}.\n"
    yield f"![Planted HDI (line) and measured HDI with its 95% interval (dot, whisker) of each phantom; all simulated.]({figure})\n"
    yield "| phantom (simulated) | estimate | arm | planted | measured | 95% interval | holds |"
    yield "|---|---|---|---|---|---|---|"
    for row in found.rows:
        yield _row(row)


def _traps(found: Selftest) -> Iterator[str]:
    caught = sum(trap.caught for trap in found.traps)
    yield "## What games the measure: does the panel say what it must?\n"
    yield (
        f"{caught} of {len(found.traps)} are caught; the self-test fails if one isn't. Each is a run of its own, through asking, "
        "checking, estimates and report.\n"
    )
    yield "| simulated | what it does | what the panel must say | what it says | caught |"
    yield "|---|---|---|---|---|"
    for trap in found.traps:
        cells = (f"`{trap.name}`", trap.does, trap.must, trap.says, "yes" if trap.caught else "**no**")
        yield f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"
    yield ""


def _counts(found: Selftest) -> Iterator[str]:
    counts = found.counts
    assert counts is not None
    lowest = counts.lowest
    yield "## Counts: does the interval hold what was planted?\n"
    yield (
        f"{len(counts.settings)} settings x {counts.settings[0].datasets} data sets, B = {counts.B:,}. Where the rate without "
        f"evidence is at least .10, {100 * counts.pooled:.1f}% of 95% intervals hold the planted HDI (held to 93-97%). "
        f"Lowest setting: {100 * lowest.share:.1f}% (held to 87%). Largest bias of pooled HDI there: {counts.largest_bias:.4f} "
        "(held to .02; settings where the evidence helps). Every setting expects at least 10 unsupported claims with evidence; "
        "below that read the MOVER interval that stands beside the bootstrap's ([intervals](intervals.md)).\n"
    )
    yield "| rate without evidence | settings | coverage | lowest | mean width | intervals undefined |"
    yield "|---|---|---|---|---|---|"
    for u_b in sorted({row.u_b for row in counts.settings}):
        yield _rate_row(u_b, [row for row in counts.settings if row.u_b == u_b])
    yield ""


def _rate_row(u_b: float, rows: list[CoverageSetting]) -> str:
    covered, defined = sum(r.covered for r in rows), sum(r.defined for r in rows)
    undefined = sum(r.undefined for r in rows)
    width = sum(r.width for r in rows) / len(rows)
    low = min(r.share for r in rows)
    return f"| {u_b:g} | {len(rows)} | {100 * covered / max(1, defined):.1f}% | {100 * low:.1f}% | {width:.2f} | {undefined} |"


def _row(row: PlantedRow) -> str:
    if row.measured is None:
        return f"| `{row.model}` | {row.estimate} | {row.arm} | {row.planted:.3f} | undefined ({row.undefined}) | | |"
    span = "no interval" if row.low is None or row.high is None else f"[{row.low:.3f}, {row.high:.3f}]"
    holds = "" if row.holds is None else "yes" if row.holds else "no"
    return f"| `{row.model}` | {row.estimate} | {row.arm} | {row.planted:.3f} | {row.measured:.3f} | {span} | {holds} |"


def _figure(rows: list[PlantedRow]) -> Iterator[str]:
    """Yield an SVG: a row a phantom, the planted value a line, the measured one a dot with its interval."""
    height = ROW * len(rows) + 60
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="11" role="img">'
    yield "<title>Planted against measured HDI of simulated models</title>"
    yield '<defs><pattern id="h" width="6" height="6" patternTransform="rotate(45)" patternUnits="userSpaceOnUse">'
    yield '<rect width="6" height="6" fill="#fff"/><line x1="0" y1="0" x2="0" y2="6" stroke="#d0d7de" stroke-width="2"/></pattern></defs>'
    yield f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>'
    yield f'<rect x="{LEFT}" y="14" width="{WIDTH - LEFT - 20}" height="{height - 50}" fill="url(#h)"/>'
    for at, row in enumerate(rows):
        y = 26 + ROW * at
        yield f'<text x="{LEFT - 10}" y="{y + 4}" text-anchor="end" fill="#1F2328">{_escaped(row.model)}</text>'
        if row.low is not None and row.high is not None:
            yield f'<line x1="{_x(row.low)}" x2="{_x(row.high)}" y1="{y}" y2="{y}" stroke="#1F2328" stroke-width="2"/>'
        if row.measured is not None:
            yield f'<circle cx="{_x(row.measured)}" cy="{y}" r="4" fill="#0072B2"/>'
        yield f'<line x1="{_x(row.planted)}" x2="{_x(row.planted)}" y1="{y - 7}" y2="{y + 7}" stroke="#D55E00" stroke-width="2"/>'
    for tick in (-1.0, -0.5, 0.0, 0.5, 1.0):
        yield f'<text x="{_x(tick)}" y="{height - 20}" text-anchor="middle" fill="#1F2328">{tick:g}</text>'
    yield f'<text x="{(LEFT + WIDTH) / 2}" y="{height - 4}" text-anchor="middle" fill="#1F2328">HDI: planted (line), measured (dot); simulated</text>'
    yield "</svg>"


def _x(value: float) -> float:
    clipped = min(1.0, max(-1.0, value))
    return round(LEFT + 10 + (clipped + 1) / 2 * (WIDTH - LEFT - 40), 1)


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")
