"""Where cases come from: the bundled vignettes, or a JSONL file of vignettes, AgentClinic OSCE cases or mediQ cases."""

from percuss.protocols.stressors.cases.reading import cases

__all__ = ["cases"]
