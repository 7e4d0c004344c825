"""Every colour of a report, light and dark. Colour is never alone: a letter, an underline or a shape says the same.

Measured by the tests: text 4.5:1, marks or their outline 3:1, and verdict marks at OKLab distance >= 0.07 under
simulated protanopia, deuteranopia and tritanopia.
"""

from dataclasses import dataclass

__all__ = ["DARK", "DIVERGING", "HATCH", "LETTERS", "LIGHT", "VERDICTS", "Theme", "contrast", "css_variables"]

# letter and line of each verdict in the reader (colour is never alone)
LETTERS = {"supported": "S", "partial": "P", "unsupported": "U", "unknown": "?", "not_scored": "-"}
VERDICTS = tuple(LETTERS)
HATCH = "url(#percuss-hatch)"
# of a difference: below zero, zero, above; all light enough for dark text
DIVERGING = ("#62A2D4", "#B5D3EB", "#F4F5F7", "#F6CFA6", "#EFA55C")


@dataclass(frozen=True)
class Theme:
    """Colours of one theme, as `#RRGGBB`.

    `marks` and `tints` by verdict; `ramp` one hue, weak to strong; `below`, `above` the two ends of a difference.
    """

    paper: str
    raised: str
    ink: str
    soft: str
    line: str
    rule: str
    accent: str
    caution: str
    outline: str
    marks: dict[str, str]
    tints: dict[str, str]
    ramp: tuple[str, ...]
    below: str
    above: str


LIGHT = Theme(
    paper="#FFFFFF",
    raised="#F6F7F9",
    ink="#1F2328",
    soft="#57606A",
    line="#D0D7DE",
    rule="#6E7781",
    accent="#0B5CAD",
    caution="#9A6700",
    outline="#1F2328",
    marks={
        "supported": "#0072B2",
        "partial": "#E69F00",
        "unsupported": "#D55E00",
        "unknown": "#6B7280",
        "not_scored": "#CC79A7",
    },
    tints={
        "supported": "#DCEBF7",
        "partial": "#FBEBC8",
        "unsupported": "#FBDDCF",
        "unknown": "#E5E7EB",
        "not_scored": "#F3E1EC",
    },
    ramp=("#EFF5FB", "#D6E6F4", "#B5D3EB", "#8DBBE0", "#62A2D4"),
    below="#14619F",
    above="#B8560B",
)

DARK = Theme(
    paper="#0F1318",
    raised="#181E25",
    ink="#E6EDF3",
    soft="#A9B4C0",
    line="#313A44",
    rule="#7D8894",
    accent="#7CB8F5",
    caution="#E3B341",
    outline="#E6EDF3",
    marks={
        "supported": "#2F8FD6",
        "partial": "#FFD166",
        "unsupported": "#F0763A",
        "unknown": "#757F8B",
        "not_scored": "#E39AC6",
    },
    tints={
        "supported": "#12324A",
        "partial": "#43350F",
        "unsupported": "#4A2412",
        "unknown": "#2B323B",
        "not_scored": "#43283A",
    },
    ramp=LIGHT.ramp,
    below="#6FB0E8",
    above="#F0964A",
)


def _linear(colour: str) -> tuple[float, float, float]:
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return red, green, blue


def _luminance(colour: str) -> float:
    red, green, blue = _linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, 1 to 21 (WCAG 2.2, "contrast ratio")."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def css_variables(theme: Theme) -> str:
    """Return a theme as CSS custom properties."""
    names = (
        "paper",
        "raised",
        "ink",
        "soft",
        "line",
        "rule",
        "accent",
        "caution",
        "outline",
        "below",
        "above",
    )
    rows = [f"--{name}:{getattr(theme, name)}" for name in names]
    rows += [f"--mark-{verdict.replace('_', '-')}:{colour}" for verdict, colour in theme.marks.items()]
    rows += [f"--tint-{verdict.replace('_', '-')}:{colour}" for verdict, colour in theme.tints.items()]
    return ";".join(rows)
