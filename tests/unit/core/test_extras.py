"""Which extra brings a library that is missing."""

import subprocess
import sys

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


BARE = """
import sys
from percuss.core.extras import extra_of

tops = {name.partition(".")[0] for name in sys.stdlib_module_names} | {"percuss"}

class NoExtras:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top in tops:
            return
        tops.add(top)  # what is asked for while it is looked up is no extra's
        if extra_of(top):
            tops.discard(top)
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, NoExtras())
from percuss.api.catalog import protocols
print(*(protocol.name for protocol in protocols()))
"""


def test_every_protocol_loads_where_no_extra_is_installed() -> None:
    loaded = subprocess.run([sys.executable, "-c", BARE], capture_output=True, text=True, check=False)
    assert loaded.returncode == 0, loaded.stderr
    assert {"citations", "explanation", "grounding", "skills", "stressors", "textbook"} <= set(
        loaded.stdout.split()
    )
