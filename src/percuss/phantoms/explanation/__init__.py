"""The simulated reader of chest films for `explanation`: it measures pixels and follows cues at planted rates.

It knows messages, pictures, the questionnaire and the zones that it is told when it is made, and nothing of protocols,
claims or checkers.
"""

from percuss.phantoms.explanation.knobs import KEYS, Knobs, Questionnaire, Topic
from percuss.phantoms.explanation.reader import Cue, Reader, ReaderPlan

__all__ = ["KEYS", "Cue", "Knobs", "Questionnaire", "Reader", "ReaderPlan", "Topic"]
