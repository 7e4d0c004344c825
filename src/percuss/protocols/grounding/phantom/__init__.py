"""Simulated models for `grounding`: planted rates with and without evidence, refusal, recycling, memory.

They read the evidence out of the messages, as a model must, and know nothing of protocols, claims or checkers.
"""

from percuss.protocols.grounding.phantom.profiles import PHANTOMS, Grounded, Memory, Rates

__all__ = ["PHANTOMS", "Grounded", "Memory", "Rates"]
