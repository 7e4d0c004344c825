"""The catalogue: 63 tasks, what each is scored by, and the line that says where it is from."""

from collections import Counter

import pytest

from percuss.core.errors import UsageError
from percuss.core.ids import digest
from percuss.core.ports import Roles
from percuss.engine.identity import scoring_of
from percuss.engine.prompts import load_prompts
from percuss.protocols.skills import PROTOCOL
from percuss.protocols.skills.catalogue import (
    EMPTY,
    FORMATS,
    METRICS,
    SOURCE,
    TRACKS,
    catalogue,
    task_named,
)
from percuss.protocols.skills.catalogue.listing import listing
from percuss.protocols.skills.options import SkillsOptions
from percuss.protocols.skills.scorers.item import CRITERIA


def test_there_are_63_tasks_in_the_papers_tracks() -> None:
    assert Counter(task.track for task in catalogue()) == {
        "LLM": 36,
        "multimodal": 12,
        "agent": 11,
        "MAS": 4,
    }
    assert len({task.name for task in catalogue()}) == 63


def test_13_dimensions_have_tasks_and_one_has_none() -> None:
    dimensions = {(task.track, task.dimension) for task in catalogue() if task.dimension}
    assert Counter(track for track, _ in dimensions) == {"LLM": 5, "multimodal": 3, "agent": 5}
    assert EMPTY not in {dimension for _, dimension in dimensions}


def test_every_task_has_known_formats_and_metrics() -> None:
    for task in catalogue():
        assert task.track in TRACKS
        assert set(task.formats) <= set(FORMATS)
        assert task.formats
        assert set(task.metrics) <= set(METRICS)
        assert task.metrics
        assert (task.track == "MAS") == bool(task.environment)


def test_the_list_names_every_task_the_empty_dimension_and_its_source() -> None:
    lines = list(listing())
    text = "\n".join(lines)
    assert all(sum(line.split()[:1] == [task.name] for line in lines) == 1 for task in catalogue())
    assert EMPTY in text
    assert "63 tasks, 13 dimensions with tasks and one without" in text
    assert lines[-1] == SOURCE


def test_a_task_is_found_however_it_is_cased_and_an_unknown_one_is_named() -> None:
    assert task_named(" medexam ").name == "MedExam"
    with pytest.raises(UsageError, match="no task is called 'MedNothing'; `percuss skills list`"):
        task_named("MedNothing")


def test_the_criteria_of_judges_are_part_of_a_scoring() -> None:
    text = CRITERIA.read_bytes()
    versions = PROTOCOL.manifest["readers"]["versions"]
    assert versions["criteria"] == digest(text), (
        "another rubric: put its digest into protocol.toml, so that it is another scoring"
    )
    options = SkillsOptions(prompts=load_prompts(PROTOCOL.folder))
    made = scoring_of(PROTOCOL, options, Roles({}, seed=1))
    assert made.config["readers"]["criteria"] == digest(text)
