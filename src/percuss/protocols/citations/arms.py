"""The arms and what a case looks like in each: closed book, with its documents, and the last turn on an edited history."""

from msgspec.structs import replace

from percuss.core.errors import UsageError
from percuss.core.prompts import fill, neutralise
from percuss.core.records import Arm, Case, Earlier, Message, NotApplicable, Posed
from percuss.protocols.citations.case import Inquiry, reading
from percuss.protocols.citations.histories import HISTORIES, edited
from percuss.protocols.citations.library import bundled
from percuss.protocols.citations.options import CitationsOptions, prompt
from percuss.protocols.citations.sweeps import is_swept, setting_of, swept_arms

__all__ = ["CLOSED", "GROUNDED", "WEB", "arms", "pose"]

CLOSED, GROUNDED, WEB = "closed_book", "grounded", "web"
"""Without any text of the sources, with the documents of the question, with the provider's search (definitions, "Conversations")."""


def arms(options: CitationsOptions) -> tuple[Arm, ...]:
    """Return the arms: live follow-ups of `closed_book` are said again in the others, which then follow it.

    Args:
        options: `followups`; `web` adds the provider's search, `history` the last turn on three histories, `temperatures`
            and `efforts` a setting each.

    Raises:
        UsageError: a temperature or an effort that is none.
    """
    follows = CLOSED if options.followups == "live" else None
    made = [Arm(name=CLOSED, baseline=True), Arm(name=GROUNDED, after=follows)]
    if options.web:
        made.append(Arm(name=WEB, after=follows))
    made += [Arm(name=name, after=follows) for name in swept_arms(options)]
    if options.history:
        made += [Arm(name=name, after=CLOSED, needs="verdicts") for name in HISTORIES]
    return tuple(made)


def pose(
    case: Case, arm: Arm, earlier: Earlier | None, options: CitationsOptions, seed: int
) -> Posed | NotApplicable:
    """Put a case under a condition.

    Args:
        case: a seed. arm: the condition. earlier: the conversation of `closed_book`, for arms that follow it.
        options: `turns`, `followups`, prompts. seed: of the control's draw.
    """
    inquiry = reading(case)
    setting = {"web": True} if arm.name == WEB else setting_of(arm.name)
    if inquiry.short:
        if arm.name not in {CLOSED, WEB} and not is_swept(arm.name):
            return NotApplicable(reason="a short question has neither documents nor a history")
        return Posed(messages=(Message.of("user", inquiry.question),), script=setting)
    system = _system(inquiry, options, documents=arm.name == GROUNDED)
    cite = prompt(options, f"cite_{inquiry.domain}")
    opening = (Message.of("system", system), Message.of("user", _asked(inquiry.question, cite)))
    if arm.name in HISTORIES:
        if earlier is None:
            raise UsageError(f"the arm {arm.name} follows {CLOSED}, and got no conversation of it")
        held = edited(opening, earlier, arm.name, seed)
        return held if isinstance(held, NotApplicable) else Posed(messages=held)
    if arm.name == GROUNDED and not _documents(inquiry):
        return NotApplicable(reason="no document answers this question")
    if earlier is not None:
        said = [turn.text for turn in earlier.response.turns if turn.role == "user"]
        return Posed(messages=opening, script={"turns": said, **setting})
    if options.followups == "live":
        live = {"rounds": options.turns - 1, "domain": inquiry.domain, "category": inquiry.category, "cite": cite,
                "template": prompt(options, "followup")}  # fmt: skip
        return Posed(messages=opening, script={"live": live, **setting})
    later = inquiry.follow_ups[: options.turns - 1]
    return Posed(messages=opening, script={"turns": [_asked(text, cite) for text in later], **setting})


def _asked(question: str, cite: str) -> str:
    return f"{question}\n\n{cite}"


def _system(inquiry: Inquiry, options: CitationsOptions, *, documents: bool) -> str:
    parts = [prompt(options, "system")]
    if inquiry.bundled:
        parts.append(prompt(options, "library"))
    if documents:
        held = "\n\n".join(map(neutralise, _documents(inquiry)))
        parts.append(fill(prompt(options, "grounded"), {"documents": held}))
    return "\n\n".join(parts)


def _documents(inquiry: Inquiry) -> list[str]:
    """Return the texts of the documents that a seed is about."""
    library = bundled()
    held = [found.text for name in inquiry.documents if (found := library.find(name)) is not None]
    own = [replace(each, text=f"{each.title}\n\n{each.text}".strip()).text for each in inquiry.sources]
    return held + own
