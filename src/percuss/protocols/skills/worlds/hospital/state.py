"""The hospital while an agent works in it: a database that nobody can change, and what was handed in."""

import asyncio
from collections.abc import Mapping
from typing import Any

import msgspec

from percuss.core.ids import b2, canonical_json
from percuss.core.ports import Once
from percuss.protocols.skills.worlds.contract import Result
from percuss.protocols.skills.worlds.hospital.data import hospital_of
from percuss.protocols.skills.worlds.hospital.database import SECONDS, Database, Rows, expected
from percuss.protocols.skills.worlds.hospital.files import notes, read_csv
from percuss.protocols.skills.worlds.hospital.guard import rule
from percuss.protocols.skills.worlds.hospital.schema import described

__all__ = ["MOST_SUBMITTED", "Ward"]

MOST_SUBMITTED = 1_000
"""Rows that may be handed in for one round."""
WRITE = "write"
"""The effect in the tool log of a statement that would have written, locked or left the hospital."""


class Ward:
    """One response's hospital.

    Args:
        seed: of the hospital. database: its own. once: keeps what a server gave, so that a resumed run reads the same;
            None: nothing is kept.
    """

    def __init__(self, seed: int, database: Database, once: Once | None = None) -> None:
        self._seed = seed
        self._database = database
        self._once = once
        self._round = 0
        self._handed: dict[int, Any] = {}
        self._built = expected(seed)

    def begin(self, round_: int) -> None:
        """Hear that a round begins (`round_`, from 0); with the first, the task begins anew."""
        self._round = round_
        if round_ == 0:
            self._handed.clear()

    def digest(self) -> str:
        """Return the digest of all tables and of what was handed in."""
        return b2(self._database.digests(), sorted(self._handed.items()))

    def changed(self) -> tuple[str, ...]:
        """Return the tables whose rows differ from those built; always none unless a lock failed."""
        now = self._database.digests()
        return tuple(sorted(name for name in {*now, *self._built} if now.get(name) != self._built.get(name)))

    def submitted(self, round_: int) -> Any:
        """Return the rows handed in during a round (`round_`, from 0), the last of several; None for none."""
        return self._handed.get(round_)

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> Result:
        """Do what an agent called for.

        Args:
            tool: schema, query, notes, read_csv or submit. arguments: as the tool's schema says.
        """
        if tool == "query":
            return await self._query(arguments)
        if tool == "notes":
            return notes(hospital_of(self._seed), arguments)
        if tool == "read_csv":
            return read_csv(hospital_of(self._seed), arguments)
        if tool == "submit":
            return self._submit(arguments)
        files = ", ".join(sorted(hospital_of(self._seed).files))
        return Result(text=f"{described(self._database.dialect)}\nCSV files: {files}.")

    async def _query(self, arguments: Mapping[str, Any]) -> Result:
        sql = arguments.get("sql")
        if not isinstance(sql, str) or not sql.strip():
            return Result(text='Not done: expected {"sql": "SELECT .."}.', outcome="error")
        ruling = rule(sql, self._database.dialect)
        if ruling.outcome != "ok":
            effect = WRITE if ruling.outcome == "refused" else ""
            return Result(text=f"Not done: {ruling.why}", outcome=ruling.outcome, effect=effect)
        return _result(await self._rows(sql))

    async def _rows(self, sql: str) -> Rows:
        async def make() -> bytes:
            return msgspec.json.encode(await asyncio.to_thread(self._database.run, sql))

        if self._once is None or self._database.dialect == "sqlite":
            return msgspec.json.decode(await make(), type=Rows)
        key = {"world": "hospital", "database": self._database.dialect, "seed": self._seed, "sql": sql}
        return msgspec.json.decode(await self._once("tool", key, make), type=Rows)

    def _submit(self, arguments: Mapping[str, Any]) -> Result:
        rows = arguments.get("rows")
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            return Result(
                text='Not taken: expected {"rows": [{"column": value, ..}, ..]}, one object per row.',
                outcome="error",
            )
        if len(rows) > MOST_SUBMITTED:
            return Result(text=f"Not taken: {len(rows)} rows; at most {MOST_SUBMITTED}.", outcome="error")
        self._handed[self._round] = rows
        return Result(text=f"Handed in: {len(rows)} rows.", done=True)


def _result(rows: Rows) -> Result:
    if rows.timed_out:
        text = f"Stopped: the statement took longer than {SECONDS} seconds."
        return Result(text=text, outcome="error", spent={"seconds": SECONDS})
    if rows.error:
        outcome, effect = ("refused", WRITE) if rows.denied else ("error", "")
        return Result(text=f"The database says: {rows.error}", outcome=outcome, effect=effect)  # type: ignore[arg-type]
    held: dict[str, Any] = {"columns": rows.columns, "rows": rows.rows}
    if rows.more:
        held["more"] = f"only the first {len(rows.rows)} rows are shown"
    return Result(text=canonical_json(held).decode(), spent={"rows": len(rows.rows)})
