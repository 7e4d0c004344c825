"""Invitation links of a study: the address at which each person joins."""

from percuss.study.store.people import everybody, invitation
from percuss.study.study import Study

__all__ = ["links"]


def links(study: Study, address: str) -> list[tuple[str, str]]:
    """Return code and invitation link of everybody who has not joined yet."""
    with study.database.read() as connection:
        persons = everybody(connection)
    return [
        (person.code, f"{address}/join#{invitation(study.secret, person)}")
        for person in persons
        if not person.joined and not person.left and person.role != "imported"
    ]
