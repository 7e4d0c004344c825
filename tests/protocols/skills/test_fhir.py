"""The hospital's FHIR server: what GET and POST do, that gold is what the server shows, and that only what is left is graded."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from percuss.core.messages import Message
from percuss.core.ports import Roles
from percuss.core.protocol import Options
from percuss.core.records import Posed
from percuss.kit.agent import Limits
from percuss.protocols.skills.playing import final_of, run
from percuss.protocols.skills.worlds.contract import Task
from percuss.protocols.skills.worlds.fhir import FhirServer
from percuss.protocols.skills.worlds.fhir.resources import TYPES, resources_of
from percuss.protocols.skills.worlds.fhir.searching import answered
from percuss.protocols.skills.worlds.fhir.server import FhirDesk
from percuss.protocols.skills.worlds.fhir.tasks import KINDS, gold_of
from tests.protocols.skills.offline_worlds import graded, handed
from tests.protocols.skills.runs import run as run_all

SEED = 42
WORLD = FhirServer()
TASKS = WORLD.tasks(SEED)
ONE = "Patient/1"
WEIGHT = {
    "resourceType": "Observation",
    "status": "final",
    "code": {"text": "weight"},
    "subject": {"reference": ONE},
}


def got(url: str) -> dict[str, Any]:
    """Return what a fresh server answers."""
    return answered(url, resources_of(SEED))


def entries(url: str) -> list[dict[str, Any]]:
    """Return all resources of a search, page after page."""
    found = got(url)
    own = [each["resource"] for each in found["entry"]]
    rest = entries(found["link"][0]["url"]) if found.get("link") else []
    assert len(own) + len(rest) <= found["total"]
    return own + rest


def of_kind(kind: str) -> list[Task]:
    """Return the tasks of a kind."""
    return [task for task in TASKS if task.kind == kind]


def mrn_of(task: Task) -> str:
    """Return the patient's id that the medical record number of a task stands for."""
    number = next(word.strip("?.,;:") for word in task.says[0].split() if word.startswith("MRN"))
    (patient,) = entries(f"Patient?identifier={number}")
    return str(patient["id"])


def finals(task: Task, code: str) -> list[dict[str, Any]]:
    """Return a patient's dated final results of a test, the newest first."""
    found = entries(f"Observation?patient={mrn_of(task)}&code={code}&status=final&_sort=-date")
    return [each for each in found if "effectiveDateTime" in each]


def test_ten_kinds_take_turns_and_ids_are_stable() -> None:
    assert [task.kind for task in TASKS[:10]] == list(KINDS)
    assert len({task.id for task in TASKS}) == len(TASKS) == 30
    assert FhirServer().tasks(SEED) == TASKS
    assert all(task.says[0] != other.says[0] for task, other in zip(TASKS, WORLD.tasks(7), strict=True))


async def test_ends_of_the_scale_and_what_each_rule_catches() -> None:
    for seed in (SEED, 3, 11):
        for task in WORLD.tasks(seed):
            agents, gold = WORLD.agents(task, seed), gold_of(task)
            worth = {
                name: (await graded(WORLD, task, each, seed=seed)).score for name, each in agents.items()
            }
            assert (worth["gold"], worth["nothing"], worth["liar"], worth["eager"]) == (100, 0, 0, 0), task.id
            assert worth["talker"] == worth["stranger"] == (0 if gold.created else 100), task.id
            assert worth["random"] == 0, task.id


async def test_through_the_loop_of_a_run_within_five_steps(tmp_path: Path) -> None:
    for task in TASKS[:10]:
        for agent, score in (("gold", 100), ("nothing", 0), ("liar", 0)):
            posed = Posed(messages=(Message.of("user", task.says[0]),), tools=WORLD.tools(task))
            scratch = tmp_path / f"{task.id}-{agent}"
            scratch.mkdir()
            script = WORLD.agents(task, SEED)[agent]
            made = await run(posed, Roles({}, seed=1, scratch=scratch), Options(), WORLD, task, seed=SEED, script=script, limits=Limits(steps=5))  # fmt: skip
            assert WORLD.grade(task, final_of(made.artifacts)).score == score
            assert list(scratch.iterdir()) == []


def test_a_run_has_its_score_beside_the_four_environments(tmp_path: Path) -> None:
    models = ["phantom/agent-gold", "phantom/agent-nothing", "phantom/agent-liar", "phantom/agent?sql=0.6"]
    ran = run_all(tmp_path / "run", models, env="fhir", tasks=30, limit=30)
    assert [ran.one("fhir_score", model).value for model in models[:3]] == [1, 0, 0]
    planted = ran.one("fhir_score", models[3])
    assert planted.low is not None
    assert planted.high is not None
    assert planted.low < 0.6 < planted.high
    assert not any(e.name == "track_score" for e in ran.estimates)


def test_gold_is_what_the_server_shows() -> None:
    for task in (*of_kind("latest"), *of_kind("replace")):
        code = task.says[0].split(" of MRN")[0].rsplit(" ", 1)[1]
        newest = finals(task, code)[0]
        right = [newest["valueQuantity"]["value"], newest["effectiveDateTime"][:10]]
        assert list(gold_of(task).answers) == right[: len(gold_of(task).answers)]
    for task in of_kind("overdue"):
        assert gold_of(task).answers == (finals(task, "HbA1c")[0]["effectiveDateTime"][:10],)
    for task in of_kind("average"):
        since = "2026-11-01T10:15:00"
        found = entries(f"Observation?patient={mrn_of(task)}&code=capillary-glucose&date=ge{since}")
        values = [each["valueQuantity"]["value"] for each in found]
        assert gold_of(task).answers[0] == pytest.approx(sum(values) / len(values) if values else -1)
        older = entries(f"Observation?patient={mrn_of(task)}&code=capillary-glucose&date=lt{since}")
        assert bool(older) == bool(values)
    for task in of_kind("drugs"):
        found = entries(f"MedicationRequest?patient={mrn_of(task)}&status=active")
        assert {each["medicationCodeableConcept"]["text"] for each in found} == set(gold_of(task).answers)
    for task in of_kind("conditions"):
        found = entries(f"Condition?subject=Patient/{mrn_of(task)}")
        assert {each["code"]["coding"][0]["code"] for each in found} == set(gold_of(task).answers)


