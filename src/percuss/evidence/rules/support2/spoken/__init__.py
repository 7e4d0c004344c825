"""Readers of free words: each takes a kind of sentence as a person says it, and is tried where no other reader decided."""
