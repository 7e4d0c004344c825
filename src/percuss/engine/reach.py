"""What a protocol's own searches are built with: how they reach out, and where what they are answered stays."""

from dataclasses import dataclass

from percuss.core.ports import Embedder
from percuss.engine.archive import Archive
from percuss.net.client import Client

__all__ = ["Reach"]


@dataclass(frozen=True)
class Reach:
    """The world as a search of one run may reach it.

    Args:
        archive: where answers stay; what is there isn't asked for again.
        client: of the run, so that hosts are counted; None = nobody may be contacted, and the archive alone answers.
        embedder: of the run; None where it has none.
    """

    archive: Archive
    client: Client | None = None
    embedder: Embedder | None = None
