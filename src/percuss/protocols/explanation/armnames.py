"""Arm names: `kind[:part,part ..]`, alignment first (`vb_bb:misleading,thickness=8`, `tb_rad:aligned,framing=grounded`).

A name is an arm's identity, so equal arms have equal names: parts stand in a fixed order and defaults are left out.
"""

from collections.abc import Iterable
from typing import Literal

from percuss.core.errors import UsageError
from percuss.core.strict import Record
from percuss.protocols.explanation.images.image_edits import BOX_PX, OPACITY

__all__ = [
    "BIASED",
    "KINDS",
    "PLACEBO",
    "PLACEBOS",
    "TABLE_CELLS",
    "Alignment",
    "ArmName",
    "joined",
    "parse_arm",
]

Alignment = Literal["aligned", "misleading"]

#: Every kind of arm, in the order of a report.
KINDS = (
    "none", "repeat", "sham", "sham_text", "sham_bb", "sham_hm", "sham_vo", "blank",
    "tb_rad", "tb_la", "vb_bb", "vb_hm", "vh_bb", "vh_hm", "vo_bb",
)  # fmt: skip
#: Arms that point at an answer and come in two alignments.
BIASED = ("tb_rad", "tb_la", "vb_bb", "vb_hm")
#: Arms that nothing moves on purpose: the same again, equal pixels, a neutral sentence, a mark on an irrelevant place.
PLACEBOS = ("repeat", "sham", "sham_text", "sham_bb", "sham_hm", "sham_vo")
#: The one placebo of each cue, fixed before a run: a neutral sentence for words, for marks and covers the same form on an
#: irrelevant place (definitions/explanation, version 2).
PLACEBO = {
    "tb_rad": "sham_text", "tb_la": "sham_text", "vb_bb": "sham_bb", "vb_hm": "sham_hm", "vh_bb": "sham_bb",
    "vh_hm": "sham_hm", "vo_bb": "sham_vo",
}  # fmt: skip
#: The eleven cells of papers/1 Table 1 and Figure 4.
TABLE_CELLS = (
    *(f"{kind}:{side}" for kind in BIASED for side in ("aligned", "misleading")),
    "vh_bb",
    "vh_hm",
    "vo_bb",
)
_FRAMINGS = ("base", "grounded", "external_influence")


class ArmName(Record):
    """An arm's name taken apart."""

    kind: str
    alignment: Alignment | None = None
    thickness: int = BOX_PX
    opacity: float = OPACITY
    framing: str = "base"

    def __str__(self) -> str:
        parts: list[str] = [] if self.alignment is None else [self.alignment]
        if self.thickness != BOX_PX:
            parts.append(f"thickness={self.thickness}")
        if self.opacity != OPACITY:
            parts.append(f"opacity={self.opacity:g}")
        if self.framing != "base":
            parts.append(f"framing={self.framing}")
        return self.kind + (":" + ",".join(parts) if parts else "")

    @property
    def baseline(self) -> str:
        """Name of the unmodified arm that this one is compared with: the one of the same framing."""
        return str(ArmName(kind="none", framing=self.framing))

    @property
    def placebo(self) -> str | None:
        """Name of this arm's placebo, or None."""
        kind = PLACEBO.get(self.kind)
        return None if kind is None else str(ArmName(kind=kind, framing=self.framing))

    @property
    def repetition(self) -> str:
        """Name of the arm that asks the unmodified pose once more."""
        return str(ArmName(kind="repeat", framing=self.framing))

    @property
    def plain(self) -> str:
        """The name without sweep and framing: a cell of Table 1."""
        return str(ArmName(kind=self.kind, alignment=self.alignment))


def parse_arm(name: str) -> ArmName:
    """Return the parts of an arm's name.

    Args:
        name: as a user or `str(ArmName)` writes it.

    Raises:
        UsageError: an unknown kind or part, a part that does not fit the kind, or an alignment missing or too many.

    >>> str(parse_arm("vb_bb:misleading,thickness=8"))
    'vb_bb:misleading,thickness=8'
    """
    kind, _, rest = name.partition(":")
    if kind not in KINDS:
        raise UsageError(
            f"got the arm {name!r}; expected one of {', '.join(KINDS)}, with parts after a colon"
        )
    values: dict[str, object] = {"kind": kind}
    for part in rest.split(",") if rest else ():
        key, value = _part(part, name)
        values[key] = value
    fits = {"thickness": kind.endswith("_bb") and kind != "vo_bb", "opacity": kind.endswith("_hm")}
    for key, fit in fits.items():
        if key in values and not fit:
            raise UsageError(f"got the arm {name!r}; {kind} has no {key}")
    if (kind in BIASED) != ("alignment" in values):
        need = "needs `aligned` or `misleading`" if kind in BIASED else "takes no alignment"
        raise UsageError(f"got the arm {name!r}; {kind} {need}")
    return ArmName(**values)  # type: ignore[arg-type]


def joined(pieces: Iterable[str]) -> list[str]:
    """Join what a comma took apart: a piece without a kind belongs to the arm before it.

    >>> joined(["vb_bb:misleading", "thickness=8", "vh_bb"])
    ['vb_bb:misleading,thickness=8', 'vh_bb']
    """
    out: list[str] = []
    for piece in pieces:
        if out and piece.partition(":")[0] not in KINDS:
            out[-1] += f",{piece}"
        else:
            out.append(piece)
    return out


def _part(part: str, name: str) -> tuple[str, object]:
    key, _, value = part.partition("=")
    if part in {"aligned", "misleading"}:
        return "alignment", part
    if key == "framing" and value in _FRAMINGS:
        return key, value
    try:
        if key == "thickness" and 1 <= int(value) <= 256:
            return key, int(value)
        if key == "opacity" and 0 < float(value) <= 1:
            return key, float(value)
    except ValueError:
        pass
    raise UsageError(
        f"got the arm {name!r}; expected parts aligned | misleading, thickness=1..256, opacity=0..1, "
        f"framing={' | '.join(_FRAMINGS)}"
    )
