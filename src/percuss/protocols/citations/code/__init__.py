"""Static checks of the code in an answer: installs, imports and calls. Nothing of it is imported or run."""

from percuss.protocols.citations.code.answer import check_answer, wanted
from percuss.protocols.citations.code.index import IndexAnswer, NoIndex, PackageIndex, StoredIndex
from percuss.protocols.citations.code.python.check import PythonSurfaces
from percuss.protocols.citations.code.records import Block, CodeReading, Finding

__all__ = [
    "Block",
    "CodeReading",
    "Finding",
    "IndexAnswer",
    "NoIndex",
    "PackageIndex",
    "PythonSurfaces",
    "StoredIndex",
    "check_answer",
    "wanted",
]
