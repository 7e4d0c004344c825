"""How a served study listens."""

import asyncio
import socket
import subprocess
import sys

from percuss.study.serve import listener_on


def test_what_is_sent_does_not_wait_for_what_was_sent_before() -> None:
    """asyncio leaves Nagle's delay on where a socket doesn't say that it is TCP: each page took 40 ms longer, each save 80."""

    async def told() -> int:
        heard: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        async def answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            taken = writer.get_extra_info("socket")
            heard.set_result(taken.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        listener = listener_on("127.0.0.1", 0)
        async with await asyncio.start_server(answer, sock=listener):
            _, writer = await asyncio.open_connection(*listener.getsockname())
            writer.close()
            return await heard

    assert asyncio.run(told()) != 0


def test_a_server_starts_without_the_statistics() -> None:
    """Seconds depend on the machine; what is imported doesn't: SciPy took a third of what starting took."""
    code = "import sys, percuss.study.portal.app, percuss.study.portal.many, percuss.study.serve; print(*sys.modules)"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"scipy", "pandas", "pydicom", "PIL"} & set(said.stdout.split())
