"""What the planted shares imply for every estimate and arm (definitions, section 7)."""

from collections.abc import Iterable, Mapping

from percuss.protocols.stressors.phantom.draws import BIRTH_TURNS, NUMERIC, OTHER, Plants

__all__ = ["expected"]


def expected(p: Plants, arms: Iterable[str]) -> Mapping[tuple[str, str], float]:
    """Return (estimate, arm) -> value; estimates that an arm cannot have are left out.

    Args:
        p: planted shares. arms: names; placebos count as arms without a stressor, doses as their stressor.
    """
    out: dict[tuple[str, str], float] = {}
    for arm in arms:
        if arm == "ungrounded":
            continue
        if arm == "strike":
            out["causal_anchoring", arm] = _anchoring(p)
            continue
        parts = set(arm.partition(":")[0].split("+"))
        o, c, d = "omission" in parts, "contradiction" in parts, "delay" in parts
        held = {
            **_always(p, o=o, c=c, d=d),
            **_gaps(p, given=o or d),
            **_conflict(p, c=c),
            **_update(p, c=c, d=d),
        }
        out |= {(name, arm): value for name, value in held.items()}
    return out


def _anchoring(p: Plants) -> float:
    """Change after the strike minus change after the sham, where the case hinges; elsewhere both change alike.

    A named diagnosis is kept with 1 - n and else one of two others: two draws of one name agree with s, of two names with d.
    """
    n = p.noise
    same, apart = (1 - n) ** 2 + n * n / 2, n * (1 - n) + n * n / 4
    return p.hinge * (same - apart)


def _always(p: Plants, *, o: bool, c: bool, d: bool) -> dict[str, float]:
    a, b, y = p.fabricate_numeric, p.fabricate_other, p.generate
    some = 1 - (1 - a) ** NUMERIC * (1 - b) ** OTHER
    stays = p.persist * (1 - p.suppress / BIRTH_TURNS) if c else p.persist
    new = p.new + p.shift_omission * o + p.shift_both * (o and d)
    anchored = p.anchor * some
    return {
        "pir": p.relevant,
        "rir": 1 - p.relevant,
        "nfr": a,
        "ufr": (1 - y) * b + y * (OTHER * b + 1) / (OTHER + 1) if c else b,
        "hpr": stays,
        "hccr": stays * p.premise,
        "dhdr_anchored": anchored,
        "dhdr": anchored + new,
        "fcr": anchored + new,
        "ef": 1 - anchored - new - p.uncheckable,
        "cho": p.omit,
        "cfa": p.false_alarm,
        "gfa": 0.0,
    }


def _gaps(p: Plants, *, given: bool) -> dict[str, float]:
    if not given:
        return {}
    return {"gdr": p.gap, "ir": p.inquire * (1 - (1 - p.relevant) ** 2), "pcr": p.close}


def _conflict(p: Plants, *, c: bool) -> dict[str, float]:
    if not c:
        return {}
    return {"cdr": p.contradiction, "cir": 1 - p.contradiction, "cihsr": p.suppress, "cihgr": p.generate}


def _update(p: Plants, *, c: bool, d: bool) -> dict[str, float]:
    u, cu = p.update, p.contradiction * p.update
    held = {"smr": (1 - u) * p.stubborn} if d else {}
    if c or d:
        held["rur"] = (u + cu) / 2 if c and d else u if d else cu
    return held
