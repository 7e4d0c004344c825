"""Who reads the answers is not who wrote them: judges and verifiers beside the models under test."""

from collections.abc import Collection, Mapping

from percuss.api.run.factory import canonical_id, plays_model
from percuss.core.errors import UsageError
from percuss.models.providers import family_of

__all__ = ["family_of", "require_independent"]


def require_independent(roles: Mapping[str, str], under_test: Collection[str], *, allowed: bool) -> None:
    """Refuse a judge that is under test, and a verifier that is, or is of the family of one that is.

    Args:
        roles: role -> model string. under_test: ids of models. allowed: the user said --allow-self-judge.

    Raises:
        UsageError: in one sentence who reads itself.
    """
    verifier = roles.get("verifier")
    if allowed:
        return
    for role, option in (("judge", "--judge"), ("fallback", "--fallback-judge")):
        if role in roles and canonical_id(roles[role]) in under_test:
            raise UsageError(
                f"{canonical_id(roles[role])} is under test and would judge itself; name another {option}, "
                "or say --allow-self-judge"
            )
    if verifier is None or not plays_model("verifier", verifier):
        return
    name = canonical_id(verifier)
    if name in under_test:
        raise UsageError(
            f"{name} is under test and would verify itself; name another --role verifier=.., or say --allow-self-judge"
        )
    kin = next((model for model in under_test if family_of(model) == family_of(name)), None)
    if kin is not None:
        raise UsageError(
            f"{name} is of the family of {kin}, which is under test; name a --role verifier=.. of another family, "
            "or say --allow-self-judge"
        )
