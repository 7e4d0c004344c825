"""DICOM radiographs: pixels through the file's own window, everything else of the header left behind."""

import io
from typing import Any

import numpy as np

from percuss.core.errors import BadInput
from percuss.protocols.explanation.cases.images import MAX_SIDE, MIN_SIDE
from percuss.protocols.explanation.images.image_edits import Pixels, normalise

__all__ = ["is_dicom", "radiograph"]

_MAGIC_AT, _MAGIC = 128, b"DICM"


def is_dicom(data: bytes, name: str = "") -> bool:
    """Tell whether bytes are a DICOM file, by its magic word or its name."""
    return data[_MAGIC_AT : _MAGIC_AT + 4] == _MAGIC or name.lower().endswith((".dcm", ".dicom"))


def radiograph(data: bytes, source: str, *, line: int | None = None) -> tuple[Pixels, dict[str, Any]]:
    """Return the picture of a DICOM file and how it was made of the stored values.

    Args:
        data: the file.
        source, line: named in errors.

    Returns:
        Shape (height, width), uint8, min-max normalised after the window; and `window` (centre, width or None) with
        `photometric`. Nothing else of the header is kept: no name, date, id or private tag.

    Raises:
        BadInput: not DICOM, without pixels, several frames, colour, or a transfer syntax that cannot be decoded.
    """
    import pydicom
    from pydicom.errors import InvalidDicomError

    try:
        dataset = pydicom.dcmread(io.BytesIO(data), force=not is_dicom(data))
    except (InvalidDicomError, OSError, ValueError, KeyError, EOFError) as error:
        raise BadInput(
            f"not a DICOM file ({error}); expected a radiograph", source=source, line=line
        ) from error
    problem = _problem(dataset)
    if problem:
        raise BadInput(f"{problem}; expected one grey radiograph", source=source, line=line)
    try:
        stored = dataset.pixel_array
    except Exception as error:
        raise BadInput(
            f"the DICOM pixels cannot be decoded ({type(error).__name__}: {error}); store it uncompressed",
            source=source,
            line=line,
        ) from error
    return _windowed(dataset, np.asarray(stored))


def _problem(dataset: Any) -> str | None:
    if "PixelData" not in dataset:
        return "the DICOM file holds no pixels"
    if int(getattr(dataset, "NumberOfFrames", 1) or 1) > 1:
        return f"the DICOM file holds {dataset.NumberOfFrames} frames"
    if int(getattr(dataset, "SamplesPerPixel", 1)) != 1:
        return "the DICOM file is a colour picture"
    sides = (int(getattr(dataset, "Rows", 0)), int(getattr(dataset, "Columns", 0)))
    if max(sides) > MAX_SIDE or min(sides) < MIN_SIDE:
        return (
            f"the DICOM picture is {sides[1]} x {sides[0]} pixels; expected {MIN_SIDE} to {MAX_SIDE} a side"
        )
    return None


def _windowed(dataset: Any, stored: Any) -> tuple[Pixels, dict[str, Any]]:
    from pydicom.pixels import apply_modality_lut, apply_voi_lut

    values = np.asarray(apply_voi_lut(apply_modality_lut(stored, dataset), dataset, index=0), np.float32)
    photometric = str(getattr(dataset, "PhotometricInterpretation", "MONOCHROME2"))
    if photometric == "MONOCHROME1":
        values = values.max() - values
    centre, width = (_first(dataset, name) for name in ("WindowCenter", "WindowWidth"))
    return normalise(values), {"window": {"centre": centre, "width": width}, "photometric": photometric}


def _first(dataset: Any, name: str) -> float | None:
    value = getattr(dataset, name, None)
    if value is None or value == "":
        return None
    return float(value[0] if isinstance(value, (list, tuple)) or hasattr(value, "__iter__") else value)
