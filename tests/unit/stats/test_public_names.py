"""The package's surface: lazy names, no name hidden by a module, nothing of ours imported, light to load."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from percuss import stats
from percuss.stats import Result, StatsError, wilson

PACKAGE = Path(stats.__file__).parent
#: Issue 4, public names.
PROMISED = [
    "wilson", "clopper_pearson", "newcombe", "mover_ratio", "hdi", "cluster_bootstrap", "paired_bootstrap",
    "sign_flip_test", "mcnemar_exact", "two_proportion_z", "holm", "bonferroni", "benjamini_hochberg", "cohen_kappa",
    "fleiss_kappa", "krippendorff_alpha", "gwet_ac", "icc", "kendall_tau_b", "spearman_exact",
    "leave_one_out_ceiling", "bradley_terry", "rogan_gladen", "ppi_rate", "ppi_ratio", "bounds_over_exclusions",
    "smallest_detectable", "power_hdi",
]  # fmt: skip


@pytest.mark.parametrize("name", PROMISED)
def test_promised_names_are_functions(name: str) -> None:
    assert callable(getattr(stats, name))


def test_every_listed_name_resolves_and_says_what_it_is() -> None:
    for name in stats.__all__:
        value = getattr(stats, name)
        assert value.__doc__, name


def test_no_module_is_named_like_a_public_name() -> None:
    """Importing percuss.stats.x binds the module as an attribute and would hide a function x."""
    assert not {p.stem for p in PACKAGE.glob("*.py")} & set(stats.__all__)


def test_unknown_names_are_attribute_errors() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'mean'"):
        _ = stats.mean


def test_the_package_imports_nothing_of_ours() -> None:
    for path in PACKAGE.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            ours = [n for n in names if n.startswith("percuss") and not n.startswith("percuss.stats")]
            assert not ours, f"{path.name} imports {ours}"


def test_loading_every_function_leaves_scipy_stats_alone() -> None:
    """scipy.stats alone would take a second to load; scipy.special is all that is needed (benchmarks/startup.py)."""
    code = (
        "import sys, percuss.stats as s\n"
        "assert 'numpy' not in sys.modules\n"
        "[getattr(s, n) for n in s.__all__]\n"
        "print(sorted({m.split('.')[1] for m in sys.modules if m.startswith('scipy.')} & {'stats', 'optimize', 'signal'}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_result_prints_itself_in_one_line() -> None:
    assert str(wilson(1090, 5543)) == "0.1966 [0.1864, 0.2073] 95% Wilson, n = 5543"


def test_a_result_never_holds_nan_or_a_silent_gap() -> None:
    with pytest.raises(StatsError, match="value came out as nan"):
        Result(value=float("nan"), low=0, high=1, level=0.95, method="m", n=1)
    with pytest.raises(StatsError, match="needs its reason"):
        Result(value=0.5, low=None, high=1, level=0.95, method="m", n=1)


def test_results_are_frozen() -> None:
    with pytest.raises(AttributeError):
        wilson(1, 2).value = 0.0  # type: ignore[misc]


def test_flags_are_counted_as_a_union() -> None:
    """papers/4: 641 commented and 461 disputed items are 1,090 items, so 12 carry both; answerability is 80.3%."""
    both = 641 + 461 - 1090
    assert both == 12
    r = wilson(5543 - 1090, 5543)
    assert r.value is not None
    assert round(100 * r.value, 1) == 80.3
    assert round(100 * (5543 - 641 - 461) / 5543, 1) == 80.1


def test_every_function_stands_in_the_docs() -> None:
    page = PACKAGE.parents[2] / "docs" / "statistics.md"
    if not page.exists():
        pytest.skip("the docs are no part of an installed package")
    listed = set(re.findall(r"`(\w+)`", page.read_text(encoding="utf-8")))
    functions = {n for n in stats.__all__ if n.islower()}
    assert not functions - listed
    table = page.read_text(encoding="utf-8").split("## Functions")[1].split("##")[0]
    rows = {
        n
        for line in table.splitlines()
        for n in re.findall(r"`(\w+)`", line.split("|")[1] if "|" in line else "")
    }
    assert not {n for n in rows if not hasattr(stats, n)}
