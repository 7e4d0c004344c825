"""Images of the reader: shown once each, no larger than a screen needs."""

import base64
import io

__all__ = ["smaller"]

_LONGEST_PX = 768
_LARGE_CHARS = 200_000
_QUALITY = 85


def smaller(url: str) -> str:
    """Return a data URL scaled down to at most 768 pixels a side, or as it is.

    Args:
        url: a checked `data:image/..;base64,` URL. Without Pillow (extra `vision`) it is returned unchanged.
    """
    if len(url) < _LARGE_CHARS:
        return url
    try:
        from PIL import Image, UnidentifiedImageError
    except ImportError:
        return url
    try:
        with Image.open(io.BytesIO(base64.b64decode(url.partition(",")[2]))) as image:
            image.thumbnail((_LONGEST_PX, _LONGEST_PX))
            buffer = io.BytesIO()
            image.convert("RGB").save(buffer, "JPEG", quality=_QUALITY)
    except (UnidentifiedImageError, OSError, Image.DecompressionBombError):
        return url
    scaled = "data:image/jpeg;base64," + base64.b64encode(buffer.getvalue()).decode("ascii")
    return min(scaled, url, key=len)
