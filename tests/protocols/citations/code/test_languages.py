"""R, Scala, Elixir and install commands: what is named is looked up, and only a registry's no is a no."""

import pytest

from percuss.protocols.citations.code import IndexAnswer, StoredIndex, check_answer, wanted

DATE = "2026-01-15"
INDEX = StoredIndex(
    [
        IndexAnswer(ecosystem="cran", name="survival", exists=True, date=DATE, versions=("3.5-7", "3.7-0")),
        IndexAnswer(ecosystem="cran", name="dplyr", exists=True, date=DATE),
        IndexAnswer(ecosystem="cran", name="DESeq2", exists=False, date=DATE),
        IndexAnswer(ecosystem="bioconductor", name="DESeq2", exists=True, date=DATE),
        *(
            IndexAnswer(ecosystem=where, name=name, exists=False, date=DATE)
            for name in ("survplotr", "kmtools2", "medicaldata2")
            for where in ("cran", "bioconductor")
        ),
        IndexAnswer(ecosystem="cran", name="onlycran", exists=False, date=DATE),
        IndexAnswer(
            ecosystem="maven",
            name="org.typelevel:cats-core",
            exists=True,
            date=DATE,
            versions=("2.9.0", "2.12.0"),
        ),
        IndexAnswer(ecosystem="maven", name="org.gossip:scala-gossip", exists=False, date=DATE),
        IndexAnswer(ecosystem="hex", name="jason", exists=True, date=DATE, versions=("1.4.0", "1.4.1")),
        IndexAnswer(ecosystem="hex", name="gossip_mesh", exists=False, date=DATE),
        IndexAnswer(ecosystem="npm", name="left-padder", exists=False, date=DATE),
        IndexAnswer(ecosystem="apt", name="python3-anthropic-cli", exists=False, date=DATE),
        IndexAnswer(ecosystem="cargo", name="serde_jsonx", exists=False, date=DATE),
    ]
)


