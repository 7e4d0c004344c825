"""The manifest as reports read it: everything that section 8 and the lines above the panel say."""

import platform
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from percuss.api.catalog import load
from percuss.api.run.caching import cache_line
from percuss.core.accounting import AnswerAccount, account_lines, unread_line
from percuss.core.errors import UsageError
from percuss.core.ids import digest
from percuss.core.protocol import Protocol
from percuss.core.records import Estimate, Scoring
from percuss.models.cards import CARDS, in_words
from percuss.store import HUMAN, RunStore
from percuss.store.costs import costs

__all__ = ["model_rows", "report_manifest", "scoring_of"]


def scoring_of(store: RunStore, name: str | None = None) -> Scoring:
    """Return a scoring by the start of its id; the latest where no name is given.

    Raises:
        UsageError: no scoring begins so, or several do.
    """
    if name is None:
        return store.latest_scoring()
    found = [scoring for scoring in store.scorings() if scoring.id.startswith(name)]
    if len(found) != 1:
        known = ", ".join(scoring.id[:8] for scoring in store.scorings())
        raise UsageError(f"got the scoring {name!r}; expected the start of exactly one of {known or 'none'}")
    return found[0]


def report_manifest(
    store: RunStore,
    scoring: Scoring,
    estimates: Sequence[Estimate],
    *,
    card: Mapping[str, Any] | None = None,
    answers: Sequence[AnswerAccount] = (),
) -> dict[str, Any]:
    """Return the manifest of a report.

    Args:
        store: the run.
        scoring: which scoring is reported.
        estimates: of that scoring.
        card: the judge card in force; None where the judge has none.
        answers: what became of the answers, per model and arm.
    """
    held = store.manifest()
    protocol = load(held["protocol"])
    options = held.get("options", {})
    spent = store.read(costs)
    simulated = store.view(scoring.id).simulated
    people = any(one.id == HUMAN for one in store.scorings())
    primary = next((e for e in estimates if e.primary and e.undefined is None), None)
    return {
        **_kept(held, cache_line(store, scoring.made_at)),
        "python": platform.python_version(),
        "protocol": protocol.name,
        "question": protocol.question,
        "folder": store.folder.name,
        "finished": scoring.finished_at,
        "cases": _cases(protocol, held),
        "arms": _arms(protocol, held),
        "models": _models(held, spent, simulated),
        "cards": _cards(held, simulated),
        "policy": {name: options.get(name) for name in ("temperature", "top_p", "max_tokens")},
        "rules": ", ".join(r.removeprefix("rule:") for r in scoring.raters if r.startswith("rule:")),
        "judge": _judge(scoring, options, card, simulated, people=people),
        "primary": {**held.get("primary", {}), "labels": primary.labels if primary else None},
        "prompts": _prompts(options),
        "scorings": [_scoring_row(row) for row in store.scorings()],
        "costs": spent,
        "commands": commands(held, store.folder),
        "facts": _not_sent(held),
        "answers": msgspec.to_builtins(list(answers)),
        "answer_lines": _answer_lines(protocol, held, answers),
        "judge_lines": [line for judge in store.judges(scoring.id) if (line := unread_line(judge))],
    }


def _answer_lines(
    protocol: Protocol[Any], held: Mapping[str, Any], answers: Sequence[AnswerAccount]
) -> list[str]:
    called = {arm: arm_words(protocol, arm) for arm in held.get("arms", [])}
    return list(account_lines(answers, called))


def _kept(held: Mapping[str, Any], from_cache: str | None) -> dict[str, Any]:
    """Return what the run's manifest already says as reports read it."""
    return {
        "percuss": held.get("percuss"),
        "protocol_version": held.get("protocol_version"),
        "paper": held.get("paper"),
        "seed": held.get("seed"),
        "epochs": held.get("epochs", 1),
        "started": held.get("made_at"),
        "hosts": _hosts(held),
        "flags": [*held.get("flags", []), *([from_cache] if from_cache else [])],
    }


def _prompts(options: Mapping[str, Any]) -> list[dict[str, str]]:
    prompts: Mapping[str, str] = options.get("prompts", {})
    return [{"name": n, "hash": digest(t.encode())[:16], "text": t} for n, t in sorted(prompts.items())]


def _not_sent(held: Mapping[str, Any]) -> dict[str, str]:
    dropped: Mapping[str, Mapping[str, str]] = held.get("dropped", {})
    return {
        f"not sent to {name}": "; ".join(f"{k} ({v})" for k, v in why.items())
        for name, why in dropped.items()
    }


def _cases(protocol: Protocol[Any], held: Mapping[str, Any]) -> dict[str, Any]:
    starts = held.get("starts", [{}])
    identity = held.get("identity", {})
    return {
        "count": held.get("n_cases", 0),
        "word": "cases" if starts[-1].get("cases") else protocol.manifest.get("case_word", "cases"),
        "source": Path(starts[-1]["cases"]).name
        if starts[-1].get("cases")
        else protocol.manifest.get("bundled", ""),
        "hash": str(identity.get("cases", ""))[:16],
    }


