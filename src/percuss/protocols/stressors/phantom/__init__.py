"""The stressors phantoms: a clinician with planted behaviour at every node, one that says nothing, and a judge of theirs."""

from percuss.phantoms.plan import Entry
from percuss.protocols.stressors.phantom.auditor import AUDITOR_KEYS, Auditor
from percuss.protocols.stressors.phantom.clinician import Clinician, Silent
from percuss.protocols.stressors.phantom.draws import KEYS, Draws, Plants

__all__ = ["PHANTOMS", "Auditor", "Clinician", "Draws", "Plants", "Silent"]

PHANTOMS: dict[str, Entry] = {
    "clinician": Entry(
        KEYS, lambda given, seed, extra: Clinician(Plants.of(given), seed, tuple(extra.get("clinic", ())))
    ),
    "auditor": Entry(AUDITOR_KEYS, lambda given, seed, _extra: Auditor.of(given, seed)),
    "silent": Entry((), lambda _given, _seed, _extra: Silent()),
}
