"""Books into passages: readers, what is no prose, the four heuristics, duplicates, and how many fell where."""
