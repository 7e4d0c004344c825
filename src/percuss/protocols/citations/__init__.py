"""Citations: whether a cited source exists, is the one that is described, and says what it is cited for (papers/2).

`PROTOCOL` is bound when it is first asked for: the audit of a document needs none of it.
"""

from percuss.core.later import made_on_first_use

__all__ = ["PROTOCOL"]

__getattr__ = made_on_first_use(__name__, PROTOCOL="percuss.kit:protocol")
