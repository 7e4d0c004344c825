"""The stages: the only loops over cases, and the only writers of rows."""

from percuss.engine.ask import ask
from percuss.engine.check import check
from percuss.engine.estimate import estimate
from percuss.engine.plan import Plan, plan

__all__ = ["Plan", "ask", "check", "estimate", "plan"]
