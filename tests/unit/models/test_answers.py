"""What a status means."""

from datetime import UTC, datetime

import msgspec
import pytest

from percuss.core.errors import BadRequest, NoCredit, PercussError, Refused, Transient, UsageError
from percuss.models.answers import complaint, error_of, retry_after_s
from percuss.models.endpoints import Endpoint, Secret
from percuss.net.client import Answer

PLACE = Endpoint("https://api.example.org/v1", Secret("sk-secret"), "EXAMPLE_API_KEY")


def answer(status: int, body: object = None, **headers: str) -> Answer:
    data = body if isinstance(body, bytes) else msgspec.json.encode(body)
    return Answer(status, {name.replace("_", "-"): value for name, value in headers.items()}, data)


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (429, {"error": {"message": "slow down"}}, Transient),
        (408, None, Transient),
        (409, None, Transient),
        (500, b"<html>", Transient),
        (503, None, Transient),
        (529, None, Transient),
        (400, {"error": {"message": "bad", "code": "invalid"}}, BadRequest),
        (422, {"detail": [{"msg": "bad"}]}, BadRequest),
        (413, None, BadRequest),
        (403, {"error": {"message": "no permission"}}, BadRequest),
        (400, {"error": {"message": "x", "code": "content_filter"}}, Refused),
        (
            400,
            {"error": {"message": "triggering Azure OpenAI's content management policy, content filter"}},
            Refused,
        ),
        (403, {"error": {"message": "Your input was flagged"}}, Refused),
        (401, None, UsageError),
        (402, None, NoCredit),
        (
            429,
            {"error": {"message": "You exceeded your current quota.", "code": "insufficient_quota"}},
            NoCredit,
        ),
        (404, None, UsageError),
        (301, None, UsageError),
    ],
)
def test_each_status_has_its_error(status: int, body: object, kind: type[PercussError]) -> None:
    assert type(complaint(answer(status, body), PLACE, "m")) is kind


def test_the_key_is_scrubbed_where_a_server_repeats_it() -> None:
    error = complaint(answer(400, {"error": {"message": "who is sk-secret?"}}), PLACE, "m")
    assert "sk-secret" not in str(error)
    assert "[key]" in str(error)


def test_a_word_for_no_key_takes_no_letters_out_of_a_sentence() -> None:
    """Servers without keys are called with `none` or `y`."""
    assert Secret("y").scrub("You may use y, my friend.") == "You may use [key], my friend."


def test_a_long_complaint_is_cut_and_on_one_line() -> None:
    error = complaint(answer(400, {"error": {"message": "a\nb\n" + "x" * 5000}}), PLACE, "m")
    assert "\n" not in str(error)
    assert len(str(error)) < 400


NOW = datetime(2025, 3, 1, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "3"}, 3.0),
        ({"retry-after": " 0.5 "}, 0.5),
        ({"retry-after": "Sat, 01 Mar 2025 12:00:30 GMT"}, 30.0),
        ({"retry-after": "Sat, 01 Mar 2025 11:00:00 GMT"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-5"}, None),
        ({"retry-after": "99999999"}, 3600.0),
        ({"retry-after": "9", "retry-after-ms": "250"}, 0.25),
    ],
)
def test_retry_after_in_seconds_and_as_a_date(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after_s(headers, now=NOW) == seconds


@pytest.mark.parametrize(
    ("body", "parameter", "said"),
    [
        (
            {
                "error": {
                    "message": "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
                    "param": "max_tokens",
                    "code": "unsupported_parameter",
                }
            },
            "max_tokens",
            True,
        ),
        (
            {
                "error": {
                    "message": "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
                    "param": "temperature",
                    "code": "unsupported_value",
                }
            },
            "temperature",
            True,
        ),
        ({"error": {"message": "`temperature` is deprecated for this model."}}, "temperature", True),
        ({"error": {"message": "seed: Extra inputs are not permitted"}}, "seed", True),
        ({"error": {"message": "Unknown field: seed"}}, "seed", True),
        (
            {
                "detail": [
                    {
                        "type": "extra_forbidden",
                        "loc": ["body", "seed"],
                        "msg": "Extra inputs are not permitted",
                    }
                ]
            },
            "seed",
            True,
        ),
        ({"error": {"message": "unknown token, stop"}}, "stop", False),
        ([{"error": {"message": 'Unknown name "seed": Cannot find field.'}}], "seed", True),
    ],
)
def test_a_parameter_counts_as_named_only_when_it_is(body: object, parameter: str, said: bool) -> None:
    error = error_of(answer(400, body))
    assert error.names_unsupported
    assert error.mentions(parameter) is said
