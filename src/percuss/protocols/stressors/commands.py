"""Commands of this protocol's own: split a free-text case into a vignette file, attack vignettes, write the tables of a run."""

from percuss.kit.tables import tables_command
from percuss.protocols.stressors.attack import COMMANDS as ATTACK
from percuss.protocols.stressors.prepare import COMMANDS as PREPARE
from percuss.protocols.stressors.tables import AUDIT, SCORES, audit_rows, score_rows

__all__ = ["COMMANDS"]

COMMANDS = {
    **PREPARE,
    **ATTACK,
    "tables": tables_command({"scores": (SCORES, score_rows), "audit": (AUDIT, audit_rows)}),
}
