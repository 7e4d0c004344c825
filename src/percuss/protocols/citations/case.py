"""What a case carries: a seed question with its follow-ups, and the documents that it is about."""

from typing import Any

import msgspec

from percuss.core.records import Case, Record

__all__ = ["Inquiry", "Source", "reading"]


class Source(Record):
    """A document that the user brought with a question: an abstract or the text of a guideline.

    Args:
        title: "" where none was given. text: all that is known of it. whole: it is the whole work, no abstract.
        doi: "" where none was given.
    """

    title: str = ""
    text: str = ""
    whole: bool = False
    doi: str = ""


class Inquiry(Record):
    """Payload of a case.

    Args:
        question: the seed. follow_ups: later questions, in order; () where they are asked live.
        domain: medical_guidelines, research_questions, legal_cases or coding; category: of the question.
        documents: ids of documents of the bundled library that answer it.
        sources: documents that came with the question.
        bundled: it is asked of the bundled library, which is complete; else nothing is known beyond `sources`.
        language: of the code that a coding question asks for; "" is not said.
        short: of a short question `fabricated` (the thing doesn't exist) or `niche`; "" = a conversation.
        gold: accepted answers of a niche question.
    """

    question: str
    domain: str
    category: str = ""
    follow_ups: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()
    bundled: bool = False
    language: str = ""
    short: str = ""
    gold: tuple[str, ...] = ()


def reading(case: Case) -> Inquiry:
    """Return the payload of a case."""
    payload: dict[str, Any] = case.payload
    return msgspec.convert(payload, Inquiry)
