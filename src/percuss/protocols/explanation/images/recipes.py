"""How a picture was edited, kept in place of its bytes: a run of films stays small, and each picture is made again.

A recipe names the operation with all its parameters and the digests of what went in and came out, so that the picture
made again is checked (definitions/explanation, version 2, "Pictures").
"""

import struct
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Literal

import msgspec

from percuss.core.errors import BadInput
from percuss.core.records import Blob
from percuss.core.strict import Record
from percuss.protocols.explanation.images import image_edits, pixels, png
from percuss.protocols.explanation.images.image_edits import Box, Pixels

__all__ = ["Operation", "Recipe", "cooked", "made_again", "side_of"]

_PNG = b"\x89PNG\r\n\x1a\n"
Operation = Literal["none", "outline", "heat", "occlude", "blank"]


class Recipe(Record, frozen=True):
    """One edit of a picture.

    Args:
        operation: what is done; `none` encodes the picture anew.
        boxes: where, fractions (x0, y0, x1, y1).
        thickness: of an outline, in pixels. opacity: of a heat map, 0..1. colour: of an outline.
        pad: whether the result is padded to a square. row_filter: of the encoder.
    """

    operation: Operation
    boxes: tuple[Box, ...] = ()
    thickness: int = image_edits.BOX_PX
    opacity: float = image_edits.OPACITY
    colour: str = "red"
    pad: Literal["none", "square"] = "none"
    row_filter: Literal["up", "left"] = "up"


class _Held:
    """A blob as a key of the cache: by digest, so that a lookup costs no hashing of the picture."""

    def __init__(self, blob: Blob) -> None:
        self.blob = blob

    def __hash__(self) -> int:
        return hash(self.blob.digest)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Held) and other.blob.digest == self.blob.digest


def cooked(blob: Blob, recipe: Recipe) -> Blob:
    """Return the edited picture with its recipe.

    Args:
        blob: the unmodified picture. recipe: what is done to it.

    Raises:
        BadInput: the picture cannot be decoded.
    """
    return _cooked(_Held(blob), recipe)


def made_again(blob: Blob, kept: Mapping[str, Any]) -> Blob:
    """Return a picture that a run kept as a recipe, checked against the digest of what was sent.

    Args:
        blob: the unmodified picture of the case. kept: as a response keeps it (`artifacts["recipe"]`).

    Raises:
        BadInput: another picture than the one that the recipe was for, or another one came out.
    """
    given, wanted = str(kept["input"]), str(kept["output"])
    if blob.digest != given:
        raise BadInput(
            f"the recipe is for the picture {given}, got {blob.digest}; give the picture of its case"
        )
    recipe = msgspec.convert({k: v for k, v in kept.items() if k not in {"input", "output"}}, Recipe)
    again = cooked(blob, recipe)
    if again.digest != wanted:
        raise BadInput(
            f"the picture made again is {again.digest}, the one that was sent {wanted}; "
            "another version of the edits made it, so show it with the version of the run"
        )
    return again


def side_of(blob: Blob) -> int:
    """Return the shorter side of a picture in pixels; of a PNG from its header alone."""
    if blob.data[:8] == _PNG:
        width, height = struct.unpack(">II", blob.data[16:24])
        return min(int(width), int(height))
    return int(min(_decoded(_Held(blob)).shape[:2]))


# Cases of one picture come one after another: what several questions share is edited once. Both caches are small and
# bounded, so memory stays flat however many pictures pass.
@lru_cache(maxsize=4)
def _decoded(held: _Held) -> Pixels:
    try:
        return pixels.grey_of(held.blob.data)
    except BadInput as error:
        raise BadInput(f"the case's picture: {error}; check the run folder with `percuss verify`") from None


@lru_cache(maxsize=48)
def _cooked(held: _Held, recipe: Recipe) -> Blob:
    image = _decoded(held)
    if recipe.operation == "blank":
        image = image_edits.blank(image)
    elif recipe.operation == "occlude":
        image = image_edits.occlude(image, recipe.boxes)
    elif recipe.operation == "outline":
        image = image_edits.outline(image, recipe.boxes, thickness=recipe.thickness, colour=recipe.colour)
    elif recipe.operation == "heat":
        image = image_edits.heat(image, recipe.boxes, opacity=recipe.opacity)
    if recipe.pad == "square":
        image = image_edits.pad_square(image)
    blob = Blob.of(png.encode(image, row_filter=recipe.row_filter), png.MEDIA_TYPE)
    said = msgspec.to_builtins(recipe) | {"input": held.blob.digest, "output": blob.digest}
    return msgspec.structs.replace(blob, recipe=said)
