"""Simulated raters who save labels over HTTP, for the kill test and the benchmark: every acknowledged answer is written down."""

import asyncio
import os
import random
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import aiohttp
from sqlalchemy import Connection

from percuss.study.portal.security import csrf_token
from percuss.study.portal.visit import cookie_name
from percuss.study.store import people
from percuss.study.study import Study

ACTION = re.compile(r'method="post" action="(/work/[0-9a-f]+)"')


class Seen(NamedTuple):
    """When somebody asked, by the clock of `time.monotonic`, and how many seconds passed until the answer was there."""

    at: float
    seconds: float


@dataclass
class Load:
    """What people saw: acknowledged (token, answer), how long each save took, saves that failed, connections that broke.

    Args:
        coordinator, adjudicator: each of their pages; one that broke is asked for again, and the waiting counts.
        down: from when to when the server was away: killed, and listening again.
    """

    saved: list[tuple[str, str]] = field(default_factory=list)
    saves: list[Seen] = field(default_factory=list)
    failed: int = 0
    broken: int = 0
    coordinator: list[Seen] = field(default_factory=list)
    adjudicator: list[Seen] = field(default_factory=list)
    down: list[tuple[float, float]] = field(default_factory=list)

    def met(self, one: Seen) -> bool:
        """Return whether somebody waited while the server was away."""
        return any(one.at <= end and one.at + one.seconds >= begin for begin, end in self.down)


def seat(study: Study, count: int) -> list[str]:
    """Let raters join and practise without a browser, and return a session cookie of each."""

    def seated(connection: Connection) -> list[str]:
        cookies = []
        for n in range(count):
            code = f"r{n + 1}"
            people.join(connection, code, name=code, login=code)
            people.set_practised(connection, code, len(study.design.practice), {})
            cookies.append(people.open_session(connection, code))
        return cookies

    return study.database.write(seated)


@contextmanager
def server(folder: Path, port: int = 0) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Serve a study in a process of its own by the command that people use; port 0 takes a free one."""
    command = [sys.executable, "-m", "percuss", "study", "serve", str(folder), "--port", str(port)]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    assert process.stdout is not None
    address = ""
    for line in process.stdout:
        found = re.search(r"http://127\.0\.0\.1:\d+", line)
        if found:
            address = found.group()
            break
    assert address, "the server did not say its address"
    for _ in range(200):
        try:
            import urllib.request

            urllib.request.urlopen(f"{address}/health", timeout=5).read()
            break
        except OSError:
            time.sleep(0.05)
    try:
        yield process, address
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


async def rate(
    address: str,
    cookie: str,
    secret: bytes,
    load: Load,
    *,
    seed: int,
    think_s: float,
    until: float,
    question: str = "support",
) -> None:
    """Judge until the list or the time ends: arrive, read, think, save, read the next item in the answer."""
    rng = random.Random(seed)
    await asyncio.sleep(2 * rng.random() * think_s)
    token = csrf_token(secret, cookie)
    async with _browser(secret, cookie) as session:
        page = ""
        while time.monotonic() < until:
            try:
                found = ACTION.search(page)
                if found is None:  # the beginning, a break, or a server that was killed and is back
                    async with session.get(f"{address}/work") as reply:
                        page = await reply.text()
                    if ACTION.search(page) is None:
                        return  # the end of the list
                    continue
                await asyncio.sleep(rng.uniform(0.5, 1.5) * think_s)
                answer = rng.choice(("supported", "partial", "unsupported"))
                form = {"csrf": token, f"q.{question}": answer, "active_ms": "4000"}
                began = time.monotonic()
                address_of_item = f"{address}{found.group(1)}"
                async with session.post(address_of_item, data=form, headers={"HX-Request": "true"}) as reply:
                    page = await reply.text()
                    if reply.status != 200:
                        load.failed += 1
                        return
                load.saves.append(Seen(began, time.monotonic() - began))
                load.saved.append((found.group(1).rsplit("/", 1)[1], answer))
            except (aiohttp.ClientError, OSError):
                load.broken += 1
                page = ""
                await asyncio.sleep(0.2)


def _browser(secret: bytes, cookie: str) -> aiohttp.ClientSession:
    name = cookie_name(secret, secure=False)
    return aiohttp.ClientSession(cookies={name: cookie}, cookie_jar=aiohttp.CookieJar(unsafe=True))


async def watch(
    address: str, study: Study, cookie: str, path: str, seen: list[Seen], *, every_s: float, until: float
) -> None:
    """Keep a page open as a coordinator or adjudicator does: load it again and again, note the seconds."""
    async with _browser(study.secret, cookie) as session:
        while (began := time.monotonic()) < until:
            while True:
                try:
                    async with session.get(f"{address}{path}") as reply:
                        await reply.text()
                        assert reply.status == 200
                    break
                except (aiohttp.ClientError, OSError):
                    await asyncio.sleep(0.1)  # they press "load again" until it is there
            seen.append(Seen(began, time.monotonic() - began))
            await asyncio.sleep(every_s)


async def crowd(
    address: str,
    study: Study,
    cookies: list[str],
    load: Load,
    *,
    think_s: float,
    seconds: float,
    watching: bool = False,
) -> None:
    """Let all raters work at once; `watching`: a coordinator and an adjudicator have their pages open."""
    until = time.monotonic() + seconds
    tasks = [
        rate(address, cookie, study.secret, load, seed=n, think_s=think_s, until=until)
        for n, cookie in enumerate(cookies)
    ]
    if watching:
        pages = (("c1", "/coordinate", load.coordinator), ("a1", "/adjudicate", load.adjudicator))
        for code, path, seen in pages:
            cookie = study.database.write(lambda c, code=code: seated(c, code))  # type: ignore[misc]
            tasks.append(watch(address, study, cookie, path, seen, every_s=3.0, until=until))
    await asyncio.gather(*tasks)


def seated(connection: Connection, code: str) -> str:
    """Let somebody join, and return a session cookie."""
    people.join(connection, code, name=code, login=code)
    return people.open_session(connection, code)


def missing(study: Study, load: Load) -> list[str]:
    """Return acknowledged labels that are not in the study, or are not what was acknowledged."""
    from percuss.study.store import work

    with study.database.read() as connection:
        stored = {label.token: label.given.answer.get("support") for label in work.labelled(connection)}
    return [token for token, answer in load.saved if stored.get(token) != answer]
