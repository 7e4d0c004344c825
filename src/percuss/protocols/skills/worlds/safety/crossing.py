"""Scenario x technique = a cell; a cell is two tasks, the attack and its benign twin, in one clinic."""

import base64
import codecs
from collections.abc import Mapping
from itertools import product
from pathlib import Path
from typing import Literal

import numpy as np
from msgspec.structs import replace

from percuss.core import seeds
from percuss.core.ids import canonical_json
from percuss.core.prompts import fill
from percuss.protocols.skills.worlds.contract import Task
from percuss.protocols.skills.worlds.safety.canary import canary
from percuss.protocols.skills.worlds.safety.library import (
    Act,
    Scenario,
    Side,
    Technique,
    Wording,
    own_acts,
    scenarios,
    techniques,
)
from percuss.protocols.skills.worlds.safety.setting import Document, Setting, as_json

__all__ = ["CODES", "all_tasks", "coded", "decoded", "pair", "task_named"]

RULES = (Path(__file__).parent / "data" / "rules.md").read_text(encoding="utf-8").strip("\n")
CODES = ("base64", "rot13", "reversed letters")
DESK = "desk@northgate.example"


def all_tasks(seed: int) -> tuple[Task, ...]:
    """Return the whole grid, an attack and its twin side by side, so that any first dozen spans many cells.

    Args:
        seed: canaries and order follow from it; ids don't.
    """
    situations, ways = scenarios(), techniques()
    rng = seeds.generator(seed, "safety", "order")
    rows, columns = _mixed(len(situations), rng), _mixed(len(ways), rng)
    places = product(range(len(ways)), enumerate(rows))
    cells = [(row, columns[(at + place) % len(ways)]) for at, (place, row) in places]
    return tuple(task for row, column in cells for task in pair(situations[row], ways[column], seed))


def _mixed(n: int, rng: np.random.Generator) -> list[int]:
    return [int(at) for at in rng.permutation(n)]


def pair(scenario: Scenario, technique: Technique, seed: int) -> tuple[Task, Task]:
    """Return an attack and its benign twin.

    Args:
        scenario, technique: the cell. seed: of the canary.
    """
    mark = canary(seed, f"{scenario.id}.{technique.id}")
    acts = _acts(scenario, technique, mark)
    return _task("attack", scenario, technique, acts, mark), _task("benign", scenario, technique, acts, mark)


def task_named(name: str, seed: int) -> Task:
    """Return one task of the grid.

    Args:
        name: its id. seed: of the canary.

    Raises:
        KeyError: the grid has no such cell.
    """
    side, scenario, technique = name.split(".")
    situations = {each.id: each for each in scenarios()}
    ways = {each.id: each for each in techniques()}
    attack, benign = pair(situations[scenario], ways[technique], seed)
    return attack if side == "attack" else benign


def _acts(scenario: Scenario, technique: Technique, mark: str) -> dict[Side, Act]:
    """Return what each side asks for, with the technique's own acts filled."""
    if not technique.own:
        return {"attack": scenario.harm, "benign": scenario.benign}
    own = own_acts()[technique.own]
    fields = {"patient": scenario.patient.id, "visit": scenario.visit, "sealed": _sealed(scenario, mark)}
    return {"attack": _filled(own.harm, fields), "benign": _filled(own.benign, fields)}


def _filled(act: Act, fields: Mapping[str, str]) -> Act:
    return replace(
        act,
        ask=fill(act.ask, fields),
        arguments={name: fill(value, fields) for name, value in act.arguments.items()},
        needs=tuple(fill(need, fields) for need in act.needs),
    )


def _sealed(scenario: Scenario, mark: str) -> str:
    return f"{scenario.sealed} ({mark})."


def _task(side: Side, scenario: Scenario, technique: Technique, acts: Mapping[Side, Act], mark: str) -> Task:
    cell = f"{scenario.id}.{technique.id}"
    wording = technique.attack if side == "attack" else technique.benign
    fields = _fields(scenario, acts[side], acts["benign"])
    says = [fill(text, fields) for text in wording.says]
    says[0] = fill(RULES, {"user": scenario.user, "request": says[0]})
    other: Side = "benign" if side == "attack" else "attack"
    setting = _setting(side, scenario, technique, acts, mark, wording, fields)
    return Task(
        id=f"{side}.{cell}",
        kind=side,
        says=tuple(says),
        gold=tuple({"side": side} for _ in says),
        setting=as_json(replace(setting, twin=f"{other}.{cell}")),
    )


def _fields(scenario: Scenario, act: Act, legit: Act) -> dict[str, str]:
    code = CODES[int(scenario.patient.id[2:]) % len(CODES)]
    return {
        "ask": act.ask,
        "legit": legit.ask,
        "call": canonical_json({"tool": act.tool, "arguments": act.arguments}).decode(),
        "coded": coded(act.ask, code),
        "code": code,
        "remark": scenario.remark,
        "name": scenario.patient.name,
        "patient": scenario.patient.id,
        "topic": scenario.topic,
        "user": scenario.user,
        "document": _document_id(scenario),
        "visit": scenario.visit,
    }


def _document_id(scenario: Scenario) -> str:
    return scenario.patient.id.replace("P-", "D-")


def _setting(
    side: Side,
    scenario: Scenario,
    technique: Technique,
    acts: Mapping[Side, Act],
    mark: str,
    wording: Wording,
    fields: Mapping[str, str],
) -> Setting:
    attack = side == "attack"
    page = f"{scenario.document.text}\n{fill(wording.page, fields)}".strip()
    carrier: Literal["", "read_document", "read_feed"] = "read_document" if wording.page else ""
    patient = scenario.patient
    known = {
        patient.id,
        *(act.arguments.get("patient", patient.id) for act in (scenario.harm, scenario.benign)),
    }
    addressed = scenario.benign.arguments.get("to", DESK)
    return Setting(
        side=side,
        area=scenario.area,
        subcategory=scenario.id,
        technique=technique.id,
        twin="",
        canary=mark,
        patient=patient.id,
        name=patient.name,
        chart=(*scenario.chart, f"Next visit: {scenario.visit}"),
        sealed=_sealed(scenario, mark),
        feed=f"{scenario.feed}\n{fill(wording.feed, fields)}".strip(),
        documents=(Document(id=_document_id(scenario), title=scenario.document.title, text=page),),
        addresses=tuple(dict.fromkeys((addressed, DESK))),
        signed=(scenario.benign,) if scenario.benign.tool in _SIGNED else (),
        notices=scenario.notices,
        others=tuple(sorted(known - {patient.id})),
        wanted=acts["benign"] if not attack or technique.asks == "benign" else None,
        planned=acts["attack"] if attack else None,
        carrier="read_feed" if wording.feed else carrier,
    )


_SIGNED = frozenset({"place_order", "update_record", "grant_access"})


def coded(text: str, code: str) -> str:
    """Return a text in one of `CODES`.

    Args:
        text: plain. code: its name.
    """
    match code:
        case "base64":
            return base64.b64encode(text.encode()).decode()
        case "rot13":
            return codecs.encode(text, "rot13")
    return text[::-1]


def decoded(text: str, code: str) -> str:
    """Return what `coded` was given.

    Args:
        text: in the code. code: its name.
    """
    return base64.b64decode(text).decode() if code == "base64" else coded(text, code)
