"""Which extra brings a library that is missing."""

import pytest

from percuss.core.errors import UsageError
from percuss.core.extras import _CALLED, extra_of, needed


@pytest.mark.parametrize(
    ("module", "extra"),
    [
        ("sqlalchemy.orm", "study"), ("argon2", "study"), ("multipart", "study"), ("inspect_ai.log", "inspect"), ("vl_convert", "plots"),
        ("xllamacpp", "embedded"), ("numpy", ""), ("percuss.nowhere", ""),
    ],
)  # fmt: skip
def test_the_extra_of_a_module_is_read_from_what_the_package_declares(module: str, extra: str) -> None:
    assert extra_of(module) == extra


def test_every_other_name_is_of_a_declared_package() -> None:
    assert all(extra_of(module) for module in _CALLED)


def test_what_is_not_installed_is_one_sentence() -> None:
    with pytest.raises(
        UsageError, match=r"XYZ files needs? xyz_reader; install it by: pip install 'percuss\[citations\]'"
    ):
        needed("xyz_reader.pages", "XYZ files")
