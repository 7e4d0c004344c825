"""Clinical concepts in text: one table, one matcher, and the frame and number that belong to each mention."""

from percuss.text.concepts.mentions import Mention, mentions
from percuss.text.concepts.record import Dose, Reading, Statement
from percuss.text.concepts.statements import read, read_statements
from percuss.text.concepts.table import KINDS, Concept, concept, concepts, with_parents

__all__ = [
    "KINDS", "Concept", "Dose", "Mention", "Reading", "Statement", "concept", "concepts", "mentions", "read", "read_statements", "with_parents",
]  # fmt: skip
