"""The searches of a run, by name: `--search serper,crossref`; built with the run's own client and archive."""

import os

from percuss.engine.reach import Reach
from percuss.protocols.citations.sources.backends import ADDRESSES, WEB_SEARCHES, Backends, built, names_of
from percuss.protocols.citations.sources.polite import PER_SECOND, Polite

__all__ = ["hosts_of", "searched"]


def searched(text: str, reach: Reach) -> Backends:
    """Return the searches that a comma list names.

    Args:
        text: serper, brave, tavily, crossref, openalex, pubmed, datacite, arxiv, corpus, web. reach: of the run.

    Raises:
        UsageError: a name that is none, or a web search without its key.
    """
    per_second = float(os.environ.get("PERCUSS_REQUESTS_PER_SECOND") or PER_SECOND)
    polite = Polite(
        reach.client, archive=reach.archive, mail=os.environ.get("PERCUSS_MAIL", ""), per_second=per_second
    )
    return built(names_of(text), polite, os.environ)


def hosts_of(text: str) -> tuple[str, ...]:
    """Return the hosts that searches send references and questions about them to.

    Args:
        text: as in `searched`.

    Raises:
        UsageError: a name that is none.
    """
    names = names_of(text)
    asked = [
        os.environ.get(f"{name.upper()}_BASE_URL") or ADDRESSES[name] for name in names if name in ADDRESSES
    ]
    pages = (
        ("pages that answers and results name",) if "web" in names or set(names) & set(WEB_SEARCHES) else ()
    )
    return (*dict.fromkeys(url.split("/")[2] for url in asked), *pages)
