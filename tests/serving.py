"""A server that answers every request alike, as misconfigured or exhausted ones do: for what a user then reads."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, NamedTuple

__all__ = ["SERVERS", "Always", "chat", "serving"]


class Always(NamedTuple):
    """One answer to everything."""

    status: int
    body: str
    content_type: str = "application/json"


def chat(text: str) -> str:
    """Return the body of a chat completion."""
    message = {"role": "assistant", "content": text}
    return json.dumps({"model": "m", "choices": [{"message": message, "finish_reason": "stop"}], "usage": {}})


def _error(message: str, code: str) -> str:
    return json.dumps({"error": {"message": message, "type": code, "code": code}})


SERVERS = {
    "forbidden": Always(403, _error("Project p-1 has no access to this model.", "model_not_allowed")),
    "quota": Always(429, _error("You exceeded your current quota, please check your plan.", "insufficient_quota")),
    "gateway": Always(502, "<html><title>502 Bad Gateway</title></html>", "text/html"),
    "login": Always(200, "<html><title>Sign in</title><form></form></html>", "text/html"),
    "context": Always(400, _error("This model's maximum context length is 4096 tokens.", "context_length_exceeded")),
    "babble": Always(200, chat("Hard to say, it might well be so.")),
}  # fmt: skip


@contextmanager
def serving(answer: Always) -> Iterator[str]:
    """Serve one answer to everything on a free port, and yield the base URL."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("content-length", 0)))
            data = answer.body.encode()
            self.send_response(answer.status)
            self.send_header("content-type", answer.content_type)
            self.send_header("content-length", str(len(data)))
            self.send_header("retry-after", "0")
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
