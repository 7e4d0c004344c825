"""What the provider of a model says about all of its models: whether they are simulations, and whether they cost nothing."""

import re

__all__ = ["FREE", "family_of", "is_simulated", "provider_of"]

_SIMULATED = frozenset({"phantom", "scripted"})
FREE = frozenset({"phantom", "embedded", "scripted"})
"""Providers whose models run in this process and cost nothing."""
_VENDORS = re.compile(r"^(meta|ibm|nvidia|google|microsoft|open|deep)[-_]")
_SAME = {"o": "gpt", "chatgpt": "gpt", "codellama": "llama"}
_OWN = FREE - {"embedded"}


def is_simulated(model: str) -> bool:
    """Say whether the provider of a model id makes simulations; an id of no provider that we know is none.

    Args:
        model: an id or a model string; whoever holds the model itself asks `percuss.core.ports.is_simulated`.

    >>> is_simulated("phantom/recycler?reuse=0.8"), is_simulated("scripted:a.jsonl"), is_simulated("openai/x")
    (True, True, False)
    """
    return provider_of(model) in _SIMULATED


def provider_of(model: str) -> str:
    """Return what stands before the first slash or colon of a model string; all of it where there is none.

    >>> provider_of("vllm/org/name:tag")
    'vllm'
    """
    return re.split("[/:]", model, maxsplit=1)[0]


def family_of(model: str) -> str:
    """Return the family of a model by its name: the same weights elsewhere, other sizes and other versions belong to it.

    Args:
        model: id. A simulated model is a family of its own.

    >>> family_of("openai/gpt-4o-mini"), family_of("ollama/llama3.2:1b"), family_of("openai/o3-mini")
    ('gpt', 'llama', 'gpt')
    """
    if provider_of(model) in _OWN:
        return model
    name = _VENDORS.sub("", model.rpartition("/")[2].casefold())
    letters = re.match("[a-z]+", name)
    found = name if letters is None else letters.group()
    return _SAME.get(found, found)
