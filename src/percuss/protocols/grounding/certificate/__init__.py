"""The certificate of a run: seeded statements whose truth is known without the reader under test, and what it made of them."""

from percuss.protocols.grounding.certificate.seeding import seeded
from percuss.protocols.grounding.certificate.verbal import asked

__all__ = ["asked", "seeded"]
