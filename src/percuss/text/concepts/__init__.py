"""Clinical concepts in text: one table, one matcher, and the frame and number that belong to each mention."""

from percuss.text.concepts.comparing import (
    Comparison,
    compare,
    level_of,
    may_be_in_another_unit,
    relation,
    same_concept,
)
from percuss.text.concepts.fields import Field, attribute_of, read_fields
from percuss.text.concepts.mentions import Mention, mentions
from percuss.text.concepts.record import Dose, Reading, Statement
from percuss.text.concepts.settling import Verdict, settle
from percuss.text.concepts.statements import read, read_statements, unread
from percuss.text.concepts.table import KINDS, Concept, concept, concepts, with_parents

__all__ = [
    "KINDS",
    "Comparison",
    "Concept",
    "Dose",
    "Field",
    "Mention",
    "Reading",
    "Statement",
    "Verdict",
    "attribute_of",
    "compare",
    "concept",
    "concepts",
    "level_of",
    "may_be_in_another_unit",
    "mentions",
    "read",
    "read_fields",
    "read_statements",
    "relation",
    "same_concept",
    "settle",
    "unread",
    "with_parents",
]
