"""What a protocol says of its report in data: which numbers lead, what is counted, how arms are called."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from percuss.core.records import Estimate
from percuss.core.sections import Column

__all__ = ["Outline", "Shown", "outline_of"]

MOST_COLUMNS = 5


@dataclass(frozen=True)
class Shown:
    """A number as a report shows it.

    Args:
        name: of the estimate. title: what stands above it. arm: where it is read; "" is the main arm.
        unit: as in `Estimate`. missing: what is said where it was not measured. phrase: how a sentence calls it; "" for
            the title. lower_first: whether the lowest value is named first.
    """

    name: str
    title: str
    arm: str = ""
    unit: str = "share"
    missing: str = "not measured"
    phrase: str = ""
    lower_first: bool = True

    @property
    def words(self) -> str:
        """How a sentence calls it."""
        return self.phrase or self.title

    @property
    def key(self) -> str:
        """Where its figure stands in a row: two arms of one estimate stay apart."""
        return f"{self.name}[{self.arm}]" if self.arm else self.name

    @property
    def column(self) -> Column:
        """Its column of a table."""
        return Column(key=self.key, title=self.title, unit=self.unit, align="right")


@dataclass(frozen=True)
class Outline:
    """What a report is about.

    Args:
        lead: the number that the panel puts first; it orders the models and is drawn as a strip.
        columns: the panel's numbers, the lead among them.
        rated: estimate whose n and exclusions say how much was counted; "" is the lead's.
        counted: what it counts, one and many; None says claims where there are any, else answers.
        index: the estimate that other choices are held against ("would another choice have told another story?").
        variants: (estimate, words) of other ways to average it.
        compared: numbers in which models are compared pair by pair; the first decides ranks and matrix.
        contrasted: the number that the panel's lines compare; None is the first of `compared`.
        arms: arms in order. arm, baseline: the pair that the report is about.
        arm_words: an arm in a person's words.
        words: columns of words, after the numbers.
        chapters: place -> its question in this protocol's words.
        method: Markdown of what was measured and what it cannot tell.
        facts: settings that the words of `method` name.
        few: fewer cases than this are said to be few.
    """

    lead: Shown
    columns: tuple[Shown, ...]
    rated: str = ""
    counted: tuple[str, str] | None = None
    index: Shown | None = None
    variants: tuple[tuple[str, str], ...] = ()
    compared: tuple[Shown, ...] = ()
    contrasted: Shown | None = None
    arms: tuple[str, ...] = ()
    arm: str = ""
    baseline: str = ""
    arm_words: Callable[[str], str] = str
    words: tuple[Column, ...] = ()
    chapters: Mapping[str, str] = field(default_factory=dict)
    method: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)
    few: int = 0


def outline_of(estimates: Sequence[Estimate], toml: Mapping[str, Any], method: str = "") -> Outline:
    """Return the outline of a protocol that wrote none: what its manifest declares primary, then its other rates.

    Args:
        estimates: of the scoring. toml: the protocol's manifest; `[primary]` and `[arm_words]` are its own words.
        method: text of its `method.md`.
    """
    declared: Mapping[str, Any] = toml.get("primary", {})
    first = next((e for e in estimates if e.primary), None) or next(
        (e for e in estimates if e.name == declared.get("estimate")), next(iter(estimates), None)
    )
    if first is None:
        empty = Shown(str(declared.get("estimate", "value")), str(declared.get("words", "value")))
        return Outline(lead=empty, columns=(empty,), method=method)
    called: Mapping[str, str] = toml.get("arm_words", {})
    arms = (*map(str, declared.get("arms", ())), first.arm, first.baseline or "")
    lead = _shown(first, first.arm)
    plain = [e for e in estimates if e.labels == first.labels and e.stratum is None and e.versus is None]
    held = {e.arm: e for e in plain if e.name == first.name}
    order = tuple(dict.fromkeys(a for a in (*arms, *held) if a in held))
    columns = [_shown(held[a], a, words=called) for a in order]
    others = {e.name: e for e in plain if e.name != first.name and e.arm == first.arm}
    columns += [_shown(e, e.arm) for e in others.values()]
    compared = tuple(
        _shown(e, e.arm) for e in {e.name: e for e in (first, *others.values())}.values()
        if any(d.name == f"{e.name}_difference" for d in estimates)
    )  # fmt: skip
    return Outline(
        lead=lead, columns=tuple(columns[:MOST_COLUMNS]), index=lead, compared=compared or (lead,), arms=order,
        arm=first.arm, baseline=first.baseline or (arms[1] if len(arms) > 1 and arms[1] != first.arm else ""),
        arm_words=lambda arm: called.get(arm, arm),
        method=method,
        chapters={"evidence": "Does the condition matter?"},
    )  # fmt: skip


def _shown(e: Estimate, arm: str, *, words: Mapping[str, str] | None = None) -> Shown:
    title = e.label or e.name.replace("_", " ")
    if words is not None:
        title = f"{title}, {words.get(arm, arm)}"
    return Shown(e.name, title, arm, e.unit, phrase=e.label, lower_first=e.better != "higher")
