"""What each page of docs/ calls yours, made in an empty folder, with servers on the loopback in place of those in the world.

A page whose blocks are marked `<!-- run: staged -->` has a function here; it is a context manager, entered before the
first block and left after the last.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

from tests.stages.auditing import citations
from tests.stages.comparing import ci, compare
from tests.stages.playing import Stage, play
from tests.stages.reaching import endpoints
from tests.stages.studying import judges, study
from tests.stages.tasks import skills, textbook
from tests.stages.writing import protocols

__all__ = ["STAGES", "Stage", "play"]

STAGES: dict[str, Callable[[Path], AbstractContextManager[Stage]]] = {
    "ci.md": ci,
    "citations.md": citations,
    "compare.md": compare,
    "endpoints.md": endpoints,
    "judges.md": judges,
    "protocols.md": protocols,
    "skills.md": skills,
    "study.md": study,
    "textbook.md": textbook,
}
"""Name of a page -> its stage."""
