"""Executable environments: a seeded world, tools that act on it, and a grade read from its state and its tool log alone."""
