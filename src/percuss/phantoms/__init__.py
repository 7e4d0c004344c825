"""Phantoms: simulated models with known, planted behaviour, after the objects that scanners are calibrated on.

`phantom("phantom/recycler?reuse=0.8", seed=42)` makes one by name; parameters stand sorted in its id.
"""

from percuss.phantoms.plan import Phantom, Plan, Truth
from percuss.phantoms.registry import names, phantom

__all__ = ["Phantom", "Plan", "Truth", "names", "phantom"]
