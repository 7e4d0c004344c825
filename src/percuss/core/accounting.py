"""What became of the answers of a run: one account per model and arm, and the sentences that say it.

An answer is usable when it is done and was not cut before its first complete sentence. A refusal in words is usable; a
provider's is not.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from percuss.core.labels import Reason
from percuss.core.strict import Record

__all__ = [
    "AnswerAccount", "JudgeAccount", "TurnAccount", "account_lines", "no_answer", "unread_line", "worst_share",
]  # fmt: skip

MOST_ARMS = 3
_WORDS = {
    Reason.REFUSED.value: "refused by the provider",
    "error:transient": "with the server busy or out of reach",
    "error:bad_reply": "with an empty or malformed reply",
    "error:bad_request": "rejected by the server",
    "error:predecessor": "the answer before it failed",
}


SPOKEN_SHARE = 0.1
"""Failed share above which the first sentence repeats what the server said."""


class AnswerAccount(Record):
    """What became of the answers of one model in one arm.

    Args:
        asked: answers that were asked for: done, refused or failed. Poses that the arm does not apply to are not among them.
        usable: done and not cut before the first complete sentence.
        cut: done, and some turn stopped at max_tokens; whether it is usable or not.
        refused: answers that the provider declined.
        failed: reason -> count of the other answers that ended without a value.
        unchecked: reason -> count of done answers that the scoring could not check; empty outside a scoring.
        words: reason -> what the server or the check said, the first time.
        simulated: the answers are a phantom's or a script's.
    """

    model: str
    arm: str
    asked: int
    done: int
    usable: int
    cut: int = 0
    refused: int = 0
    failed: dict[str, int] = {}
    unchecked: dict[str, int] = {}
    not_applicable: int = 0
    words: dict[str, str] = {}
    simulated: bool = False

    @property
    def lost(self) -> dict[str, int]:
        """Reason -> count of all that gave no value: refused, failed, unchecked."""
        found = Counter(self.failed) + Counter(self.unchecked)
        if self.refused:
            found[Reason.REFUSED.value] += self.refused
        return dict(found)

    @property
    def failed_share(self) -> float:
        """Share of the answers asked for that gave no value; 0 where none was asked for."""
        return sum(self.lost.values()) / self.asked if self.asked else 0.0


class TurnAccount(Record):
    """What became of one turn of the answers of one model in one arm.

    Args:
        turn: the model's turns, counted from 0.
        asked: answered, and conversations that failed while it was asked.
        answered: conversations that hold it. cut, refused: of these, by the turn's own finish (old runs noted none).
    """

    model: str
    arm: str
    turn: int
    asked: int
    answered: int
    cut: int = 0
    refused: int = 0


class JudgeAccount(Record):
    """What became of the replies of a judge.

    Args:
        replies: verdicts that it was asked for. unread: of these, replies that hold no label in the form that was asked for.
        sample: one such reply, cut; "" where all could be read.
    """

    model: str
    replies: int
    unread: int = 0
    sample: str = ""


def unread_line(account: JudgeAccount) -> str:
    """Say how many replies of a judge could not be read, with one of them; "" at a tenth or less.

    >>> unread_line(JudgeAccount(model="ward/j", replies=4, unread=3, sample="Fine, I think."))
    '3 of 4 replies of the judge ward/j could not be read, such as "Fine, I think."; name another judge, or its prompts with --prompts'
    """
    if account.unread <= SPOKEN_SHARE * account.replies:
        return ""
    return (
        f"{account.unread:,} of {account.replies:,} replies of the judge {account.model} could not be read, such as "
        f'"{" ".join(account.sample.split())[:120]}"; name another judge, or its prompts with --prompts'
    )


def no_answer(accounts: Iterable[AnswerAccount]) -> tuple[AnswerAccount, ...]:
    """Return the accounts of models in arms that were asked and gave no usable answer."""
    return tuple(account for account in accounts if account.asked and not account.usable)


def worst_share(accounts: Iterable[AnswerAccount]) -> float:
    """Return the largest failed share of a model in an arm; 0 where nothing was asked."""
    return max((account.failed_share for account in accounts), default=0.0)


def account_lines(
    accounts: Sequence[AnswerAccount], arm_words: Mapping[str, str] | None = None
) -> tuple[str, ...]:
    """Say how many answers failed and why; nothing where none failed and no arm is without a usable answer.

    Args:
        accounts: of a run.
        arm_words: arm -> how a person calls it; an arm that is missing keeps its name.

    Returns:
        The sum first, with the server's own words where more than a tenth failed; then one line per model and arm in which answers failed or were cut before the first sentence.

    >>> one = AnswerAccount(model="m", arm="full", asked=12, done=6, usable=6, refused=6)
    >>> account_lines([one], {"full": "with evidence"})
    ('6 of 12 answers failed: 6 refused by the provider', 'm, with evidence: 6 of 12 failed, 6 refused by the provider')

    Where several arms were asked, the sum says how many failed in which.
    """
    called = arm_words or {}
    lost: Counter[str] = Counter()
    for account in accounts:
        lost.update(account.lost)
    asked = sum(account.asked for account in accounts)
    short = sum(account.done - account.usable for account in accounts)
    words = _first_words(accounts) if lost.total() > SPOKEN_SHARE * asked else {}
    where = _arms(accounts, called)
    parts = [f"{lost.total():,} of {asked:,} answers failed{where}: {_reasons(lost, words)}"] if lost else []
    if short:
        parts.append(f"{short:,} of {asked:,} answers were cut before their first sentence ended")
    rows = [_row(account, called.get(account.arm) or account.arm) for account in accounts]
    return ("; ".join(parts), *(row for row in rows if row)) if lost or no_answer(accounts) else ()


def _first_words(accounts: Sequence[AnswerAccount]) -> dict[str, str]:
    found: dict[str, str] = {}
    for account in accounts:
        found = {**account.words, **found}
    return found


def _arms(accounts: Sequence[AnswerAccount], called: Mapping[str, str]) -> str:
    """Say in which arms they failed, where more than one was asked."""
    asked: Counter[str] = Counter()
    lost: Counter[str] = Counter()
    for account in accounts:
        asked[account.arm] += account.asked
        lost[account.arm] += sum(account.lost.values())
    if len(asked) < 2:
        return ""
    failing = [(arm, n) for arm, n in lost.most_common() if n]
    said = [f"{n:,} of {asked[arm]:,} {called.get(arm) or arm}" for arm, n in failing[:MOST_ARMS]]
    more = len(failing) - MOST_ARMS
    return f" ({', '.join([*said, *([f'{more} more arms'] if more > 0 else [])])})"


def _row(account: AnswerAccount, arm: str) -> str:
    parts = []
    lost = account.lost
    if lost:
        parts.append(f"{sum(lost.values()):,} of {account.asked:,} failed, {_reasons(lost, account.words)}")
    short = account.done - account.usable
    if short:
        parts.append(f"{short:,} of {account.asked:,} cut before the first sentence ended")
    if account.asked and not account.usable:
        parts.append("no usable answer")
    return f"{account.model}, {arm}: {'; '.join(parts)}" if parts else ""


def _reasons(lost: Mapping[str, int], words: Mapping[str, str] | None = None) -> str:
    ordered = sorted(lost.items(), key=lambda pair: (-pair[1], pair[0]))
    return ", ".join(
        f"{count:,} {_WORDS.get(reason, reason)}{_said(reason, words)}" for reason, count in ordered
    )


def _said(reason: str, words: Mapping[str, str] | None) -> str:
    said = " ".join((words or {}).get(reason, "").split())
    return f' ("{said[:120]}{"..." if len(said) > 120 else ""}")' if said else ""
