"""Errors are a vocabulary: one sentence each, that says what was got, what was expected and what to do.

PercussError                 anything that a user can mend; the command line prints its sentence
├── UsageError               wrong words on the command line or in a call (exit code 2)
│   └── BadInput             a file or record that cannot be read; carries source and line
├── RunError                 the run folder: locked, newer, of another identity, full disk (exit code 1)
├── ModelError               one call to a model
│   ├── Transient            429, 5xx, time-out, reset: asked again
│   ├── Refused              the provider's content filter; terminal
│   ├── BadRequest           4xx; terminal
│   ├── BadReply             malformed or empty reply: asked again, never a row of the journal
│   └── OverBudget           the next call would pass a limit that the user set
│       └── NoCredit         the account behind a key is empty: as a budget that the provider holds
├── FetchError               one fetched page or search
└── HostRefused              a host that --offline does not allow
"""

__all__ = [
    "BadInput",
    "BadReply",
    "BadRequest",
    "FetchError",
    "HostRefused",
    "ModelError",
    "NoCredit",
    "OverBudget",
    "PercussError",
    "Refused",
    "RunError",
    "Transient",
    "UsageError",
]


class PercussError(Exception):
    """Base of every error that percuss raises on purpose; `exit_code` is what the command line returns."""

    exit_code = 1


class UsageError(PercussError):
    """The command or call cannot mean anything as it stands."""

    exit_code = 2


class BadInput(UsageError):
    """A file or record that cannot be read.

    Args:
        message: one sentence: got, expected, what to do.
        source: file or table the record came from; None where there is none.
        line: 1-based line or record number; None where it does not apply.
    """

    def __init__(self, message: str, *, source: str | None = None, line: int | None = None) -> None:
        where = "" if source is None else source + ("" if line is None else f", line {line}") + ": "
        super().__init__(where + message)
        self.source = source
        self.line = line


class RunError(PercussError):
    """The run folder cannot be used as it is."""


class ModelError(PercussError):
    """One call to a model failed."""


class Transient(ModelError):
    """Worth another attempt: 429, 5xx, time-out or a broken connection.

    Args:
        message: what happened.
        retry_after_s: seconds the server asked to wait; None where it said nothing.
    """

    def __init__(self, message: str, *, retry_after_s: float | None = None) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s


class Refused(ModelError):
    """The provider declined to answer (content filter); terminal."""


class BadRequest(ModelError):
    """The provider rejected the request; terminal."""


class BadReply(ModelError):
    """A reply that is malformed or empty; asked again, and never a row of the journal."""


class OverBudget(ModelError):
    """The next call would pass a budget that the user set; the run stops cleanly and can be resumed."""


class NoCredit(OverBudget):
    """The provider says that the account has no credit or quota left; asking again would not help."""


class FetchError(PercussError):
    """A page or search could not be fetched.

    Args:
        message: one sentence.
        kind: timeout, dns, tls, refused, too_large, blocked; "" = another reason.
    """

    def __init__(self, message: str, *, kind: str = "") -> None:
        super().__init__(message)
        self.kind = kind


class HostRefused(PercussError):
    """A connection to a host that this run does not allow."""
