"""The two lines above the panel, from the manifest: what ran, and where data goes."""

from collections.abc import Mapping, Sequence
from typing import Any

from percuss.core.sections import Figure
from percuss.measure.numbers import count, figure, show

__all__ = ["heading", "raters_words"]


def heading(manifest: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the lines above the panel; what the manifest doesn't say is left out.

    Args:
        manifest: keys as in `percuss.report`. Where answers failed or were cut, `answer_lines` says so first; then
            `judge_lines`, where a judge's replies could not be read.
    """
    failed = [str(line) for line in (manifest.get("answer_lines") or ())[:1]]
    failed += map(str, manifest.get("judge_lines") or ())
    first = [str(manifest.get("protocol", ""))]
    cases = manifest.get("cases") or {}
    if "count" in cases:
        first.append(f"{count(cases['count'])} {cases.get('word', 'cases')}")
    if manifest.get("seed") is not None:
        first.append(f"seed {manifest['seed']}")
    raters = raters_words(manifest)
    if raters:
        first.append(raters)
    primary = (manifest.get("primary") or {}).get("words")
    second = [f"data goes to: {_hosts(manifest.get('hosts'))}"]
    if primary:
        second.append(f"primary: {primary}")
    lines = [" · ".join(part for part in first if part), "    ".join(second)]
    return (*failed, *(line for line in lines if line), *map(str, manifest.get("flags", ())))


def raters_words(manifest: Mapping[str, Any]) -> str:
    """Return who scored: `rules strict + judge gpt-4.1-mini (carded: kappa 0.680 [0.610, 0.750])`."""
    parts = []
    if manifest.get("rules"):
        parts.append(f"rules {manifest['rules']}")
    judge = manifest.get("judge")
    if judge:
        name = str(judge.get("id", ""))
        parts.append(
            f"judge {name if judge.get('simulated') else name.rpartition('/')[2]} ({_standing(judge)})"
        )
    return " + ".join(parts)


def _standing(judge: Mapping[str, Any]) -> str:
    card, simulated = judge.get("card"), judge.get("simulated")
    if not card:
        return "simulated" if simulated else "not compared with people"
    kappa, what = card.get("kappa"), "kappa"
    if kappa is None and isinstance(card.get("macro"), Mapping):
        kappa, what = card["macro"], "tau-b"
    shown = (
        figure({"unit": "ratio", **kappa})
        if isinstance(kappa, Mapping)
        else Figure(value=kappa, unit="ratio")
    )
    return f"{'simulated, ' if simulated else ''}carded: {what} {show(shown)}"


def _hosts(hosts: Sequence[Mapping[str, Any]] | None) -> str:
    if hosts is None:
        return "not recorded"
    if not hosts:
        return "nowhere; everything ran on this machine"
    named = []
    for host in hosts:
        roles = ", ".join(map(str, host.get("roles", ())))
        named.append(f"{host.get('host')} ({roles})" if roles else str(host.get("host")))
    return "; ".join(named)
