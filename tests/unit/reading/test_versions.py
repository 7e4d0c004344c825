"""A version of a rule says the same for ever, and a passport is quoted for its own version alone."""

import asyncio
import json
import os
import tomllib
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

from percuss.core.ports import Roles
from percuss.core.protocol import Protocol
from percuss.core.reading import ReadRight
from percuss.engine import ask, check, estimate, identity_of, scoring_of
from percuss.judging.passport import passports
from percuss.phantoms import phantom
from percuss.protocols.grounding import PROTOCOL
from percuss.protocols.grounding.options import GroundingOptions
from percuss.store import RunStore, survey
from tests import loading

ROOT = Path(__file__).resolve().parents[3]
SHARED = Path(os.environ.get("PERCUSS_SHARED", ROOT.parent / "shared")) / "data"
MANIFEST = ROOT / "src" / "percuss" / "protocols" / "grounding" / "protocol.toml"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    return loading.script("reading_versions.py")


def test_labels_change_with_a_version_alone(script: ModuleType) -> None:
    kept = json.loads(script.FILE.read_text(encoding="utf-8"))
    if not SHARED.is_dir():
        pytest.skip(
            "texts of the corpora are not beside this checkout (PERCUSS_SHARED names the folder above data/)"
        )
    assert script.made(kept["step"]) == kept["readers"], (
        "raise the version, then scripts/reading_versions.py --write"
    )


def test_a_label_that_changes_under_its_version_is_seen(script: ModuleType) -> None:
    kept = {"rule:a": {"version": "2", "n": 3, "sha256": "x"}}
    assert script.changed(kept, {"rule:a": {"version": "2", "n": 3, "sha256": "y"}}) == ["rule:a"]
    assert script.changed(kept, {"rule:a": {"version": "3", "n": 3, "sha256": "y"}}) == []


def test_the_manifest_names_the_versions_that_passports_are_of() -> None:
    named = tomllib.loads(MANIFEST.read_text(encoding="utf-8"))["readers"]["versions"]
    shipped = {p.reader: p.version for p in passports() if p.reader in named}
    assert named == shipped


def of_version(version: str) -> Protocol[GroundingOptions]:
    """Return the protocol as it was when its rule had another version."""
    readers = {**PROTOCOL.manifest["readers"], "versions": {"rule:support-2": version}}
    return replace(PROTOCOL, manifest={**PROTOCOL.manifest, "readers": readers})


def test_another_version_is_another_scoring() -> None:
    options, roles = GroundingOptions(), Roles({}, seed=1)
    ids = {scoring_of(of_version(version), options, roles).id for version in ("2.0", "2.1", "2.2")}
    assert len(ids) == 3


def test_labels_of_an_older_version_are_never_quoted_with_the_passport_of_today(tmp_path: Path) -> None:
    older, options, seed = of_version("2.0"), GroundingOptions(resamples=1_000), 7

    async def both() -> tuple[list[ReadRight | None], list[ReadRight | None]]:
        cases = list(PROTOCOL.cases(None, options, seed))
        roles = Roles({}, seed=seed)
        model = phantom("phantom/confabulator", seed=seed)
        identity = identity_of(PROTOCOL, options, survey(iter(cases)), seed=seed, roles={})
        with RunStore.create(tmp_path / "run", identity) as store:
            store.add_cases(iter(cases), limit=12)
            arms = [a for a in PROTOCOL.arms(options) if a.name in {"full_multimodal", "ungrounded"}]
            await ask(store, PROTOCOL, options, roles=roles, models=(model,), arms=arms, limit=12)
            old = await check(store, older, options, roles=roles)
            new = await check(store, PROTOCOL, options, roles=roles)
            assert old.id != new.id  # a check of today reads an old run again
            quoted = []
            for scoring in (old, new):
                found = await estimate(store, PROTOCOL, options, scoring=scoring.id, seed=seed)
                quoted.append(
                    [
                        e.read_right
                        for e in found
                        if e.name == "unsupported_rate" and e.labels == "rule:support-2"
                    ]
                )
            return quoted[0], quoted[1]

    of_old, of_new = asyncio.run(both())
    assert of_old
    assert not any(of_old)
    assert all(of_new)
