"""An executor of two processes on the seam between making and writing: units out, calls asked for and streamed back."""

import asyncio
import multiprocessing
from collections.abc import Mapping, Sequence
from multiprocessing.connection import Connection
from queue import Empty, Queue
from threading import Thread
from typing import Any

import msgspec

from percuss.api.run.elsewhere import Spec, make
from percuss.engine.making import Outcome, Unit
from percuss.store import RunStore
from percuss.store.blobs import put_blob
from percuss.store.calls import Call, find_call, put_call
from percuss.store.responses import put_response
from percuss.store.scorings import put_checked

_CALLS = msgspec.msgpack.Decoder(tuple[Call, ...])


class Distant:
    """The calls of a run that another process holds."""

    def __init__(self, line: "Connection[Any, Any]") -> None:
        self._line = line

    def find(self, keys: Sequence[str]) -> Mapping[str, Call]:
        self._line.send(("find", list(keys)))
        return {call.key: call for call in _CALLS.decode(self._line.recv())}

    async def append(self, calls: Sequence[Call]) -> None:
        self._line.send(("append", msgspec.msgpack.encode(tuple(calls))))
        self._line.recv()


def _serve(line: "Connection[Any, Any]") -> None:
    while (task := line.recv()) is not None:
        unit, spec = task
        line.send(("made", asyncio.run(make(unit, spec, Distant(line)))))


class Executor:
    """Two processes that make what they are given; this one alone touches the run.

    `appended` are the keys of all calls that were made, `repeated` of those that a maker made although it had been told
    of them: two makers that ask for one call at the same time both make it.

    Args:
        store: the run. spec: what units are made with.
        patience: calls after which one of the two is killed in the middle of its work; None lets both live.
    """

    def __init__(self, store: RunStore, spec: Spec, *, patience: int | None = None) -> None:
        self.appended: list[str] = []
        self.repeated: list[str] = []
        self._found: set[tuple[int, str]] = set()
        self._store = store
        self._spec = msgspec.msgpack.encode(spec)
        self._patience = patience

    def run(self, units: Sequence[Unit]) -> None:
        """Have every unit made and write it; a unit whose maker died is left to the next run."""
        waiting: Queue[Unit] = Queue()
        for unit in units:
            waiting.put(unit)
        threads = [Thread(target=self._worker, args=(waiting, number)) for number in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def _worker(self, waiting: "Queue[Unit]", number: int) -> None:
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        child = context.Process(target=_serve, args=(theirs,))
        child.start()
        theirs.close()
        try:
            while True:
                ours.send((msgspec.msgpack.encode(waiting.get_nowait()), self._spec))
                while not self._answered(ours.recv(), ours):
                    if number == 0 and self._patience is not None and len(self.appended) >= self._patience:
                        child.kill()
        except Empty:
            ours.send(None)
        except (EOFError, OSError):
            assert self._patience is not None
        child.join()

    def _answered(self, said: tuple[str, Any], line: "Connection[Any, Any]") -> bool:
        kind, content = said
        if kind == "find":
            held = [call for key in content if (call := self._store.read(find_call, key)) is not None]
            self._found |= {(id(line), call.key) for call in held}
            line.send(msgspec.msgpack.encode(held))
        elif kind == "append":
            for call in _CALLS.decode(content):
                self._store.write_now(put_call, call)
                self.appended.append(call.key)
                self.repeated += [call.key] if (id(line), call.key) in self._found else []
            line.send(None)
        else:
            self._write(msgspec.msgpack.decode(content, type=Outcome))
        return kind == "made"

    def _write(self, outcome: Outcome) -> None:
        for blob in outcome.blobs:
            self._store.write_now(put_blob, blob)
        if outcome.response is not None:
            self._store.write_now(put_response, outcome.response, outcome.uses)
        if outcome.checked is not None:
            scoring = outcome.checked.verdicts[0].scoring
            self._store.write_now(put_checked, scoring, outcome.checked, outcome.uses)
