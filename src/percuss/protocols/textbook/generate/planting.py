"""What `percuss selftest textbook-generate` plants."""

from percuss.phantoms.selftest import SelftestPlan

__all__ = ["PLAN"]

PLAN = SelftestPlan(
    models=("phantom/author", "phantom/author?invalid=0.6&invents=0.5"),
    limit=60,
    estimates=("valid_rate", "first_try_rate"),
    settings={"resamples": 500},
)
