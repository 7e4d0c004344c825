"""Servers of the loopback in a thread of their own, for commands that run in other processes."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager, contextmanager
from typing import Any, TypeVar

from percuss.core.messages import Reply
from percuss.models.loopback import Loopback
from percuss.models.wire_server import Images, read_request
from percuss.phantoms import phantom

__all__ = ["chatting", "in_a_thread"]

Server = TypeVar("Server")


@contextmanager
def in_a_thread(server: AbstractAsyncContextManager[Server]) -> Iterator[Server]:
    """Enter a server in an event loop of its own, and leave it there."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        entered = asyncio.run_coroutine_threadsafe(server.__aenter__(), loop).result()
        try:
            yield entered
        finally:
            asyncio.run_coroutine_threadsafe(server.__aexit__(None, None, None), loop).result()
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


@contextmanager
def chatting(models: dict[str, str]) -> Iterator[str]:
    """Serve simulated models under names of real ones, and yield the base URL.

    Args:
        models: name on the wire -> phantom; "" for any other name.
    """
    made = {name: phantom(text, seed=1) for name, text in models.items()}
    images = Images()

    async def answer(body: dict[str, Any]) -> Reply:
        return await made.get(str(body["model"]), made[""]).generate(read_request(body, images))

    with in_a_thread(Loopback(answer, images=images)) as server:
        yield server.url
