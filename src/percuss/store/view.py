"""A run as `estimate`, `annotate` and reports read it: in order, in bounded memory, one scoring at a time."""

import sqlite3
from collections.abc import Iterator, Mapping
from typing import Any

from percuss.core.labels import Reason
from percuss.core.ports import ScoredResponse
from percuss.core.records import Blob, Case, Response
from percuss.core.renamed import Names, names_of
from percuss.store import blobs, cases, manifest, responses, scorings, verdicts
from percuss.store.database import Database
from percuss.store.packed import read_json

__all__ = ["StoredView"]

PAGE = 64
"""Cases read at a time: enough that a query costs little beside its rows, few enough for cases with images."""

NOT_CHECKED = f"{Reason.NOT_CHECKABLE}:not checked"


class StoredView:
    """A `RunView` of a stored run. Seeded statements (`CERTIFICATE`) are seen only by whoever names their model.

    Args:
        database: the run.
        scoring: id of the scoring whose claims and verdicts are read; people's verdicts come beside them.
        names: old names of raters; None: those of the run's protocol.
    """

    def __init__(self, database: Database, scoring: str, names: Names | None = None) -> None:
        self._database = database
        self._scoring = scoring
        self._manifest = database.read(manifest.read_manifest)
        self._names = names_of(str(self._manifest.get("protocol", ""))) if names is None else names
        self._simulated = database.read(manifest.simulated_models)
        seen = database.read(responses.models_seen)
        named = [name for name, _ in self._manifest.get("models", [])]
        self._models = tuple(name for name in named if name in seen) + tuple(sorted(seen - set(named)))

    @property
    def scoring(self) -> str:
        """Id of the scoring."""
        return self._scoring

    @property
    def seed(self) -> int:
        """Root seed of the run."""
        return int(self._manifest.get("seed", 0))

    @property
    def models(self) -> tuple[str, ...]:
        """Models with at least one response, in the order in which they were first named."""
        return self._models

    @property
    def simulated(self) -> frozenset[str]:
        """Ids of the models, judges included, that are simulations."""
        return self._simulated

    @property
    def blobs(self) -> "ReadBlobs":
        """The bytes that answers point at, by digest."""
        return ReadBlobs(self._database)

    def manifest(self) -> Mapping[str, Any]:
        """Return the run's manifest."""
        return self._manifest

    def cases(self) -> Iterator[Case]:
        """Yield the cases of the run, in order."""
        for page in self._pages():
            yield from (case for _, case in page)

    def case(self, case_id: str) -> Case:
        """Return one case.

        Raises:
            KeyError: the run holds no such case.
        """
        return self._database.read(cases.get_case, case_id)

    def assessed(self, *, model: str | None = None, arm: str | None = None) -> Iterator[ScoredResponse]:
        """Yield responses of every status with claims and verdicts, ordered by model, case, arm and epoch."""
        for name in self._models if model is None else (model,):
            for page in self._pages():
                yield from self._assess(name, arm, page)

    def _pages(self) -> Iterator[list[tuple[int, Case]]]:
        start = 0
        while True:
            page = self._database.read(cases.read_cases, start, start + PAGE)
            if not page:
                return
            yield page
            start += PAGE

    def _assess(self, model: str, arm: str | None, page: list[tuple[int, Case]]) -> list[ScoredResponse]:
        by_id = {case.id: case for _, case in page}
        rows = self._database.read(_responses, model, self._scoring, arm, page[0][0], page[-1][0])
        ids = [row[0] for row in rows]
        claims = self._database.read(scorings.claims_of, self._scoring, ids)
        said = self._database.read(verdicts.verdicts_of, self._scoring, ids)
        found = []
        for row in rows:
            response = responses.response_of(row[: responses.N_COLUMNS])
            checked = row[responses.N_COLUMNS]
            left_out = _lost(response) or (
                NOT_CHECKED if checked is None else read_json(checked, list[Any])[0]
            )
            ours = tuple(claims.get(response.id, ()))
            theirs = verdicts.in_claim_order(ours, map(self._names.verdict, said.get(response.id, [])))
            found.append(
                ScoredResponse(
                    case=by_id[response.case_id],
                    response=response,
                    claims=ours,
                    verdicts=theirs,
                    left_out=left_out,
                )
            )
        return found


class ReadBlobs:
    """The run's bytes by digest, for reading."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, digest: str) -> Blob:
        """Return the blob.

        Raises:
            KeyError: the run holds none of this digest.
        """
        return self._database.read(blobs.get_blob, digest)


def _lost(response: Response) -> str | None:
    """Return why a response holds nothing; a follower is lost by the reason of the answer that it follows."""
    return str(response.artifacts.get("predecessor", response.reason)) if response.reason else None


def _responses(
    db: sqlite3.Connection, model: str, scoring: str, arm: str | None, start: int, stop: int
) -> list[tuple[Any, ...]]:
    return db.execute(
        f"SELECT {responses.RESPONSE_COLUMNS}, "  # noqa: S608 - our own text
        "(SELECT json_array(k.reason) FROM checks k WHERE k.response_id = r.response_id AND k.scoring = ?) "
        "FROM cases c CROSS JOIN responses r ON r.case_id = c.case_id AND r.model = ? "
        "WHERE c.ordinal BETWEEN ? AND ? AND (? IS NULL OR r.arm = ?) ORDER BY c.ordinal, r.arm, r.epoch",
        (scoring, model, start, stop, arm, arm),
    ).fetchall()
