"""A mail server on loopback that keeps what it gets, for tests: enough of RFC 5321 for one client at a time."""

import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class _Talk(socketserver.StreamRequestHandler):
    server: "_Server"

    def handle(self) -> None:
        """Answer one client until it quits."""
        self.wfile.write(b"220 loopback\r\n")
        to = ""
        for line in self.rfile:
            words = line.decode().strip()
            verb = words.upper()[:4]
            if verb == "RCPT":
                to = words.partition("<")[2].rstrip(">")
                if to.startswith("refused"):
                    self.wfile.write(b"550 no such mailbox\r\n")
                    continue
            if verb == "DATA":
                self.wfile.write(b"354 go on\r\n")
                body = b"".join(iter(self.rfile.readline, b".\r\n"))
                self.server.got.append((to, body.decode()))
            self.wfile.write(b"221 bye\r\n" if verb == "QUIT" else b"250 ok\r\n")
            if verb == "QUIT":
                return


class _Server(socketserver.TCPServer):
    allow_reuse_address = True

    def __init__(self) -> None:
        self.got: list[tuple[str, str]] = []
        super().__init__(("127.0.0.1", 0), _Talk)


@contextmanager
def mail_server() -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Give the address of a mail server and the list of (recipient, message) that fills as it is sent to."""
    with _Server() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        yield f"smtp://127.0.0.1:{server.server_address[1]}", server.got
        server.shutdown()
        thread.join()