def _arms(protocol: Protocol[Any], held: Mapping[str, Any]) -> list[dict[str, Any]]:
    baseline = protocol.primary.arms[-1]
    return [
        {"name": name, "words": arm_words(protocol, name), "baseline": "yes" if name == baseline else ""}
        for name in held.get("arms", [])
    ]


def arm_words(protocol: Protocol[Any], arm: str) -> str:
    """Return an arm in the protocol's `[arm_words]`, its further parts behind its kind; empty where it has no words.

    Args:
        arm: its whole name, such as `tb_rad:misleading`.
    """
    table: dict[str, str] = protocol.manifest.get("arm_words", {})
    kind, _, rest = arm.partition(":")
    if arm in table or not rest:
        return table.get(arm, "")
    return ", ".join([table[kind], *rest.split(",")]) if kind in table else ""


def _models(
    held: Mapping[str, Any], spent: Sequence[Mapping[str, Any]], simulated: frozenset[str]
) -> list[dict[str, Any]]:
    calls = {row["model"]: row["calls"] for row in spent if row["role"] == "model" and row["stage"] == "ask"}
    return [
        {"id": name, "pin": pin, "calls": calls.get(name, 0), "simulated": name in simulated}
        for name, pin in held.get("models", [])
    ]


def _cards(held: Mapping[str, Any], simulated: frozenset[str]) -> list[dict[str, Any]]:
    """Return what is stated of the models under test and of any other with a card; simulated ones have no maker."""
    cards: Mapping[str, Mapping[str, str]] = held.get(CARDS, {})
    names = dict.fromkeys((*(name for name, _ in held.get("models", [])), *cards))
    return [
        {"id": name, **in_words(cards.get(name)), "source": cards.get(name, {}).get("source", "")}
        for name in names
        if name not in simulated
    ]


def model_rows(store: RunStore) -> list[dict[str, Any]]:
    """Return the models of a run as rows of a table: id, pin, and what their cards state; simulated ones have no card."""
    held = store.manifest()
    simulated = frozenset(held.get("simulated", ()))
    pins = dict(held.get("models", []))
    made = {row["id"]: row for row in _cards(held, simulated)}
    names = dict.fromkeys((*pins, *made))
    blank = dict.fromkeys((*in_words(None), "source"), "")
    return [
        {"id": name, "pin": pins.get(name, ""), "simulated": name in simulated, **blank, **made.get(name, {})}
        for name in names
    ]


def _judge(
    scoring: Scoring,
    options: Mapping[str, Any],
    card: Mapping[str, Any] | None,
    simulated: frozenset[str],
    *,
    people: bool,
) -> dict[str, Any] | None:
    passes = [rater for rater in scoring.raters if rater.startswith("judge:")]
    if not passes:
        return None
    name = passes[0].removeprefix("judge:").rpartition("#")[0]
    return {
        "id": name,
        "passes": len(passes),
        "policy": options.get("judge_policy"),
        "card": card,
        "people": people,
        "simulated": name in simulated,
    }


def _hosts(held: Mapping[str, Any]) -> list[dict[str, Any]]:
    contacted = held.get("contacted", {})
    named = {row["host"]: row["roles"] for row in held.get("data_goes_to", [])}
    return [
        {"host": host, "roles": named.get(host, []), "calls": contacted.get(host, 0)}
        for host in sorted({*named, *contacted})
    ]


def _scoring_row(scoring: Scoring) -> dict[str, Any]:
    config = {key: value for key, value in scoring.config.items() if key in {"options", "embedder", "seed"}}
    raters = ", ".join(scoring.raters) if scoring.id != HUMAN else "people"
    return {
        "id": scoring.id[:8],
        "raters": raters,
        "config": msgspec.json.encode(config).decode(),
        "made_at": scoring.made_at,
    }


def commands(held: Mapping[str, Any], folder: Path) -> list[str]:
    """Return the commands that made a run, as far as its starts tell."""
    import shlex

    lines = []
    for start in held.get("starts", []):
        words = ["percuss", "run", str(start["protocol"])]
        for model in start.get("models", ()):
            words += ["--model", model]
        for name in ("judge", "embedder", "cases", "responses", "limit", "prompts", "base_url"):
            if start.get(name) is not None:
                words += [f"--{name.replace('_', '-')}", str(start[name])]
        for name, value in start.get("settings", {}).items():
            flag = name.replace("_", "-")
            words += (
                [f"--{'' if value else 'no-'}{flag}"]
                if isinstance(value, bool)
                else [f"--{flag}", str(value)]
            )
        words += ["--seed", str(start.get("seed", 42))]
        objects = sorted({word for word in words if word.startswith("python/")})
        whose = f"# in the script that holds {', '.join(objects)}: " if objects else ""
        lines.append(whose + shlex.join(words))
    return [*dict.fromkeys(lines), shlex.join(["percuss", "verify", folder.name])]
