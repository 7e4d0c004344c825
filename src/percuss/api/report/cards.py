"""Judge cards: which one belongs to the judge of a scoring."""

from collections.abc import Mapping
from typing import Any

from percuss.core.records import Scoring
from percuss.store import RunStore

__all__ = ["card_of"]


def card_of(store: RunStore, scoring: Scoring) -> Mapping[str, Any] | None:
    """Return the card of a scoring's judge as the run holds it; None where the judge has not been validated.

    Args:
        store: the run; `percuss judge validate RUN` puts cards into its manifest, by judge.
        scoring: names its raters. A card made under other prompts is another instrument's, and not returned.
    """
    judges = {r.removeprefix("judge:").rpartition("#")[0] for r in scoring.raters if r.startswith("judge:")}
    cards: Mapping[str, Any] = store.manifest().get("judge_cards", {})
    card = next((cards[name] for name in sorted(judges) if name in cards), None)
    if card is None:
        return None
    made_on = next((one for one in store.scorings() if one.id == card.get("scoring")), scoring)
    return card if _rating_setup(made_on) == _rating_setup(scoring) else None


def _rating_setup(scoring: Scoring) -> tuple[Any, Any]:
    """Return what makes a judge what it is: its prompts, and the model with its pin."""
    return scoring.config.get("prompts"), scoring.config.get("models", {}).get("judge")
