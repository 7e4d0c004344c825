"""Measuring a synthetic film: every field from the pixels of its zone, nothing from file names or metadata.

Tones: clear lung 68 +- 4, ribs +7, noise 3; fluid, heart and plates above 140; devices above 226.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from percuss.protocols.explanation.images.pixels import eroded, smoothed
from percuss.protocols.explanation.phantom.film import Box, Film

__all__ = ["Fields", "measure"]

#: Field -> measured value; None where the zone is hidden.
Fields = dict[str, Any]
Zones = Mapping[str, Box]

_DENSE = 112.0
#: Filled share of the effusion zone, midway between grades.
_FLUID = (0.025, 0.13, 0.34, 0.66)
#: Pixels (of a film 512 wide) above clear lung in the opacity zone, midway between grades.
_PATCHES = (90.0, 640.0, 1500.0, 2650.0)
_PLATES = (60.0, 200.0, 410.0, 760.0)
#: Mean tone of the hilar zone, midway between grades.
_HAZE = (84.0, 99.0, 116.5, 135.0)
#: Half width of the heart as a share of the picture, midway between grades.
_HEART = (0.2016, 0.2268, 0.2562)
_CHEST_SIDE = 512


def measure(film: Film, zones: Zones) -> Fields:
    """Return every field of a film.

    Args:
        film: decoded.
        zones: name -> box in fractions, as told at construction.
    """
    out: Fields = {}
    for side in ("right", "left"):
        for field, probe in _SIDED.items():
            name = f"{field}_{side}"
            zone = zones[name]
            out[name] = None if film.hidden(zone) else probe(film, zone)
    for field, middle in _MIDDLE.items():
        out[field] = middle(film, zones)
    return out


def _grade(value: float, bounds: tuple[float, ...]) -> int:
    return int(np.searchsorted(bounds, value))


def _scale(film: Film) -> float:
    """Return pixels of this film for one pixel of a film 512 wide."""
    height, width = film.grey.shape
    return float(height * width) / _CHEST_SIDE**2


def _share(mask: Any, readable: Any) -> float:
    seen = int(readable.sum())
    found: float = float((mask & readable).sum()) / seen if seen else 0.0
    return found


def _effusion(film: Film, zone: Box) -> int:
    grey, readable = film.part(zone)
    return _grade(_share(grey > _DENSE, readable), _FLUID)


def _opacity(film: Film, zone: Box) -> int:
    grey, readable = film.part(zone)
    # Smoothed over readable pixels alone, so that a tube across the zone leaves no trace.
    weight = smoothed(readable.astype(np.float32))
    smooth = smoothed(np.where(readable, grey, 0).astype(np.float32)) / np.maximum(weight, 0.05)
    return _grade(float(((smooth > 85) & readable).sum()) / _scale(film), _PATCHES)


def _atelectasis(film: Film, zone: Box) -> int:
    grey, readable = film.part(zone)
    return _grade(float(((grey > _DENSE) & readable).sum()) / _scale(film), _PLATES)


def _pneumothorax(film: Film, zone: Box) -> bool:
    grey, readable = film.part(zone)
    return _share(grey < 46, readable) > 0.05


def _tube(film: Film, zone: Box) -> bool:
    return float(film.device[film.cut(zone)].sum()) / _scale(film) > 150


_SIDED: Mapping[str, Callable[[Film, Box], Any]] = {
    "effusion": _effusion,
    "opacity": _opacity,
    "atelectasis": _atelectasis,
    "pneumothorax": _pneumothorax,
    "chest_tube": _tube,
}


def _field(film: Film, zones: Zones) -> str | None:
    boxes = [zones[f"{name}_{side}"] for name in ("apex", "angle") for side in ("right", "left")]
    if all(film.hidden(box) for box in boxes):
        return None
    for name, value in (("apex", "apex_cut"), ("angle", "base_cut")):
        for side in ("right", "left"):
            box = zones[f"{name}_{side}"]
            grey, readable = film.part(box)
            if not film.hidden(box) and readable.any() and float(np.median(grey[readable])) < 30:
                return value
    return "full"


def _rotated(film: Film, zones: Zones) -> bool | None:
    zone = zones["clavicles"]
    if film.hidden(zone):
        return None
    grey, readable = film.part(zone)
    bone = ((grey > 186) & readable).sum(axis=0)
    columns = np.flatnonzero(bone >= max(2, round(0.006 * film.grey.shape[0])))
    middle = (grey.shape[1] - 1) / 2
    right, left = columns[columns < middle], columns[columns > middle]
    if not len(right) or not len(left):
        return True
    gap = abs((middle - right.max()) - (left.min() - middle)) / film.grey.shape[1]
    return bool(gap > 0.026)


def _heart(film: Film, zones: Zones) -> int | None:
    zone = zones["heart"]
    if film.hidden(zone):
        return None
    grey, readable = film.part(zone)
    counts = readable.sum(axis=0)
    tone = np.where(counts > 0, np.where(readable, grey, 0).sum(axis=0) / np.maximum(counts, 1), np.nan)
    known = np.flatnonzero(~np.isnan(tone))
    tone = np.interp(np.arange(len(tone)), known, tone[known])
    dense = tone > _DENSE
    middle = len(dense) // 2
    left, right = middle, middle
    while left > 0 and dense[left - 1]:
        left -= 1
    while right < len(dense) - 1 and dense[right + 1]:
        right += 1
    return _grade((right - left + 1) / 2 / film.grey.shape[1], _HEART)


def _congestion(film: Film, zones: Zones) -> int | None:
    boxes = [zones["congestion_right"], zones["congestion_left"]]
    seen = [box for box in boxes if not film.hidden(box)]
    if not seen:
        return None
    tones = [float(grey[readable].mean()) for grey, readable in map(film.part, seen) if readable.any()]
    return _grade(float(np.mean(tones)), _HAZE) if tones else None


def _nodule(film: Film, zones: Zones) -> bool | None:
    boxes = [zones["nodule_right"], zones["nodule_left"]]
    seen = [box for box in boxes if not film.hidden(box)]
    if not seen:
        return None
    for box in seen:
        grey, readable = film.part(box)
        core = eroded((grey > 140) & readable)
        if int(core.sum()) > 15:
            return True
    return False


def _ett(film: Film, zones: Zones) -> bool | None:
    return None if film.hidden(zones["ett"]) else _tip(film, zones["ett"]) is not None


def _ett_position(film: Film, zones: Zones) -> str | None:
    tip = None if film.hidden(zones["ett"]) else _tip(film, zones["ett"])
    if tip is None:
        return None
    return "too high" if tip < 0.16 else "correctly positioned" if tip < 0.25 else "too low"


def _tip(film: Film, zone: Box) -> float | None:
    """Return how far down a straight device reaches, as a share of the height; None where there is none."""
    rows, columns = film.cut(zone)
    lit = np.flatnonzero(film.device[rows, columns].any(axis=1))
    if len(lit) < 0.02 * film.grey.shape[0]:
        return None
    return float((rows.start + lit.max() + 1) / film.grey.shape[0])


def _cvc(film: Film, zones: Zones) -> bool | None:
    return None if film.hidden(zones["cvc"]) else _tip(film, zones["cvc"]) is not None


def _cvc_position(film: Film, zones: Zones) -> str | None:
    tip = None if film.hidden(zones["cvc"]) else _tip(film, zones["cvc"])
    if tip is None:
        return None
    hook = film.device[film.cut(zones["cvc_hook"])]
    if float(hook.sum()) / _scale(film) > 40:
        return "turned"
    return "too high" if tip < 0.18 else "correctly positioned" if tip < 0.32 else "too low"


def _present(name: str, least: float) -> Callable[[Film, Zones], bool | None]:
    def probe(film: Film, zones: Zones) -> bool | None:
        if film.hidden(zones[name]):
            return None
        return float(film.device[film.cut(zones[name])].mean()) > least

    return probe


_MIDDLE: Mapping[str, Callable[[Film, Zones], Any]] = {
    "field": _field,
    "rotated": _rotated,
    "heart": _heart,
    "congestion": _congestion,
    "nodule": _nodule,
    "ett": _ett,
    "ett_position": _ett_position,
    "gastric_tube": _present("gastric_tube", 0.08),
    "cvc": _cvc,
    "cvc_position": _cvc_position,
    "pacemaker": _present("pacemaker", 0.30),
}
