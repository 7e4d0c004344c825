"""Every estimate that a run can make can be named in a gate."""

from fnmatch import fnmatch

from percuss.measure.quantity import Quantity
from percuss.protocols.citations import PROTOCOL
from percuss.protocols.citations.estimate import names


def test_every_quantity_can_be_gated() -> None:
    made = {names.turn_quantity(8).name}
    for value in vars(names).values():
        held = value if isinstance(value, tuple) else (value,)
        made |= {each.name for each in held if isinstance(each, Quantity)}
    assert len(made) > 30
    assert not {name for name in made if not any(fnmatch(name, one) for one in PROTOCOL.estimate_names)}
