"""Charts as Vega-Lite 6 specifications, made of dicts, and what each says in words.

What a chart's `options` may hold (data-level settings, all optional):

| option | meaning |
|---|---|
| `domain` | [low, high] of the number's axis |
| `bounds` | [key, key]: worst cases, drawn as a thin line beyond the interval |
| `order` | labels in the order they should stand |
| `stack` | bars: pile the groups of one label up to a whole |
| `connect` | keys of the two numbers of a dumbbell (else `low` and `high`) |
| `quiet` | slope: key of a truth value; rows where it holds are drawn in thin grey (pairs that are not separable) |
| `sham` | curve, bars: a level drawn as a reference line |
| `diverging` | heat: the number is a difference, coloured about 0 |
"""

from percuss.report.charts.spec import alt, drawn_as, to_spec

__all__ = ["alt", "drawn_as", "to_spec"]
