"""SafetyAgent: a sandboxed desk of a clinic, attacks on it in mild words, and a benign twin of each; see README.md."""

from percuss.protocols.skills.worlds.safety.world import SafetyWorld

__all__ = ["WORLD", "SafetyWorld"]

WORLD = SafetyWorld()