def test_orders_are_asked_for_in_some_tasks_and_not_in_others() -> None:
    for kind in ("replace", "overdue"):
        assert {bool(gold_of(task).created) for task in of_kind(kind)} == {True, False}
    assert gold_of(of_kind("find")[-1]).answers == ("none",)
    assert gold_of(of_kind("average")[-1]).answers == (-1,)


@pytest.mark.parametrize(
    ("url", "status", "words"),
    [
        ("Nothing?x=1", 404, "expected one of Patient"),
        ("Patient/999", 404, "there is no Patient/999"),
        ("Patient?colour=red", 400, "got the parameter 'colour'"),
        ("Observation?_sort=size", 400, "got _sort='size'"),
        ("Observation?_count=many", 400, "whole numbers"),
        ("Patient?family=" + "x" * 3000, 414, "at most 2000"),
    ],
)
def test_a_fault_says_what_was_expected(url: str, status: int, words: str) -> None:
    found = got(url)
    assert (found["resourceType"], found["status"]) == ("OperationOutcome", status)
    assert words in found["issue"][0]["diagnostics"]


def test_a_search_by_name_date_and_page() -> None:
    patient = got("Patient/1")
    assert patient in entries(
        f"Patient?family={patient['name'][0]['family'][:3].lower()}&birthdate={patient['birthDate']}"
    )
    assert len(entries("Observation?code=potassium,sodium&_count=7")) == sum(
        each["code"]["text"] in {"potassium", "sodium"} for each in resources_of(SEED)["Observation"]
    )
    days = [each.get("effectiveDateTime", "") for each in entries("Observation?patient=1&_sort=-date")]
    assert days == sorted(days, reverse=True)
    assert all(
        each["effectiveDateTime"][:4] == "2024"
        for each in entries("Observation?patient=1&date=ge2024&date=le2024")
    )


def test_every_resource_can_be_read_by_its_address() -> None:
    for kind in TYPES:
        for each in resources_of(SEED)[kind][:5]:
            assert got(f"{kind}/{each['id']}") == each


async def test_what_is_created_is_kept_and_found_again_in_this_response_alone() -> None:
    desk, other = (FhirDesk(TASKS[0], SEED, None) for _ in range(2))
    before = desk.digest()
    made = await desk.call("post", {"resource": WEIGHT})
    assert (made.text, made.effect) == ("201 Created: Observation/new-1", "created")
    assert desk.digest() != before == other.digest()
    assert desk.changed() == ("Observation",)
    assert json.loads((await desk.call("get", {"url": "Observation/new-1"})).text)["code"] == {
        "text": "weight"
    }
    assert (await other.call("get", {"url": "Observation/new-1"})).outcome == "error"
    assert desk.submitted(0) == {"answers": None, "created": [{**WEIGHT, "id": "new-1"}]}


@pytest.mark.parametrize(
    ("resource", "words"),
    [
        ({"resourceType": "Patient"}, "expected a resource whose resourceType is one of"),
        ({**WEIGHT, "status": ""}, "Observation lacks status"),
        ({**WEIGHT, "subject": {"reference": "Patient/MRN00001"}}, "got the subject 'MRN00001'"),
        ({**WEIGHT, "note": [{"text": "x" * 9000}]}, "at most 20 resources of 8,000 bytes"),
    ],
)
async def test_what_is_no_resource_is_refused(resource: dict[str, Any], words: str) -> None:
    desk = FhirDesk(TASKS[0], SEED, None)
    found = await desk.call("post", {"resource": resource})
    assert found.outcome == "error"
    assert words in found.text
    assert desk.submitted(0) is None


JSON = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["code", "coding", "text", "note", "subject", "reference"]), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip
FIELDS = st.dictionaries(
    st.sampled_from(["status", "intent", "code", "subject", "note", "valueQuantity", "dosageInstruction", "occurrenceDateTime"]), JSON
)  # fmt: skip


@given(
    resource=FIELDS,
    kind=st.sampled_from(["Observation", "MedicationRequest", "ServiceRequest"]),
    url=st.text(max_size=40),
)
@settings(max_examples=100, deadline=None)
async def test_garbage_is_graded_and_searched_without_a_raise(
    resource: dict[str, Any], kind: str, url: str
) -> None:
    made = {**resource, "resourceType": kind}
    assert WORLD.grade(TASKS[1], handed({"answers": [], "created": [made]})).score == 0
    desk = FhirDesk(TASKS[0], SEED, None)
    await desk.call("post", {"resource": {**made, "subject": {"reference": ONE}}})
    for address in (url, f"{kind}?code=x&date=gex&{url}", f"{kind}?note={url}&_sort=-date"):
        assert (await desk.call("get", {"url": address})).text


def test_the_address_holds_what_the_hospital_does() -> None:
    assert all(got(gold_of(task).looks)["resourceType"] == "Bundle" for task in TASKS)
