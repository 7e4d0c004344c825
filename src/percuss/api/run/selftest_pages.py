"""The self-test as a page and a figure, so that each version publishes its own."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from percuss.api.run.selftesting import Selftest
from percuss.selftest.counts import CoverageSetting
from percuss.selftest.planted import PlantedRow

__all__ = ["write_pages"]

WIDTH, LEFT, ROW, TOP = 760, 330, 20, 44
_LONGEST = 52  # letters of a name in one line
_INDEX = "hdi_pooled"
_INK, _DOT, _LINE, _RULE = "#1F2328", "#0072B2", "#D55E00", "#d0d7de"


def write_pages(found: Selftest, folder: Path) -> tuple[Path, ...]:
    """Write `selftest-PROTOCOL.md` and `selftest-PROTOCOL.svg`.

    Args:
        found: what was planted and measured.
        folder: made where it does not exist.
    """
    folder.mkdir(parents=True, exist_ok=True)
    page, figure = (folder / f"selftest-{found.protocol}.{ending}" for ending in ("md", "svg"))
    page.write_text("\n".join(_page(found, figure.name)) + "\n", encoding="utf-8")
    figure.write_text("\n".join(_figure(_drawn(found))) + "\n", encoding="utf-8")
    return page, figure


def _drawn(found: Selftest) -> list[PlantedRow]:
    """Return the rows of the picture: the index where one was planted, else what was planted first."""
    names = [row.estimate for row in found.rows]
    shown = _INDEX if _INDEX in names else next(iter(names), "")
    return [row for row in found.rows if row.estimate == shown]


def _shown(rows: list[PlantedRow]) -> str:
    name = rows[0].estimate if rows else _INDEX
    return "HDI" if name == _INDEX else name.replace("_", " ")


def _page(found: Selftest, figure: str) -> Iterator[str]:
    yield f"# Self-test of `{found.protocol}`, version {found.version}\n"
    yield f"Made by `percuss selftest {found.protocol} --seed {found.seed} --out docs`. Every number on this page is simulated.\n"
    if found.traps:
        yield from _traps(found)
    if found.counts is not None:
        yield from _counts(found)
    yield "## Runs on phantoms: planted against measured\n"
    yield f"{found.misses} of {found.intervals} intervals miss the planted value; chance allows {found.allowed}.\n"
    what = _shown(_drawn(found))
    yield f"![Planted {what} (line) and measured {what} with its 95% interval (dot, whisker) of each phantom; all simulated.]({figure})\n"
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
    height, what = TOP + ROW * len(rows) + 46, _shown(rows)
    ends = [x for row in rows for x in (row.planted, row.measured, row.low) if x is not None]
    axis = _Axis(-1.0 if min(ends, default=0.0) < 0 else 0.0)
    arms = len({row.arm for row in rows}) > 1
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="11" role="img">'
    yield f"<title>Planted against measured {what} of simulated models</title>"
    yield f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>'
    yield f'<text x="{LEFT}" y="16" fill="{_INK}" font-size="13">Planted and measured {what} of simulated models</text>'
    yield f'<text x="{LEFT}" y="32" fill="{_INK}">line: planted; dot and whisker: measured, 95% interval; hollow: no interval</text>'
    bottom = height - 36
    for tick in axis.ticks:
        x = axis.place(tick)
        yield f'<line x1="{x}" x2="{x}" y1="{TOP}" y2="{bottom}" stroke="{_RULE}"/>'
        yield f'<text x="{x}" y="{bottom + 14}" text-anchor="middle" fill="{_INK}">{tick:g}</text>'
    for at, row in enumerate(rows):
        yield from _figure_row(row, TOP + 12 + ROW * at, axis, arms=arms)
    yield f'<text x="{(LEFT + WIDTH) / 2}" y="{height - 6}" text-anchor="middle" fill="{_INK}">{what}; every model here is simulated</text>'
    yield "</svg>"


def _figure_row(row: PlantedRow, y: int, axis: "_Axis", *, arms: bool) -> Iterator[str]:
    yield from _name(row, y, arms=arms)
    whisker = row.low is not None and row.high is not None
    if row.low is not None and row.high is not None:
        low, high = axis.place(row.low), axis.place(row.high)
        yield f'<line x1="{low}" x2="{high}" y1="{y}" y2="{y}" stroke="{_INK}" stroke-width="2"/>'
        if row.low < axis.low:
            yield f'<text x="{low - 2}" y="{y + 4}" text-anchor="end" fill="{_INK}">to {row.low:.2f}</text>'
    planted = axis.place(row.planted)
    yield f'<line x1="{planted}" x2="{planted}" y1="{y - 7}" y2="{y + 7}" stroke="{_LINE}" stroke-width="2"/>'
    if row.measured is not None:
        fill = _DOT if whisker else "#fff"
        yield f'<circle cx="{axis.place(row.measured)}" cy="{y}" r="4" fill="{fill}" stroke="{_DOT}" stroke-width="1.5"/>'


def _name(row: PlantedRow, y: int, *, arms: bool) -> Iterator[str]:
    """Yield the model's name, in two lines where it is long."""
    name = f"{row.model}{f' · {row.arm}' if arms else ''}{' (missed)' if row.holds is False else ''}"
    lines = [(name, y + 4, 11)]
    if len(name) > _LONGEST:
        head, mark, rest = name.partition("?")
        lines = [(head, y - 2, 9), (f"{mark}{rest}", y + 7, 8)]
    weight = ' font-weight="bold"' if row.holds is False else ""
    for text, at, size in lines:
        yield f'<text x="{LEFT - 10}" y="{at}" text-anchor="end" fill="{_INK}" font-size="{size}"{weight}>{_escaped(text)}</text>'


class _Axis(NamedTuple):
    """From `low` to 1, across the picture."""

    low: float

    @property
    def ticks(self) -> tuple[float, ...]:
        return (-1.0, -0.5, 0.0, 0.5, 1.0) if self.low < 0 else (0.0, 0.25, 0.5, 0.75, 1.0)

    def place(self, value: float) -> float:
        clipped = min(1.0, max(self.low, value))
        return round(LEFT + 46 + (clipped - self.low) / (1 - self.low) * (WIDTH - LEFT - 70), 1)


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")
