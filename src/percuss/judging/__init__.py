"""Judges as instruments: one call and its reading (`judge`), passes to a label (`passes`), validation against people."""
