"""Regions of pictures from a COCO file: boxes in pixels, by the name of the picture's file and of the region."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from percuss.core.errors import BadInput
from percuss.protocols.explanation.cases.study import Study
from percuss.protocols.explanation.images.image_edits import Box
from percuss.protocols.explanation.regions import REGIONS, around, region_called

__all__ = ["coco_regions", "with_regions"]


class _Image(msgspec.Struct):
    id: int | str
    file_name: str
    width: float
    height: float


class _Category(msgspec.Struct):
    id: int
    name: str


class _Annotation(msgspec.Struct):
    image_id: int | str
    category_id: int
    bbox: tuple[float, float, float, float]


class _Coco(msgspec.Struct):
    images: list[_Image]
    annotations: list[_Annotation]
    categories: list[_Category]


def coco_regions(path: Path) -> dict[str, dict[str, Box]]:
    """Return picture -> region -> box in fractions; several boxes of one region become the box around them all.

    Args:
        path: COCO JSON (`images`, `annotations` with `bbox` x, y, width, height in pixels, `categories` named like the regions).

    Raises:
        BadInput: another layout, a category that is no region, a box off its picture, or two pictures of one name.
    """
    try:
        held = msgspec.json.decode(path.read_bytes(), type=_Coco)
    except (msgspec.DecodeError, msgspec.ValidationError, OSError) as error:
        raise BadInput(
            f"no COCO file of boxes ({error}); expected images, annotations and categories", source=path.name
        ) from error
    names = {each.id: _region(each.name, path) for each in held.categories}
    images = {each.id: each for each in held.images}
    found: dict[str, dict[str, Box]] = {}
    for image in held.images:
        if image.file_name in found:
            raise BadInput(
                f"two pictures are called {image.file_name!r}; names have to differ", source=path.name
            )
        found[image.file_name] = {}
    for number, each in enumerate(held.annotations, start=1):
        picture, region = images.get(each.image_id), names.get(each.category_id)
        if picture is None or region is None:
            what = f"picture {each.image_id!r}" if picture is None else f"category {each.category_id}"
            raise BadInput(
                f"annotation {number} is of {what}, which the file does not hold", source=path.name
            )
        regions = found[picture.file_name]
        box = _fractions(each.bbox, picture, number, path)
        regions[region] = around(regions[region], box) if region in regions else box
    return found


def _region(name: str, path: Path) -> str:
    found = region_called(name)
    if found is None:
        raise BadInput(f"the category {name!r} is no region; expected {', '.join(REGIONS)}", source=path.name)
    return found


def _fractions(bbox: tuple[float, float, float, float], picture: _Image, number: int, path: Path) -> Box:
    x, y, w, h = bbox
    if w <= 0 or h <= 0 or x < 0 or y < 0 or x + w > picture.width or y + h > picture.height:
        raise BadInput(
            f"the box of annotation {number} is {list(bbox)}; expected x, y, width, height within {picture.width:g} x {picture.height:g}",
            source=path.name,
        )
    return x / picture.width, y / picture.height, (x + w) / picture.width, (y + h) / picture.height


def with_regions(studies: Iterable[Study], path: Path) -> Iterator[Study]:
    """Yield pictures with the regions of a COCO file laid over their own.

    Args:
        studies: joined by id: the file's name, its last part, or that without its ending. path: of the COCO file.

    Raises:
        BadInput: as `coco_regions`; after the last picture, if none was joined.
    """
    held = coco_regions(path)
    by_name: dict[str, Mapping[str, Any]] = {}
    for name, regions in held.items():
        for key in (name, Path(name).name, Path(name).stem):
            by_name.setdefault(key, regions)
    joined = 0
    for study in studies:
        own = next(
            (by_name[key] for key in (study.id, Path(study.id).name, Path(study.id).stem) if key in by_name),
            None,
        )
        joined += own is not None
        yield study if own is None else replace(study, regions={**study.regions, **own})
    if not joined:
        raise BadInput("none of its pictures is among the cases; file names are compared", source=path.name)
