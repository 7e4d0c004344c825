"""Small pictures for phantom readers."""

import io

from percuss.core.records import Blob

__all__ = ["blob"]


def blob(n: int) -> Blob:
    """Return a small grey picture that differs by its number."""
    from PIL import Image

    out = io.BytesIO()
    Image.new("L", (24, 24), 20 + n % 200).save(out, format="PNG")
    return Blob.of(out.getvalue() + str(n).encode(), "image/png")
