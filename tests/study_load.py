"""Simulated raters who save labels over HTTP, for the kill test and the benchmark: every acknowledged answer is written down."""

import asyncio
import json
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

import aiohttp
from sqlalchemy import Connection

from percuss.study.portal.security import csrf_token
from percuss.study.portal.visit import cookie_name
from percuss.study.store import people
from percuss.study.study import Study

ACTION = re.compile(r'method="post" action="(/work/[0-9a-f]+)"')


@dataclass
class Load:
    """What the raters saw: acknowledged (token, answer), seconds of each save, saves that failed."""

    saved: list[tuple[str, str]] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    failed: int = 0


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
def server(folder: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Serve a study in a process of its own by the command that people use."""
    command = [sys.executable, "-m", "percuss", "study", "serve", str(folder), "--port", "0"]
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
    async with aiohttp.ClientSession(
        cookies={cookie_name(secret, secure=False): cookie}, cookie_jar=aiohttp.CookieJar(unsafe=True)
    ) as session:
        try:
            async with session.get(f"{address}/work") as reply:
                page = await reply.text()
            while time.monotonic() < until:
                found = ACTION.search(page)
                if found is None:
                    if "/pause" in page and "Go on" in page:
                        async with session.get(f"{address}/work") as reply:
                            page = await reply.text()
                        if ACTION.search(page):
                            continue
                    return
                await asyncio.sleep(rng.uniform(0.5, 1.5) * think_s)
                answer = rng.choice(("supported", "partial", "unsupported"))
                form = {"csrf": token, f"q.{question}": answer, "active_ms": "4000"}
                began = time.perf_counter()
                async with session.post(
                    f"{address}{found.group(1)}", data=form, headers={"HX-Request": "true"}
                ) as reply:
                    page = await reply.text()
                    if reply.status != 200:
                        load.failed += 1
                        return
                load.seconds.append(time.perf_counter() - began)
                load.saved.append((found.group(1).rsplit("/", 1)[1], answer))
        except (aiohttp.ClientError, OSError):
            return


async def crowd(
    address: str, study: Study, cookies: list[str], load: Load, *, think_s: float, seconds: float
) -> None:
    """Let all raters work at once."""
    until = time.monotonic() + seconds
    tasks = [
        rate(address, cookie, study.secret, load, seed=n, think_s=think_s, until=until)
        for n, cookie in enumerate(cookies)
    ]
    await asyncio.gather(*tasks)


def missing(study: Study, load: Load) -> list[str]:
    """Return acknowledged labels that are not in the study, or are not what was acknowledged."""
    from percuss.study.store import work

    with study.database.read() as connection:
        stored = {label.token: label.given.answer.get("support") for label in work.labelled(connection)}
    return [token for token, answer in load.saved if stored.get(token) != answer]


def as_json(load: Load) -> str:
    """Return the figures of a load as one line."""
    ordered = sorted(load.seconds)

    def at(share: float) -> float:
        return round(1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))], 1)

    figures = {"saves": len(ordered), "failed": load.failed}
    return json.dumps({**figures, "p50_ms": at(0.5), "p95_ms": at(0.95), "p99_ms": at(0.99)})
