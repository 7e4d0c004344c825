"""Verifiers: models that give a probability that evidence supports a statement; one file per kind of model."""
