"""Pictures of a study: decoded once when the study is made and written anew, so nothing but pixels reaches a browser."""

import io
import warnings

from percuss.core.errors import BadInput
from percuss.core.records import Blob
from percuss.study.dicom import Clean, deep_picture, read_dicom

__all__ = ["MAX_BYTES", "MAX_PIXELS", "MAX_SIDE", "Clean", "clean_picture"]

MAX_BYTES = 40_000_000
MAX_PIXELS = 64_000_000  # a decompression bomb is small on disk and huge in memory
MAX_SIDE = 3000  # pixels of the longer side that a browser gets
FORMATS = ("PNG", "JPEG", "WEBP", "TIFF", "BMP")  # no SVG: it can carry script; no GIF: it can be animated


def clean_picture(data: bytes, source: str) -> Clean:
    """Decode a picture and write it as PNG: no metadata, no trailing bytes, no script.

    Args:
        data: the file's bytes: PNG, JPEG, WebP, TIFF, BMP or DICOM.
        source: name of the file, for errors.

    Raises:
        BadInput: too large, not a picture of a known format, or broken.
    """
    from PIL import Image

    if len(data) > MAX_BYTES:
        raise BadInput(f"a picture of {len(data):,} bytes; at most {MAX_BYTES:,} are read", source=source)
    if data[128:132] == b"DICM":
        return read_dicom(data, source)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(data), formats=FORMATS) as picture:
                size = picture.size
                if size[0] * size[1] <= MAX_PIXELS:
                    return _written(picture)
    except (
        OSError,
        ValueError,
        SyntaxError,
        Image.DecompressionBombError,
        Image.DecompressionBombWarning,
    ) as error:
        raise BadInput(
            f"not a picture that can be read ({type(error).__name__}); give PNG, JPEG, WebP, TIFF or BMP",
            source=source,
        ) from None
    raise BadInput(
        f"a picture of {size[0]} x {size[1]}; at most {MAX_PIXELS:,} pixels are read", source=source
    )


def _written(picture: "object") -> Clean:
    from PIL import Image, ImageOps

    assert isinstance(picture, Image.Image)
    picture.load()
    plain = ImageOps.exif_transpose(picture)
    if plain.mode.startswith(("I", "F")):  # more than 8 bits: all of them are kept
        import numpy as np

        return deep_picture(np.asarray(plain, dtype=np.float64))
    plain = plain.convert("L" if plain.mode in ("1", "L", "LA") else "RGB")
    if max(plain.size) > MAX_SIDE:
        plain.thumbnail((MAX_SIDE, MAX_SIDE))
    clean = Image.frombytes(plain.mode, plain.size, plain.tobytes())
    out = io.BytesIO()
    clean.save(out, format="PNG", compress_level=3)
    return Clean(Blob.of(out.getvalue(), "image/png"), {})
