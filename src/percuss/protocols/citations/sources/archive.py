"""Pages and answers, content-addressed: what was fetched once is read again byte for byte, with the network off.

A folder holds `pages.jsonl` (one finished row a page, failures too), `blobs/ab/<sha256>` (bytes as sent) and
`texts/<digest>-<extractor>.json` (extracted text). Rows are appended, never changed; the last row of a URL counts.
"""

import asyncio
import datetime as dt
import hashlib
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec

from percuss.core.errors import FetchError
from percuss.core.strict import Record
from percuss.net.fetching import Page
from percuss.text.documents.page import PageText, read_page

__all__ = ["Archive", "PageRow"]


class PageRow(Record):
    """One fetched page, or the kind of its failure.

    Args:
        key: the URL asked for, or `kind?query` of a search or registry. url: the final one.
        digest: sha256 of the bytes as sent; "" = it failed. failure: timeout, dns, tls, refused, too_large, blocked.
        note: the failure in one sentence.
    """

    key: str
    url: str = ""
    status: int = 0
    media_type: str = ""
    charset: str = ""
    fetched_at: str = ""
    digest: str = ""
    failure: str = ""
    note: str = ""


class Archive:
    """An archive in a folder.

    Args:
        folder: made at the first writing; one process writes.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = threading.Lock()
        self._rows: dict[str, PageRow] = {}
        index = folder / "pages.jsonl"
        if index.exists():
            for line in index.read_bytes().splitlines():
                if line.endswith(b"}"):  # a row that was cut by a kill is asked for again
                    row = msgspec.json.decode(line, type=PageRow)
                    self._rows[row.key] = row

    def __len__(self) -> int:
        return len(self._rows)

    def find(self, key: str) -> PageRow | None:
        """Return the last row of a key, failed ones included; None where it was never asked for."""
        return self._rows.get(key)

    def put(self, row: PageRow, data: bytes = b"") -> PageRow:
        """Keep a row and its bytes; return the row with its digest."""
        if not row.failure:
            digest = hashlib.sha256(data).hexdigest()
            row = msgspec.structs.replace(row, digest=digest)
            path = self._blob(digest)
            if not path.exists():
                path.parent.mkdir(parents=True, exist_ok=True)
                part = path.with_suffix(f".{threading.get_ident()}")
                part.write_bytes(data)
                part.replace(path)
        with self._lock:
            self.folder.mkdir(parents=True, exist_ok=True)
            with (self.folder / "pages.jsonl").open("ab") as file:
                file.write(msgspec.json.encode(row) + b"\n")
            self._rows[row.key] = row
        return row

    async def asked(self, key: str, get: Callable[[], Awaitable[Page]] | None) -> Page:
        """Return what a search or registry answered to something, asked once; a failure is asked again.

        Raises:
            FetchError: it could not be asked, or nobody may be contacted (`get` is None).
        """
        kept = self.find(key)
        if kept is not None and not kept.failure:
            return Page("", kept.status, kept.media_type, "", await asyncio.to_thread(self.data, kept.digest))
        if get is None:
            raise FetchError(
                f"the archive holds no answer to {key[:120]}, and no host is contacted", kind="blocked"
            )
        page = await get()
        stamp = dt.datetime.now(tz=dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        row = PageRow(key=key, status=page.status, media_type=page.media_type, fetched_at=stamp)
        await asyncio.to_thread(self.put, row, page.data)
        return page

    def data(self, digest: str) -> bytes:
        """Return bytes by digest.

        Raises:
            FetchError: they are gone, or are other bytes than those that were archived.
        """
        path = self._blob(digest)
        if not path.exists():
            raise FetchError(f"the archive lacks {digest[:12]}", kind="blocked")
        data = path.read_bytes()
        if hashlib.sha256(data).hexdigest() != digest:
            raise FetchError(f"the archive's {digest[:12]} was changed", kind="blocked")
        return data

    def text(self, row: PageRow) -> PageText:
        """Return a page's text: extracted once, kept under the digest and the extractor.

        Raises:
            BadInput, FetchError: it can't be read, or is gone.
        """
        kept = self.kept_text(row)
        if kept is not None:
            return kept
        return self.keep_text(row, read_page(row.media_type, self.data(row.digest), row.charset, url=row.url))

    def kept_text(self, row: PageRow) -> PageText | None:
        """Return the text that was extracted from a page before; None where there is none."""
        kept = sorted((self.folder / "texts").glob(f"{row.digest}-*.json"))
        return msgspec.json.decode(kept[-1].read_bytes(), type=PageText) if kept else None

    def keep_text(self, row: PageRow, made: PageText) -> PageText:
        """Keep a page's text and return it."""
        folder = self.folder / "texts"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{row.digest}-{made.extractor}.json").write_bytes(msgspec.json.encode(made))
        return made

    def _blob(self, digest: str) -> Path:
        return self.folder / "blobs" / digest[:2] / digest
