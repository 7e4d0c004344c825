"""Textbook: questions made from a book, the models that answer them, and how often they leave the page (papers/4).

`PROTOCOL` is bound when it is first asked for: reading books needs none of it.
"""

from percuss.core.later import made_on_first_use

__all__ = ["PROTOCOL"]

__getattr__ = made_on_first_use(__name__, PROTOCOL="percuss.kit:protocol")
