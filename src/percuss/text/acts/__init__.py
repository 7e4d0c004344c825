"""What a sentence does: asserts, hedges, tells what data there are, teaches, or none of these."""

from percuss.text.acts.abstention import ABSTENTION, Abstained, abstains
from percuss.text.acts.speech import ACTS, SPEECH_ACT, Act, Outcome, speech_act

__all__ = ["ABSTENTION", "ACTS", "SPEECH_ACT", "Abstained", "Act", "Outcome", "abstains", "speech_act"]
