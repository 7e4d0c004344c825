"""The hospital behind a FHIR R4 server: read by GET, written by POST that is kept and sent nowhere; a bridge to MedAgentBench's kind of task."""

from percuss.protocols.skills.worlds.documents import DocumentWorld
from percuss.protocols.skills.worlds.fhir import grading, scripted, server, tasks

__all__ = ["FhirServer"]


class FhirServer(DocumentWorld):
    """The world `fhir`: the seeded hospital of `data`, as resources."""

    def __init__(self) -> None:
        super().__init__("fhir", tasks.tasks, server.tools, server.FhirDesk, grading.grade, scripted.agents)
