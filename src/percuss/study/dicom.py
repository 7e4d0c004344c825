"""Pictures of more than 8 bits: every grey value is kept, as 16-bit PNG; DICOM is decoded and nothing else of it is kept."""

import io
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from percuss.core.errors import BadInput, RunError
from percuss.core.records import Blob

__all__ = ["Clean", "deep_picture", "read_dicom"]

Floats = NDArray[np.float64]
MAX_DEEP = 64_000_000  # pixels
LEVELS = 65_535  # of a stored value


class Clean(NamedTuple):
    """A picture as a study keeps it.

    Args:
        blob: PNG, 8 bits a channel or 16 bits grey.
        shown: how to show it: depth, value of a stored 0, range, grey window and spacing as recorded; empty for 8 bits.
        warning: what somebody should look at before people see it; empty where nothing is.
    """

    blob: Blob
    shown: dict[str, Any]
    warning: str = ""


def deep_picture(
    values: Floats,
    *,
    window: tuple[float, float] | None = None,
    spacing: tuple[float, float] | None = None,
    warning: str = "",
) -> Clean:
    """Write grey values as 16-bit PNG, whole numbers exactly where they fit.

    Args:
        values: shape (rows, columns), in the modality's unit.
        window: centre and width with which they are shown first. spacing: mm per pixel, down and across.
        warning: passed on.
    """
    from PIL import Image

    low, high = float(values.min()), float(values.max())
    exact = high - low <= LEVELS and bool(np.all(values == np.rint(values)))
    step = 1.0 if exact else max((high - low) / LEVELS, 1e-12)
    stored = np.rint((values - low) / step).astype("<u2")
    out = io.BytesIO()
    Image.fromarray(stored).save(out, format="PNG", compress_level=3)
    shown: dict[str, Any] = {"depth": "16", "low": low, "span": max(high - low, 1.0), "step": step}
    if window is not None and window[1] >= 1:
        shown["window"] = list(window)
    if spacing is not None:
        shown["spacing"] = list(spacing)
    return Clean(Blob.of(out.getvalue(), "image/png"), shown, warning)


def read_dicom(data: bytes, source: str) -> Clean:
    """Decode a DICOM picture: rescale, window and spacing are kept, every other tag is dropped.

    Args:
        data: the file. source: its name, for errors.

    Raises:
        BadInput: not one grey frame, or broken.
        RunError: pydicom is not installed.
    """
    try:
        import pydicom
        from pydicom.pixels import apply_rescale
    except ImportError:
        raise RunError("DICOM pictures need pydicom; pip install 'percuss[vision]'") from None
    try:
        held = pydicom.dcmread(io.BytesIO(data))
        pixels = np.asarray(held.pixel_array)
        grey = pixels.ndim == 2 and pixels.size <= MAX_DEEP and int(held.get("SamplesPerPixel", 1)) == 1
        values: Floats = (
            np.asarray(apply_rescale(pixels, held), dtype=np.float64) if grey else np.empty((0, 0))
        )
        inverted = str(held.get("PhotometricInterpretation", "")) == "MONOCHROME1"
        window = _window(held)
    except Exception as error:  # noqa: BLE001 - a broken file raises anything
        raise BadInput(
            f"not a DICOM picture of one grey frame ({type(error).__name__}: {error})"[:300], source=source
        ) from None
    if not grey:
        raise BadInput(f"a DICOM of shape {pixels.shape}; expected one grey frame", source=source)
    if inverted:  # low values are white there: turned round, as everything else is
        total = float(values.min() + values.max())
        values = total - values
        window = None if window is None else (total - window[0], window[1])
    return deep_picture(values, window=window, spacing=_spacing(held), warning=_warning(held, source))


def _window(held: Any) -> tuple[float, float] | None:
    def first(value: Any) -> float:
        return float(value[0] if hasattr(value, "__len__") and not isinstance(value, str) else value)

    if held.get("WindowCenter") is None or held.get("WindowWidth") is None:
        return None
    return first(held.WindowCenter), first(held.WindowWidth)


def _spacing(held: Any) -> tuple[float, float] | None:
    for name in ("PixelSpacing", "ImagerPixelSpacing"):
        value = held.get(name)
        if value is not None and len(value) == 2 and all(float(one) > 0 for one in value):
            return float(value[0]), float(value[1])
    return None


def _warning(held: Any, source: str) -> str:
    burnt = str(held.get("BurnedInAnnotation", "")).upper()
    if burnt == "NO":
        return ""
    said = (
        "says that words are burnt into the picture"
        if burnt == "YES"
        else "doesn't say whether words are burnt in"
    )
    return f"{source} {said}; look at it before people do"
