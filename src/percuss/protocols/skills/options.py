"""Settings of a skills run; each field is an option of the command line."""

from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta

from percuss.core.prompts import in_force
from percuss.core.protocol import Options

__all__ = ["POINTS", "RULE", "STATE", "SkillsOptions", "prompt", "raters"]

PROMPTS = Path(__file__).parent / "prompts"
RULE, POINTS, STATE = "rule:skills-1", "rule:points-1", "rule:state-1"
"""Raters: exact scorers, key points, and the grade of what is left of a world."""


class SkillsOptions(Options):
    """Settings of a skills run."""

    env: Annotated[
        Literal["", "data", "rag", "research", "safety", "all", "fhir"],
        Meta(
            description="Environment that the model acts in; empty asks the items of the catalogue. all: the paper's four; "
            "fhir: the hospital of data behind a FHIR server."
        ),
    ] = ""
    task: Annotated[
        str,
        Meta(
            description="Task of the catalogue: of every row that names none, or the only one of the bundled items."
        ),
    ] = ""
    tasks: Annotated[int, Meta(description="Tasks of each environment.", ge=1)] = 12
    tries: Annotated[
        int,
        Meta(
            description="Attacks that an attacker puts in a row in the environment safety, each picked by what worked before and followed "
            "by its harmless twin; `--tasks` then counts attackers. 0: the grid of attacks in its own order.",
            ge=0,
            le=100,
        ),
    ] = 0
    topics: Annotated[
        Literal["invented", "real"],
        Meta(
            description="Topics of the environment research: invented ones over an offline index, or real ones over a live source, which "
            "`--search pubmed,crossref` names."
        ),
    ] = "invented"
    steps: Annotated[
        int, Meta(description="Replies of the model in one round of an environment at the most.", ge=1)
    ] = 5
    database: Annotated[
        str,
        Meta(
            description="Database of the environment data: sqlite, postgresql://USER@HOST/DB or mariadb://USER@HOST; "
            "a password comes by PGPASSWORD or MYSQL_PWD."
        ),
    ] = "sqlite"
    resamples: Annotated[int, Meta(description="Bootstrap resamples.", ge=100, le=1_000_000)] = 2_000


def prompt(options: Options, name: str) -> str:
    """Return the text of a prompt file in force (`core.prompts.in_force`)."""
    return in_force(options, PROMPTS, name)


def raters(options: SkillsOptions) -> tuple[str, ...]:
    """Return the rule raters that a check with these options uses."""
    del options
    return (RULE, POINTS, STATE)
