"""Items of the catalogue: our own, and those of a user's JSONL."""
