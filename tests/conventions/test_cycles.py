"""No module imports itself by way of others: not at the top, and not late, inside a function."""

from graphlib import CycleError, TopologicalSorter

import grimp
import pytest

ROOT = "percuss"


def imports() -> dict[str, set[str]]:
    """Return module -> what it imports of the package; imports for types alone are left out."""
    graph = grimp.build_graph(ROOT, exclude_type_checking_imports=True, cache_dir=None)
    return {module: set(graph.find_modules_directly_imported_by(module)) for module in graph.modules}


def test_no_module_imports_itself_by_way_of_others() -> None:
    held = imports()
    assert len(held) > 500
    try:
        TopologicalSorter(held).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(reversed(error.args[1])))
