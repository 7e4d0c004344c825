"""DeepResearch: reports over an offline index of invented records with planted findings, contradictions and retractions."""

from percuss.protocols.skills.worlds.documents import DocumentWorld
from percuss.protocols.skills.worlds.literature import grading, scripted, tasks, tools

__all__ = ["Literature"]


class Literature(DocumentWorld):
    """The world `research`; its seed arranges the topics."""

    def __init__(self) -> None:
        super().__init__(
            "research", tasks.tasks, tools.tools, tools.LiteratureDesk, grading.grade, scripted.agents
        )
