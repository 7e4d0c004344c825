"""A verifier with planted errors: the fake for tests and for proving what is made of a verifier's word."""

from collections.abc import Callable, Sequence

from percuss.core import seeds
from percuss.core.verifying import Pair, Verification

__all__ = ["ScriptedVerifier"]

Truth = Callable[[Pair], str]


class ScriptedVerifier:
    """Knows the truth of each pair and errs at planted rates, the same way each time it sees a pair.

    Args:
        truth: pair -> `supported`, `contradicted`, or anything else for neither.
        miss: share of unsupported statements called supported, 0 to 1.
        alarm: share of supported statements called contradicted, 0 to 1.
        silent: share of pairs left undecided, 0 to 1.
        seed: of its draws.
    """

    def __init__(
        self, truth: Truth, *, miss: float = 0.0, alarm: float = 0.0, silent: float = 0.0, seed: int = 0
    ) -> None:
        self._truth = truth
        self._miss, self._alarm, self._silent = miss, alarm, silent
        self._seed = seed

    @property
    def id(self) -> str:
        """`scripted/verifier` with its planted rates."""
        return f"scripted/verifier?alarm={self._alarm:g}&miss={self._miss:g}&silent={self._silent:g}"

    @property
    def pin(self) -> str:
        """Its seed."""
        return str(self._seed)

    at_once = True
    simulated = True

    async def verify(self, pairs: Sequence[Pair]) -> tuple[Verification, ...]:
        """Return one verification per pair.

        Args:
            pairs: statements with their premises.
        """
        return tuple(self._one(pair) for pair in pairs)

    def _one(self, pair: Pair) -> Verification:
        silent, wrong = seeds.generator(self._seed, "verifier", pair.claim, *pair.premises).random(2)
        if silent < self._silent:
            return Verification(undecided="planted")
        truth = self._truth(pair)
        supported = truth == "supported"
        if wrong < (self._alarm if supported else self._miss):
            supported, truth = not supported, "contradicted" if supported else "supported"
        return Verification(
            supported=0.97 if supported else 0.03, contradicted=0.95 if truth == "contradicted" else 0.02
        )
