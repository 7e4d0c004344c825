"""What an endpoint's answer other than 200 means: one of the named errors, in one sentence, without the key."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, NamedTuple

import msgspec

from percuss.core.errors import BadRequest, NoCredit, PercussError, Refused, Transient, UsageError
from percuss.models.endpoints import Endpoint
from percuss.net.client import Answer

__all__ = ["ServerError", "complaint", "error_of", "retry_after_s"]

_TRANSIENT = frozenset({408, 409, 425, 429})
_FILTER_WORDS = re.compile(
    r"content.?filter|content.?policy|responsible.?ai|moderation|flagged|safety system", re.IGNORECASE
)
_UNSUPPORTED = re.compile(
    r"unsupported|not (?:be )?support|n't support|unrecognized|unrecognised|unknown|unexpected|extra inputs|"
    r"not permitted|not allowed|deprecated|not compatible|cannot both|only the default|invalid parameter",
    re.IGNORECASE,
)
_NO_CREDIT = re.compile(
    r"insufficient_quota|exceeded your current quota|credit balance is too low", re.IGNORECASE
)
_COMMON_WORDS = frozenset({"stop", "seed"})
_LONGEST_S = 3600.0


class ServerError(NamedTuple):
    """The error that a server wrote, in its usual shapes."""

    message: str
    code: str = ""
    parameter: str = ""

    @property
    def names_unsupported(self) -> bool:
        """Whether it says that something isn't taken."""
        return self.code.startswith("unsupported") or _UNSUPPORTED.search(self.message) is not None

    def mentions(self, parameter: str) -> bool:
        """Say whether it names a request parameter: in its own field, quoted, or as `parameter x`.

        A bare word counts only where it is no common one: a sentence may say "stop" and mean nothing by it.
        """
        if self.parameter:
            return self.parameter.split(".")[0] == parameter
        bare = "" if parameter in _COMMON_WORDS else rf"|(?<![\w.]){parameter}(?!\w)"
        pattern = rf"""['"`]{parameter}['"`]|(?:parameters?|arguments?|fields?):? {parameter}\b|^{parameter}:{bare}"""
        return re.search(pattern, self.message) is not None


def error_of(answer: Answer) -> ServerError:
    """Read the error out of an answer's body; an unreadable one is an empty message."""
    try:
        body: Any = msgspec.json.decode(answer.body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return ServerError("")
    if isinstance(body, list) and body:
        body = body[0]
    error = body.get("error", body.get("detail", body)) if isinstance(body, dict) else body
    if not isinstance(error, dict):
        return ServerError(_flat(error))
    message = error.get("message") or error.get("detail") or ""
    code = error.get("code") or error.get("type") or ""
    return ServerError(_flat(message), str(code), str(error.get("param") or ""))


def complaint(answer: Answer, endpoint: Endpoint, model: str) -> PercussError:
    """Return the error that an answer other than 200 deserves.

    401, an unknown model and a redirect are the user's to mend and end the run; 402 and a used-up quota stop it, to be
    resumed; other 429 and 5xx are asked again; a filter is a refusal; every other 4xx is a rejected request.
    """
    host, status, error = endpoint.host, answer.status, error_of(answer)
    said = f": {_scrubbed(error.message, endpoint)}" if error.message else ""
    if status == 402 or (
        status < 500 and (_NO_CREDIT.search(error.code) or _NO_CREDIT.search(error.message))
    ):
        return NoCredit(
            f"{host} answered {status}, the account has no credit left{said}; top it up or name another model"
        )
    if status in _TRANSIENT or status >= 500:
        return Transient(f"{host} answered {status}{said}", retry_after_s=retry_after_s(answer.headers))
    if status in (400, 403, 422) and (
        _FILTER_WORDS.search(error.code) or _FILTER_WORDS.search(error.message)
    ):
        return Refused(f"the content filter of {host} declined the request")
    if status == 401:
        what = "rejected the key" if endpoint.key is not None else "asks for a key"
        return UsageError(
            f"{host} {what} (401); expected a valid one in {endpoint.key_variable}; set it and start again"
        )
    if status == 404:
        return UsageError(
            f"{host} knows no model {model!r} at this address (404); expected a model it serves; "
            "check the model's name and --base-url"
        )
    if 300 <= status < 400:
        return UsageError(f"{host} redirects ({status}); expected the final address; give it by --base-url")
    return BadRequest(f"{host} rejected the request ({status}){said}")


def retry_after_s(headers: Mapping[str, str], *, now: datetime | None = None) -> float | None:
    """Return the seconds that a server asked to wait.

    Args:
        headers: lower-case names; `retry-after-ms`, then `retry-after` in seconds or as an HTTP date.
        now: for tests; None is the clock.

    Returns:
        Seconds in 0 .. 3600, or None where nothing readable was said.
    """
    millis = _number(headers.get("retry-after-ms"))
    if millis is not None:
        return min(max(millis / 1000.0, 0.0), _LONGEST_S)
    text = headers.get("retry-after")
    seconds = _number(text)
    if seconds is None and text:
        try:
            when = parsedate_to_datetime(text)
        except ValueError:
            return None
        when = when if when.tzinfo else when.replace(tzinfo=UTC)
        seconds = (when - (now or datetime.now(UTC))).total_seconds()
    return None if seconds is None else min(max(seconds, 0.0), _LONGEST_S)


def _number(text: str | None) -> float | None:
    return float(text) if text and re.fullmatch(r"\s*\d+(\.\d+)?\s*", text) else None


def _flat(value: Any) -> str:
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return re.sub(r"\s+", " ", text).strip()


def _scrubbed(text: str, endpoint: Endpoint) -> str:
    return (endpoint.key.scrub(text) if endpoint.key else text)[:300]
