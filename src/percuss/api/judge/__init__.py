"""Judges and people: samples out, labels in, cards of judges."""
