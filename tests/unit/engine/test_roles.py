"""What a response gets beside models: a folder of its own, bytes that stay, and outcomes that are made once."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from percuss.core.errors import BadInput, FetchError
from percuss.core.ids import response_id
from percuss.core.labels import CERTIFICATE
from percuss.core.ports import Roles, RunView
from percuss.core.records import Blob, Case, Claim, Posed, Response, Text, Transcript, Turn, Verdict
from percuss.engine import Journal, Journaled, ask, check, estimate
from percuss.engine.once import JournaledOnce
from percuss.exchange.tables import response_rows
from percuss.store import Checked, RunStore, verify
from percuss.store.responses import count_status, put_response
from percuss.store.scorings import count_unchecked, put_checked
from tests.tiny import SEED, TINY, Echo, TinyOptions, create, whole

OPTIONS = TinyOptions()
CAST = Roles({}, seed=SEED)


async def test_each_response_has_an_empty_folder_that_is_gone_after_it(tmp_path: Path) -> None:
    folders: list[Path] = []

    async def working(posed: Posed, roles: Roles, options: TinyOptions) -> Transcript:
        folder = roles.scratch
        assert folder is not None
        assert roles.scratch == folder
        assert not list(folder.iterdir())
        (folder / "answer.txt").write_text("x")
        folders.append(folder)
        if len(folders) == 2:
            raise ValueError("on the way")
        return await TINY.ask(posed, roles, options)

    with create(tmp_path / "r", source="3") as store:
        await ask(store, replace(TINY, ask=working), OPTIONS, roles=CAST, models=[Echo()])
    assert len(set(folders)) == 6
    assert not any(folder.exists() for folder in folders)


async def test_bytes_put_while_asking_are_read_in_check_and_estimate(tmp_path: Path) -> None:
    async def drawing(posed: Posed, roles: Roles, options: TinyOptions) -> Transcript:
        told = await TINY.ask(posed, roles, options)
        blob = Blob.of(told.turns[0].text.encode(), "text/plain")
        assert roles.blobs is not None
        roles.blobs.put(blob)
        return Transcript(turns=told.turns, artifacts={"file": blob.digest})

    async def reading(
        case: Case, response: Response, roles: Roles, options: TinyOptions
    ) -> tuple[Claim, ...]:
        assert roles.blobs is not None
        assert roles.blobs.get(response.artifacts["file"]).data.decode() == response.text
        return await TINY.claims(case, response, roles, options)

    def counting(run: RunView, options: TinyOptions) -> Any:
        for one in run.assessed():
            assert run.blobs.get(one.response.artifacts["file"]).data
        yield from TINY.cells(run, options)

    protocol = replace(TINY, ask=drawing, claims=reading, cells=counting)
    with create(tmp_path / "r", source="3") as store:
        await ask(store, protocol, OPTIONS, roles=CAST, models=[Echo()])
        scoring = await check(store, protocol, OPTIONS, roles=CAST)
        assert {one.left_out for one in store.view(scoring.id).assessed()} == {None}
        await estimate(store, protocol, OPTIONS, scoring=scoring.id, seed=SEED)


async def test_once_is_once_over_starts_and_failures_are_not_kept(tmp_path: Path) -> None:
    made: list[str] = []

    async def make() -> bytes:
        made.append("made")
        if len(made) == 1:
            raise FetchError("not there")
        return b"outcome"

    with create(tmp_path / "r", source="1") as store:
        once = JournaledOnce(store)
        with pytest.raises(FetchError):
            await once("tool", {"name": "search", "query": "q"}, make)
        assert await once("tool", {"query": "q", "name": "search"}, make) == b"outcome"
        assert await once("tool", {"name": "search", "query": "q"}, make) == b"outcome"
        assert await once("page", {"name": "search", "query": "q"}, make) == b"outcome"
    with create(tmp_path / "r", source="1") as store:
        assert await JournaledOnce(store)("tool", {"name": "search", "query": "q"}, make) == b"outcome"
    assert len(made) == 3


def _seeded(store: RunStore, scoring: str) -> Response:
    """Write one seeded statement as a check with a certificate does."""
    turns = (Turn(index=0, role="assistant", parts=(Text(text="Invented."),)),)
    response = Response(
        id=response_id(CERTIFICATE, "c0", "with", 0), case_id="c0", arm="with", model=CERTIFICATE, turns=turns
    )
    claim = Claim.of(response.id, turn=0, start=0, stop=9, text="Invented.", extractor="tiny")
    rated = Verdict(
        subject=claim.id,
        response_id=response.id,
        aspect="support",
        rater="rule:strict",
        label="unsupported",
        scoring=scoring,
    )
    store.write_now(put_response, response)
    store.write_now(
        put_checked, scoring, Checked(response_id=response.id, claims=(claim,), verdicts=(rated,))
    )
    return response


async def test_seeded_statements_are_hidden_unless_named(tmp_path: Path) -> None:
    with create(tmp_path / "r", source="3") as store:
        model = Journaled(Echo(), Journal(store))
        await whole(store, [model], OPTIONS)
        scoring = store.latest_scoring().id
        view, numbers = store.view(scoring), store.estimates(scoring)

        def seen() -> Any:
            view = store.view(scoring)
            return (
                view.models,
                [one.response.id for one in view.assessed()],
                store.answers(scoring),
                store.read(count_status),
                list(response_rows(view)),
                store.read(count_unchecked, scoring),
                store.read(count_unchecked, "another"),
            )

        before = seen()
        response = _seeded(store, scoring)
        assert seen() == before
        (scored,) = view.assessed(model=CERTIFICATE)
        assert (scored.response, scored.verdicts[0].label) == (response, "unsupported")
        await whole(store, [model], OPTIONS)
        assert store.estimates(scoring) == numbers
        with pytest.raises(BadInput, match="kept for seeded statements"):
            store.import_responses([response])
    assert all(finding.ok for finding in verify(tmp_path / "r"))
