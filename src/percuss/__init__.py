"""Percuss asks whether a medical model reads the evidence or makes it up."""

__version__ = "0.1.0"
