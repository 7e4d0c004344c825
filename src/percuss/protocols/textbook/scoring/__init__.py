"""Scorers: what an answer says, read without a model where that is sure, and how right it is."""
