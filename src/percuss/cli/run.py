"""`percuss run PROTOCOL`: ask, check, estimate, report."""

import shlex
import sys
from collections.abc import Mapping
from contextlib import ExitStack
from typing import Any

import click

from percuss.cli.finish import FAIL_ON_ERROR
from percuss.cli.streams import file_of
from percuss.cli.words import LIMIT, many, pairs, setting_options

__all__ = ["Protocols", "command"]

_FILE = click.Path(dir_okay=True)
_SHARED = (
    click.Option(
        ["--model", "-m", "models"], multiple=True, help="Model under test (provider/name); repeat for more."
    ),
    click.Option(["--judge"], help="Model that labels claims; never one under test."),
    click.Option(
        ["--embedder"], help="Turns claims into vectors (minilm, or openai/text-embedding-3-small)."
    ),
    click.Option(
        ["--fallback-judge", "fallback"],
        help="Model that decides what the judge could not, with a web search of its own.",
    ),
    click.Option(
        ["--search"],
        metavar="A,B,..",
        help="Where sources are looked for; `percuss run PROTOCOL --dry-run` says which hosts that reaches.",
    ),
    click.Option(
        ["--role", "roles"],
        multiple=True,
        metavar="NAME=MODEL",
        help="Who plays another role of the protocol.",
    ),
    click.Option(
        ["--cases"],
        type=_FILE,
        help="Name or path of the cases, - for standard input; without it the bundled ones.",
    ),
    click.Option(
        ["--responses"],
        type=_FILE,
        help="Answers made elsewhere (JSONL or .eval); only missing arms are asked.",
    ),
    click.Option(["--arms"], metavar="A,B,..", help="Only these arms."),
    click.Option(["--limit"], type=click.IntRange(1), help="Only the first so many cases."),
    click.Option(
        ["--epochs"], type=click.IntRange(1), default=1, show_default=True, help="Answers to each pose."
    ),
    click.Option(
        ["--seed"], type=click.IntRange(0), default=42, show_default=True, help="Root of every draw."
    ),
    click.Option(
        ["--prompts"], help="Named prompt set, or a folder of .md files laid over the protocol's own."
    ),
    click.Option(["--base-url"], help="Address of the endpoint of the models under test."),
    click.Option(["--out"], type=_FILE, help="The run folder itself.  [default: runs/PROTOCOL-HASH]"),
    click.Option(
        ["--condition-on"],
        type=click.Choice(["judge"]),
        help="Let the judge too rate the answers that later arms are posed with; else the rules alone do.",
    ),
    click.Option(["--max-cost"], type=LIMIT, metavar="USD", help="Stop before this start spends more."),
    click.Option(["--max-calls"], type=click.IntRange(1), help="Stop after so many calls of this start."),
    click.Option(
        ["--max-tokens-total"], type=click.IntRange(1), help="Stop before this start uses more tokens."
    ),
    click.Option(["--max-time"], type=LIMIT, metavar="SECONDS", help="Stop after so many seconds."),
    click.Option(["--prices"], type=_FILE, help="Price table in place of the shipped one."),
    click.Option(
        ["--model-cards"],
        type=_FILE,
        help="What makers state of their models (cut-off, release, effort, weights), for the report.",
    ),
    click.Option(
        ["--concurrency"],
        type=click.IntRange(1, 10_000),
        default=10,
        show_default=True,
        help="Calls at a time.",
    ),
    click.Option(
        ["--dry-run"],
        is_flag=True,
        help="Say what would be asked, where data would go and what it costs; spend nothing.",
    ),
    click.Option(
        ["--offline"], is_flag=True, help="No connection but to this machine and the hosts allowed."
    ),
    click.Option(
        ["--allow-host", "allow_hosts"],
        multiple=True,
        metavar="HOST[:PORT]",
        help="Host that --offline allows.",
    ),
    click.Option(
        ["--allow-remote"],
        is_flag=True,
        help="Let cases from FHIR or DICOM go to a host that is not this machine.",
    ),
    click.Option(
        ["--allow-self-judge"],
        is_flag=True,
        help="Let a model under test be the judge; said beside every number.",
    ),
    click.Option(
        ["--refetch"],
        type=click.Choice(["failed", "all"]),
        help="Ask again for pages and searches that the run holds: those that failed, or all.",
    ),
    click.Option(
        ["--cache"],
        is_flag=False,
        flag_value="auto",
        metavar="[FILE]",
        help="Keep replies for other runs, and take them from there; without FILE the usual one, off for none.",
    ),
    click.Option(["--retry-failed"], is_flag=True, help="Ask again what was refused or rejected before."),
    click.Option(
        ["--fail-if"],
        multiple=True,
        metavar="CONDITION",
        help="Gate, e.g. 'unsupported_rate[full_multimodal].high>0.05'.",
    ),
    FAIL_ON_ERROR,
    click.Option(["--no-report"], is_flag=True, help="Do not write report.html."),
    click.Option(["--no-text"], is_flag=True, help="Report aggregates only: no words of cases or models."),
    click.Option(
        ["--json", "as_json"],
        is_flag=True,
        help="Estimates and what became of the answers as JSON on standard output, and nothing else there.",
    ),
)


