"""What every protocol would otherwise write by hand: a protocol takes these defaults, or has a function of the same name.

`protocol(__name__)` binds a package. `ask`, `with_tools`, `play`: one call, a scripted conversation, tools, an agent.
`cases_from`: a table of rows. `sentences`, `whole_answer`: claims. `claim_cells`: counts by label source. `items`: what
people judge. `report`: the parts of a report. A simulated model is an `Entry` with a planner that returns a `Plan`; `SelftestPlan` says what is planted.
"""

from percuss.core.prompts import fill, in_force
from percuss.core.records import Arm, Case, Claim, Earlier, Message, NotApplicable, Posed, Verdict
from percuss.kit.agent import play, with_tools
from percuss.kit.asking import ask, request_of, turn_of
from percuss.kit.binding import protocol
from percuss.kit.claiming import sentences, whole_answer
from percuss.kit.counting import claim_cells
from percuss.kit.people import items
from percuss.kit.rows import cases_from
from percuss.phantoms.plan import Entry, Plan, drawing, plan_of, request_key
from percuss.phantoms.selftest import SelftestPlan

__all__ = [
    "Arm",
    "Case",
    "Claim",
    "Earlier",
    "Entry",
    "Message",
    "NotApplicable",
    "Plan",
    "Posed",
    "SelftestPlan",
    "Verdict",
    "ask",
    "cases_from",
    "claim_cells",
    "drawing",
    "fill",
    "in_force",
    "items",
    "plan_of",
    "play",
    "protocol",
    "request_key",
    "request_of",
    "sentences",
    "turn_of",
    "whole_answer",
    "with_tools",
]
