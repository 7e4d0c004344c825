"""The stressors phantoms: a clinician with planted behaviour at every node, and one that says nothing."""

from percuss.phantoms.plan import Entry
from percuss.phantoms.stressors.clinician import Clinician, Silent
from percuss.phantoms.stressors.draws import KEYS, Draws, Plants

__all__ = ["PHANTOMS", "Clinician", "Draws", "Plants", "Silent"]

PHANTOMS: dict[str, Entry] = {
    "clinician": Entry(
        KEYS, lambda given, seed, extra: Clinician(Plants.of(given), seed, tuple(extra.get("clinic", ())))
    ),
    "silent": Entry((), lambda _given, _seed, _extra: Silent()),
}
