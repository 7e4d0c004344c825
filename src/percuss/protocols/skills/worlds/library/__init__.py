"""RAGAgent: questions over a knowledge base with copies, distractors, superseded versions and planted conflicts."""

from percuss.protocols.skills.worlds.documents import DocumentWorld
from percuss.protocols.skills.worlds.library import grading, scripted, tasks, tools

__all__ = ["Library"]


class Library(DocumentWorld):
    """The world `rag`; its seed arranges topics and documents whose passages are out of order."""

    def __init__(self) -> None:
        super().__init__("rag", tasks.tasks, tools.tools, tools.LibraryDesk, grading.grade, scripted.agents)
