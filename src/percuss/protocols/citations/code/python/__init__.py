"""Static reading of Python: what packages offer, and whether code uses what is there. Nothing is imported or run."""
