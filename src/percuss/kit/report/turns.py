"""How far conversations came: of each turn how often it was asked and answered, and how often it was cut or refused."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from percuss.core.accounting import TurnAccount
from percuss.core.labels import Reason
from percuss.core.records import Case, Response
from percuss.core.sections import Section
from percuss.kit.report.build import number, table, text
from percuss.kit.report.context import Report, Told
from percuss.measure.wording import counted, plural

__all__ = ["Turns", "turns"]

MOST = 40
PREDECESSOR = f"{Reason.ERROR.value}:predecessor"
NOTE = "One row per turn over all models and conditions, then a row wherever a turn was lost, cut or refused. A turn is asked where the conversation came so far; a turn that a condition asks again by itself counts as its first."
Key = tuple[str, str, int]


class Turns:
    """Takes part in the walk: what became of each turn of the model's, per model and arm.

    Attributes:
        stepped: whether any answer called tools; the steps of an agent are no turns of a conversation.
    """

    def __init__(self) -> None:
        self._by: dict[Key, Counter[str]] = {}
        self.stepped = False

    def add(self, case: Case, answers: Sequence[Told]) -> None:
        """Count the turns of a case's answers."""
        del case
        for told in answers:
            self.count(told.scored.response)

    def count(self, response: Response) -> None:
        """Count the turns of one answer; a conversation that failed was asked one turn more than it answered.

        Args:
            response: of any status; turns of older runs may say nothing of how they ended.
        """
        self.stepped |= any(turn.role == "tool" for turn in response.turns)
        said = [turn.finish for turn in response.turns if turn.role == "assistant"]
        for at, finish in enumerate(said):
            self._at(response, at).update(answered=1, cut=finish == "length", refused=finish == "refused")
        broken = response.status == "failed" and response.reason != PREDECESSOR and "refused" not in said
        if broken:
            self._at(response, len(said)).update(lost=1, refused=response.reason == Reason.REFUSED.value)

    def _at(self, response: Response, turn: int) -> Counter[str]:
        return self._by.setdefault((response.model, response.arm, turn), Counter())

    def accounts(self, models: Iterable[str]) -> tuple[TurnAccount, ...]:
        """Return one account per model, arm and turn, in the order in which they were met.

        Args:
            models: whose.
        """
        order = {model: at for at, model in enumerate(models)}
        return tuple(
            TurnAccount(
                model=model, arm=arm, turn=turn, asked=held["answered"] + held["lost"], answered=held["answered"],
                cut=held["cut"], refused=held["refused"],
            )
            for (model, arm, turn), held in sorted(self._by.items(), key=lambda row: order.get(row[0][0], 0))
            if model in order
        )  # fmt: skip


def turns(report: Report) -> Iterator[Section]:
    """Yield what became of each turn, where conversations have more than one and no agent takes steps."""
    held: Turns = report.collected.get("turns", Turns())
    found = held.accounts(report.results.models)
    longest = max((each.turn for each in found), default=0)
    if not longest or held.stepped:
        return
    over_all = [_over_all([each for each in found if each.turn == turn], turn) for turn in range(longest + 1)]
    rows = [_row(each, "all models", "all conditions") for each in over_all]
    rows += [
        _row(each, each.model, report.arm_words(each.arm))
        for each in found
        if each.cut or each.refused or each.answered < each.asked
    ]
    heads = (text("model"), text("arm"), number("turn"), number("asked"), number("answered"), number("cut"), number("refused"))  # fmt: skip
    more = f" {plural(len(rows) - MOST, 'further row')} left out." if len(rows) > MOST else ""
    yield table(
        "left_out", "How far did conversations come?", heads, rows[:MOST], note=NOTE + more, answer=_answer(over_all)
    )  # fmt: skip


def _over_all(found: Sequence[TurnAccount], turn: int) -> TurnAccount:
    sums = {
        name: sum(getattr(each, name) for each in found) for name in ("asked", "answered", "cut", "refused")
    }
    return TurnAccount(model="", arm="", turn=turn, **sums)


def _row(account: TurnAccount, model: str, arm: str) -> dict[str, Any]:
    return {
        "model": model, "arm": arm, "turn": account.turn + 1, "asked": account.asked, "answered": account.answered,
        "cut": account.cut, "refused": account.refused,
    }  # fmt: skip


def _answer(over_all: Sequence[TurnAccount]) -> str:
    asked, answered, cut = (
        sum(getattr(each, name) for each in over_all) for name in ("asked", "answered", "cut")
    )
    said = f"All of {plural(asked, 'turn')} were answered" if asked == answered else (
        f"{counted(answered)} of {plural(asked, 'turn')} that were asked were answered"
    )  # fmt: skip
    return f"{said}; {counted(cut)} {'was' if cut == 1 else 'were'} cut." if cut else f"{said}."
