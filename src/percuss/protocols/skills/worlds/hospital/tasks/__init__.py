"""The tasks of the hospital: seventeen families in five kinds, four tasks each, of three to five rounds."""

from percuss.protocols.skills.worlds.hospital.tasks.catalogue import KINDS, tasks_of

__all__ = ["KINDS", "tasks_of"]
