"""Install commands and imports as people write them: what is asked about, and what is left alone."""

import pytest

from percuss.protocols.citations.code import IndexAnswer, check_answer
from percuss.protocols.citations.code.index import Ecosystem
from percuss.protocols.citations.code.versions import never_published


class Nothing:
    """An index by which no package exists: what is still left alone is never asked about."""

    def look(self, ecosystem: Ecosystem, name: str) -> IndexAnswer:
        return IndexAnswer(ecosystem=ecosystem, name=name, exists=False, date="2026-01-15")


def named(code: str, fence: str) -> dict[str, str]:
    """Return name -> status of what a block installs or imports, where no registry knows any package."""
    text = f"```{fence}\n{code}\n```" if fence else code
    return {f.name: f.status for f in check_answer(text, index=Nothing()).findings}


NO, LEFT = "nonexistent", "not_checkable"


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("pip install gossip 2>/dev/null", {"gossip": NO}),
        ("pip install 'gossip >= 2'", {"gossip >= 2": NO}),
        ("PS C:\\work> pip install gossip", {"gossip": NO}),
        ("(venv) $ pip install gossip", {"gossip": NO}),
        ("ann@host:~/x$ pip install gossip", {"gossip": NO}),
        ("In [3]: !pip install gossip", {"gossip": NO}),
        ("!{sys.executable} -m pip install gossip", {"gossip": NO}),
        ("sudo DEBIAN_FRONTEND=noninteractive apt-get -y install gossipd", {"gossipd": NO}),
        ("PIP_NO_CACHE_DIR=1 pip install gossip", {"gossip": NO}),
        ('poetry add "gossip@^4.2"', {"gossip": NO}),
        ("mix archive.install hex gossip_mesh 1.7.0", {"gossip_mesh": NO}),
        ("npm install someone/gossip", {"someone/gossip": LEFT}),
        (
            'conda install "gossip>=1.2" conda-forge::mesh',
            {"gossip >=1.2": NO, "gossip>=1.2": NO, "mesh": NO},
        ),
        ("pip install gossip if you need it", {"gossip": NO}),
        ("pip install the required packages first", {}),
        ("Rscript -e 'install.packages(\"gossip\")'", {"gossip": NO}),
        ("R --vanilla -e \"install.packages(c('gossip','mesh'))\"", {"gossip": NO, "mesh": NO}),
    ],
)
def test_commands_as_people_write_them(command: str, expected: dict[str, str]) -> None:
    found = named(command, "bash")
    assert found.items() <= expected.items()
    assert bool(found) == bool(expected)


def test_a_comment_that_is_a_sentence_names_no_package() -> None:
    assert named("# pip install the packages below first\nimport json", "python") == {"json": "ok"}


def test_an_install_in_a_sentence_is_read() -> None:
    text = 'Run `install.packages("gossip")`, add `{:gossip_mesh, "~> 0.2"}`, never `{:error, "gone"}`.'
    assert named(text, "") == {"gossip": NO, "gossip_mesh ~> 0.2": NO}


def test_a_name_on_a_later_line_is_pointed_at_there() -> None:
    text = "```bash\npip install numpy pandas \\\n    scikit-gossip \\\n    numpy-gossip\n```"
    places = {f.name: text[f.start : f.end] for f in check_answer(text, index=Nothing()).findings}
    assert places["scikit-gossip"] == "scikit-gossip"
    assert places["numpy-gossip"] == "numpy-gossip"


@pytest.mark.parametrize(
    ("specifier", "versions", "never"),
    [
        ("==5.*", ("4.9.5", "5.0.2"), False),
        ("==5.0.*", ("5.0.2",), False),
        ("==5.0.*", ("5", "4.1"), False),
        ("==6.*", ("5.0.2", "60.1"), True),
        ("==11.3.*", ("11.3.1",), False),
    ],
)
def test_a_version_that_begins_so(specifier: str, versions: tuple[str, ...], never: bool) -> None:
    assert never_published(specifier, versions) is never


@pytest.mark.parametrize(
    ("command", "asked"),
    [
        ("npm install typescript@5", "typescript ==5.*"),
        ("cargo add clap@4.5", "clap ==4.5.*"),
        ("conda install cudatoolkit=11.3", "cudatoolkit ==11.3.*"),
        ("npm install react@18.2.0", "react ==18.2.0"),
        ("conda install numpy==1.26.0", "numpy ==1.26.0"),
    ],
)
def test_npm_cargo_and_conda_take_any_version_that_begins_so(command: str, asked: str) -> None:
    assert list(named(command, "bash")) == [asked]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ('devtools::install_github("a/gossip")\nlibrary(gossip)', {"a/gossip": LEFT, "gossip": LEFT}),
        ('install_github(c("a/gossip", "b/mesh@v1"))\nmesh::f()', {"a/gossip": LEFT, "b/mesh@v1": LEFT, "mesh": LEFT}),
        ('install.packages("gossip", repos = "https://gossip.r-universe.dev")\nlibrary(gossip)', {"gossip": LEFT}),
        ('install.packages("gossip", repos = "https://cloud.r-project.org")', {"gossip": NO}),
        ('pkgs <- c("gossip",\n  "mesh")\ninstall.packages(pkgs)', {"gossip": NO, "mesh": NO}),
        ("p_load(gossip, mesh, install = TRUE)", {"gossip": NO, "mesh": NO}),
    ],
)  # fmt: skip
def test_r_installs_as_people_write_them(code: str, expected: dict[str, str]) -> None:
    found = named(code, "r")
    found.pop("devtools", None)
    assert found == expected


def test_texts_and_comments_over_lines_are_no_code() -> None:
    scala = '/* libraryDependencies += "gossip" % "mesh" % "1"\nimport scala.gossip.A */\nval s = """\nimport scala.mesh.B\n"""'
    assert named(scala, "scala") == {}
    elixir = '@moduledoc """\ndef deps do\n  [{:gossip, "~> 0.1"}]\nend\n"""\nimport Enum'
    assert named(elixir, "elixir") == {"Enum": "ok"}
    assert named('{:error, "not found"}', "elixir") == {}


def test_a_package_below_one_of_java_is_not_vouched_for() -> None:
    code = "import java.util.fastgossip.FastList\nimport java.util.concurrent.atomic.AtomicLong"
    assert named(code, "scala") == {
        "java.util.fastgossip.FastList": LEFT,
        "java.util.concurrent.atomic.AtomicLong": "ok",
    }
