"""Plant known behaviour, measure it, compare: counts (the statistics alone) and runs (the whole pipeline on phantoms)."""
