"""Questions made from passages: one a passage, its type chosen by rule, schema-constrained, checked, resampled (papers/4, experiment 1).

`PROTOCOL` is bound when it is first asked for.
"""

from percuss.core.later import made_on_first_use

__all__ = ["PROTOCOL"]

__getattr__ = made_on_first_use(__name__, PROTOCOL="percuss.kit:protocol")