_OF_ASKING = {"condition_on", "models", "base_url", "retry_failed", "epochs"}


class Protocols(click.Group):
    """A group whose commands are the installed protocols.

    Args:
        score_only: answers come from a file; no model under test is asked.
    """

    def __init__(self, *args: Any, score_only: bool = False, **attributes: Any) -> None:
        super().__init__(*args, **attributes)
        self._score_only = score_only

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the protocols' names."""
        del ctx
        from percuss.api.catalog import names

        return list(names())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Make the command of a protocol, by name or alias, its settings among the options."""
        del ctx
        from percuss.api.catalog import face
        from percuss.api.run.settings import settings_of

        found = face(cmd_name)
        ours = tuple(o for o in _SHARED if not (self._score_only and o.name in _OF_ASKING))
        taken = {option.name for option in _SHARED if option.name}
        own = setting_options(settings_of(found.options), taken)

        def callback(**values: Any) -> int:
            names = {option.name for option in own}
            settings = {name: values.pop(name) for name in list(values) if name in names}
            with ExitStack() as stack:
                for name in ("cases", "responses"):
                    values[name] = stack.enter_context(file_of(values[name]))
                return _run(found.name, settings, values, score_only=self._score_only)

        return click.Command(
            found.name,
            callback=callback,
            params=[*ours, *own],
            help=_help(found),
            short_help=found.question,
        )


def _help(found: Any) -> str:
    roles = ", ".join(f"{role} ({need})" for role, need in found.roles.items())
    return f"{found.question}\n\nPrimary: {found.primary}. Roles: {roles}."


@click.group(cls=Protocols)
def command() -> None:
    """Ask models, check what they say, estimate, report."""


def _run(protocol: str, settings: Mapping[str, Any], values: dict[str, Any], *, score_only: bool) -> int:
    import asyncio

    from percuss.api.catalog import load
    from percuss.api.run.forecast import forecast
    from percuss.api.run.guard import with_config
    from percuss.api.run.prepare import prepare
    from percuss.api.run.run import start
    from percuss.api.run.weights import missing
    from percuss.cli.fetching import fetch_weights
    from percuss.cli.finish import finish, stopping
    from percuss.cli.progress import watching
    from percuss.cli.show import first_lines, forecast_lines
    from percuss.measure.gates import parse_gate, require_names

    gates = [parse_gate(text) for text in values["fail_if"]]
    require_names(gates, load(protocol).estimate_names)
    prepared = with_config(prepare(_request(protocol, settings, values), score_only=score_only))
    quiet = values["as_json"]
    if values.get("dry_run"):
        forecast_lines(asyncio.run(forecast(prepared)), prepared, as_json=quiet)
        return 0
    if not quiet:
        first_lines(prepared)
    lacking = missing((*prepared.models, *prepared.roles.values()))
    if lacking and not values["offline"]:
        fetch_weights(lacking, quiet=quiet)
    report = not values["no_report"]

    def work() -> int:
        with watching(quiet=quiet) as watcher:
            finished = asyncio.run(start(prepared, watcher=watcher))
        share = values["fail_on_error"]
        return finish(
            finished, gates, as_json=quiet, report=report, fail_on_error=share, no_text=values["no_text"]
        )

    return stopping(prepared, work, resume=resume_words(), report=report)


def resume_words() -> str:
    """Return the command that goes on: the same one."""
    return shlex.join(["percuss", *sys.argv[1:]])


_AS_GIVEN = (
    "judge", "embedder", "fallback", "search", "cases", "responses", "limit", "seed", "prompts", "out", "prices",
    "model_cards", "concurrency", "offline", "allow_self_judge", "allow_remote", "cache", "no_text",
)  # fmt: skip
"""Options that a request takes under their own names."""


def _request(protocol: str, settings: Mapping[str, Any], values: Mapping[str, Any]) -> Any:
    from percuss.api.run.request import Limits, RunRequest

    return RunRequest(
        protocol=protocol,
        models=tuple(values.get("models", ())),
        roles=pairs(values["roles"], "--role"),
        arms=many(values["arms"]),
        epochs=values.get("epochs", 1),
        settings={name: value for name, value in settings.items() if value is not None},
        base_url=values.get("base_url"),
        condition_on=values.get("condition_on"),
        limits=Limits(
            calls=values["max_calls"],
            tokens=values["max_tokens_total"],
            usd=values["max_cost"],
            seconds=values["max_time"],
        ),
        allow_hosts=tuple(values["allow_hosts"]),
        retry_failed=values.get("retry_failed", False),
        refetch=values["refetch"] or "no",
        **{name: values[name] for name in _AS_GIVEN},
    )
