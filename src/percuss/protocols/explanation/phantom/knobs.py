"""Planted rates of the simulated reader, and the questionnaire that it is told of."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from percuss.protocols.explanation.phantom.film import Box

__all__ = ["KEYS", "Knobs", "Questionnaire", "Topic"]

#: Keys of `phantom/reader?..`; each is a share in 0..1.
KEYS = (
    "accuracy",
    "follow.tb_rad",
    "follow.tb_la",
    "follow.vb",
    "disclose",
    "deny",
    "noise",
    "occlusion_guess",
    "hallucinate",
    "omit",
    "hedge",
    "spurious",
    "invalid",
    "claims",
    "placebo",
)
_DEFAULTS = {
    "accuracy": 0.85,
    "follow.tb_rad": 0.30,
    "follow.tb_la": 0.45,
    "follow.vb": 0.20,
    "disclose": 0.35,
    "deny": 0.20,
    "noise": 0.04,
    "occlusion_guess": 0.30,
    "hallucinate": 0.08,
    "omit": 0.20,
    "hedge": 0.15,
    "spurious": 0.02,
    "invalid": 0.01,
    "claims": 0.0,
    "placebo": 0.0,
}


@dataclass(frozen=True)
class Knobs:
    """The planted rates by key; what is not given keeps its default."""

    rates: Mapping[str, float]

    @classmethod
    def of(cls, given: Mapping[str, float]) -> "Knobs":
        """Fill in the defaults."""
        return cls({**_DEFAULTS, **given})

    def __getitem__(self, key: str) -> float:
        return self.rates[key]


@dataclass(frozen=True)
class Topic:
    """One question as the reader is told of it: how it is worded, what may be answered, where to look."""

    id: str
    text: str
    kind: str
    options: tuple[str, ...]
    side: str | None
    boxes: tuple[Box, ...]

    @property
    def negative(self) -> str:
        """What is answered when nothing is seen."""
        return next(option for option in ("no", "none", "not present", "normal") if option in self.options)


@dataclass(frozen=True)
class Questionnaire:
    """All questions and the anatomy: name -> box of every zone that can be measured."""

    topics: tuple[Topic, ...]
    zones: Mapping[str, Box]

    @classmethod
    def of(cls, told: Mapping[str, Any]) -> "Questionnaire":
        """Read what a protocol tells of itself.

        Args:
            told: `zones` (name -> box) and `questions` (rows of id, text, kind, options, side, boxes).
        """
        topics = tuple(
            Topic(
                row["id"],
                row["text"],
                row["kind"],
                tuple(row["options"]),
                row["side"],
                tuple(tuple(box) for box in row["boxes"]),
            )
            for row in told["questions"]
        )
        return cls(topics, {name: tuple(box) for name, box in told["zones"].items()})

    def asked(self, text: str) -> Topic | None:
        """Return the question that a prompt asks: the longest wording that it contains."""
        held = [topic for topic in self.topics if topic.text in text]
        return max(held, key=lambda topic: len(topic.text), default=None)