def standings(code: str, language: str) -> dict[str, str]:
    reading = check_answer(f"```{language}\n{code}\n```", index=INDEX)
    return {f"{f.kind}:{f.name}": f.status for f in reading.findings}


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ('install.packages("survplotr")', {"install:survplotr": "nonexistent"}),
        (
            'install.packages(c("survival", "kmtools2",\n  "dplyr"), dependencies = TRUE)',
            {"install:survival": "ok", "install:kmtools2": "nonexistent", "install:dplyr": "ok"},
        ),
        ("library(survplotr)", {"import:survplotr": "nonexistent"}),
        ("suppressMessages(library('survival'))", {"import:survival": "ok"}),
        ("if (!require(dplyr)) install.packages('dplyr')", {"import:dplyr": "ok", "install:dplyr": "ok"}),
        ("library(stats); x <- stats::median(1)", {"import:stats": "ok"}),
        ("x <- medicaldata2::load(1)", {"import:medicaldata2": "nonexistent"}),
        ("# library(survplotr)\nprint('library(kmtools2)')", {}),
        ("BiocManager::install('DESeq2')", {"import:BiocManager": "not_checkable", "install:DESeq2": "ok"}),
        ("library(pkg, character.only = TRUE)", {}),
        ("library(neverasked)", {"import:neverasked": "not_checkable"}),
        ("library(onlycran)", {"import:onlycran": "not_checkable"}),
        (
            "remotes::install_github('someone/survplotr')",
            {"import:remotes": "not_checkable", "install:someone/survplotr": "not_checkable"},
        ),
        (
            "remotes::install_version('survival', version = '9.9')",
            {"import:remotes": "not_checkable", "install:survival ==9.9": "nonexistent"},
        ),
        (
            "remotes::install_version('survival', '3.5-7')",
            {"import:remotes": "not_checkable", "install:survival ==3.5-7": "ok"},
        ),
    ],
)
def test_r(code: str, expected: dict[str, str]) -> None:
    assert standings(code, "r") == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (
            'libraryDependencies += "org.gossip" %% "scala-gossip" % "0.3.1"',
            {"install:org.gossip:scala-gossip ==0.3.1": "nonexistent"},
        ),
        ('"org.typelevel" %% "cats-core" % "2.12.0"', {"install:org.typelevel:cats-core ==2.12.0": "ok"}),
        (
            '"org.typelevel" %% "cats-core" % "7.0.0"',
            {"install:org.typelevel:cats-core ==7.0.0": "nonexistent"},
        ),
        ('val v = "2.12.0"\n"org.typelevel" %% "cats-core" % v', {"install:org.typelevel:cats-core": "ok"}),
        (
            "//> using dep org.gossip::scala-gossip:1.0",
            {"install:org.gossip:scala-gossip ==1.0": "nonexistent"},
        ),
        ("import $ivy.`org.typelevel::cats-core:2.9.0`", {"install:org.typelevel:cats-core ==2.9.0": "ok"}),
        ("import scala.collection.mutable.{Map, Set}", {"import:scala.collection.mutable": "ok"}),
        (
            "import java.util.concurrent.ConcurrentHashMap",
            {"import:java.util.concurrent.ConcurrentHashMap": "ok"},
        ),
        (
            "import scala.concurrent.ExecutionContext.Implicits.global",
            {"import:scala.concurrent.ExecutionContext.Implicits.global": "ok"},
        ),
        ("import akka.cluster.Gossip", {"import:akka.cluster.Gossip": "not_checkable"}),
        ("object Helper { def f = 1 }\nimport Helper._", {"import:Helper": "ok"}),
        ('// "org.gossip" %% "scala-gossip" % "1"', {}),
    ],
)
def test_scala(code: str, expected: dict[str, str]) -> None:
    assert standings(code, "scala") == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (
            'defp deps do\n  [{:jason, "~> 1.4"}, {:gossip_mesh, "~> 0.2"}]\nend',
            {"install:jason ~> 1.4": "ok", "install:gossip_mesh ~> 0.2": "nonexistent"},
        ),
        ('defp deps do\n  [{:jason, "~> 9.0"}]\nend', {"install:jason ~> 9.0": "nonexistent"}),
        (
            "Mix.install([:jason, :gossip_mesh])",
            {"install:jason": "ok", "install:gossip_mesh": "nonexistent"},
        ),
        ('Mix.install([\n  {:jason, "~> 1.4"}\n])', {"install:jason ~> 1.4": "ok"}),
        ('{:own, path: "../own"}', {"install:own": "not_checkable"}),
        (
            "import Enum\nalias GenServer\nrequire Logger",
            {"import:Enum": "ok", "import:GenServer": "ok", "import:Logger": "ok"},
        ),
        ("defmodule Cohort.Reader do\nend\nalias Cohort.Reader", {"import:Cohort.Reader": "ok"}),
        ("use Phoenix.Controller", {"import:Phoenix.Controller": "not_checkable"}),
        ('case x do\n  {:error, "gone"} -> 1\nend', {}),
    ],
)
def test_elixir(code: str, expected: dict[str, str]) -> None:
    assert standings(code, "elixir") == expected


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("npm install left-padder@1.2.3 --save-dev", {"install:left-padder ==1.2.3": "nonexistent"}),
        (
            "sudo apt-get update && sudo apt-get install -y python3-anthropic-cli",
            {"install:python3-anthropic-cli": "nonexistent"},
        ),
        ("cargo add serde_jsonx", {"install:serde_jsonx": "nonexistent"}),
        ("mix archive.install hex gossip_mesh", {"install:gossip_mesh": "nonexistent"}),
        ("pip install -r requirements.txt", {}),
        ("pip install -e .", {}),
        ("pip install ./wheels/a.whl", {}),
        (
            "pip install your-package $NAME",
            {"install:your-package": "not_checkable", "install:$NAME": "not_checkable"},
        ),
        ("echo pip install torchlite", {}),
        ("pip uninstall torchlite", {}),
        ("pip install numpy # not torchlite", {"install:numpy": "ok"}),
    ],
)
def test_commands(command: str, expected: dict[str, str]) -> None:
    assert standings(command, "bash") == expected


def test_what_to_ask_the_registries() -> None:
    answer = "```bash\npip install torchlite numpy\n```\n```r\nlibrary(survplotr)\n```\n```python\nimport fastjsonify\n```"
    assert wanted(answer) == (
        ("bioconductor", "survplotr"),
        ("cran", "survplotr"),
        ("pypi", "fastjsonify"),
        ("pypi", "numpy"),
        ("pypi", "torchlite"),
    )


def test_verdicts() -> None:
    assert check_answer("No code here.").verdict == "no_code"
    assert check_answer("```python\nimport json\n```").verdict == "clean"
    assert check_answer("```python\nthis is not python at all !\n```").verdict == "unscored"
    assert check_answer("```python\nimport never_heard_of_it\n```").verdict == "unscored"
    reading = check_answer("```python\nimport json\njson.parse('1')\njson.read('a')\n```")
    assert reading.verdict == "hallucinated"
    first = reading.first("call")
    assert first is not None
    assert first.name == "json.parse"
    assert reading.first("import") is None
