"""Scorers: each turns what was answered and what is right into 0 to 100, or says why it can't; none ever raises to a zero."""
