"""What the command line shows of a protocol without loading it is what the protocol says of itself."""

import pytest

from percuss.api.catalog import face, load, names
from percuss.core.errors import UsageError


@pytest.mark.parametrize("name", names())
def test_a_face_is_the_protocols_own(name: str) -> None:
    shown, loaded = face(name), load(name)
    assert (shown.name, shown.question, shown.primary) == (loaded.name, loaded.question, loaded.primary.words)
    assert dict(shown.roles) == dict(loaded.roles)
    assert shown.options is loaded.options
    assert [face(alias).name for alias in loaded.aliases] == [name] * len(loaded.aliases)


def test_an_unknown_protocol_is_one_sentence() -> None:
    with pytest.raises(UsageError, match="did you mean grounding"):
        face("groundin")
