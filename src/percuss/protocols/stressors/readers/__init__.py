"""Readers of answers: questions, gaps, contradictions, diagnoses, support; each may say that it is undecided."""
