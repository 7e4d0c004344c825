"""Percuss: does your medical model read the evidence, or make it up?"""

__version__ = "0.1.0"
