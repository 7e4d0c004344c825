"""Clinical concepts in text: one table, one matcher, and the frame and number that belong to each mention."""

from percuss.text.concepts.mentions import Mention, mentions
from percuss.text.concepts.table import KINDS, Concept, concept, concepts, with_parents

__all__ = ["KINDS", "Concept", "Mention", "concept", "concepts", "mentions", "with_parents"]
