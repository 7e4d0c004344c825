"""The closed sets of words that verdicts and cells are made of."""

from enum import StrEnum

__all__ = [
    "CERTIFICATE",
    "FAILURE_CLASSES",
    "JUDGED",
    "PEOPLE",
    "SPEECH_ACTS",
    "SPEECH_ASPECT",
    "SPEECH_GIVEN",
    "SUPPORT_ASPECT",
    "SUPPORT_LABELS",
    "Reason",
    "Support",
    "failure_class",
    "reason_head",
    "reason_words",
]


class Support(StrEnum):
    """Label of one claim against its evidence (aspect `support`)."""

    SUPPORTED = "supported"
    PARTIAL = "partial"
    UNSUPPORTED = "unsupported"
    UNKNOWN = "unknown"


#: Model of seeded statements whose truth is known; the store hides it unless it is asked for by name.
CERTIFICATE = "percuss/certificate"

#: What became of a judgement, the first that applies (definitions/explanation, "Evaluator selection").
FAILURE_CLASSES = ("transport", "parse", "schema", "abstain", "evidence", "ok")

#: Label sources made of a judge's passes together, by the policy of the run; the headline takes them before the rules.
JUDGED = ("agreement", "majority")

#: Label sources that people made: alone, or on a part with a machine on the rest.
PEOPLE = ("human", "corrected")

SUPPORT_LABELS = tuple(label.value for label in Support)

#: Aspect under which it is said whether a statement is supported.
SUPPORT_ASPECT = "support"

#: Aspect under which people say what a sentence does; `SPEECH_GIVEN` where it only says what the question says.
SPEECH_ASPECT, SPEECH_GIVEN = "speech_act", "given"

#: What a sentence may do (definitions/grounding.md, version 2, "What is counted").
SPEECH_ACTS = ("assertion", "hedged", "availability", "general", "heading", "none", SPEECH_GIVEN)


class Reason(StrEnum):
    """Why something was not scored; a protocol's finer reason follows a colon (`unparsable:schema`)."""

    CONFLICT = "conflict"
    ABSTAINED = "abstained"
    UNPARSABLE = "unparsable"
    INVALID_QUOTE = "invalid_quote"
    ERROR = "error"
    REFUSED = "refused"
    TRUNCATED = "truncated"
    NOT_APPLICABLE = "not_applicable"
    NOT_CHECKABLE = "not_checkable"
    UNDECIDED = "undecided"


def reason_head(reason: str) -> Reason:
    """Return the part of a reason that `core` knows.

    Args:
        reason: `head` or `head:finer`.

    Raises:
        ValueError: the head is not one of `Reason`.

    >>> reason_head("not_checkable:rule undecided").value
    'not_checkable'
    """
    return Reason(reason.partition(":")[0])


_SAID = {
    Reason.CONFLICT: "in conflict", Reason.ABSTAINED: "declined", Reason.UNPARSABLE: "unreadable", Reason.INVALID_QUOTE: "quote not found",
    Reason.ERROR: "failed", Reason.TRUNCATED: "cut off", Reason.NOT_APPLICABLE: "not applicable", Reason.NOT_CHECKABLE: "not checkable",
}  # fmt: skip


def reason_words(reason: str) -> str:
    """Return a reason as people say it; one that `core` doesn't know stays as it is.

    Args:
        reason: `head` or `head:finer`.

    >>> reason_words("undecided:by rule"), reason_words("not_applicable:withdrawn"), reason_words("truncated")
    ('undecided (by rule)', 'not applicable (withdrawn)', 'cut off')
    """
    head, _, finer = reason.partition(":")
    if head not in set(Reason):
        return reason
    said = _SAID.get(Reason(head), head)
    return f"{said} ({finer})" if finer else said


def failure_class(unscored: str) -> str:
    """Return the class of a verdict's reason.

    Args:
        unscored: as a verdict carries it (`unparsable:schema`).

    >>> failure_class("invalid_quote"), failure_class("abstained:tags_only"), failure_class("error:transport")
    ('evidence', 'abstain', 'transport')
    """
    head, _, finer = unscored.partition(":")
    if head == Reason.UNPARSABLE.value:
        return "parse" if finer in {"parse", "truncated"} else "schema"
    known = {
        Reason.ABSTAINED.value: "abstain",
        Reason.INVALID_QUOTE.value: "evidence",
        Reason.CONFLICT.value: "ok",
        Reason.UNDECIDED.value: "abstain",
    }
    return known.get(head, "transport")
