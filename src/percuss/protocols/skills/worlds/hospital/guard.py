"""The first of three locks: what an agent's SQL may be, told by a parser before any database sees it.

One statement, a query, over the hospital's tables, with functions of a list. Locks two and three are the database's own: a
role that may only read, and a read-only transaction that is always rolled back.
"""

import itertools
import logging
from collections.abc import Sequence
from typing import Literal, NamedTuple

from percuss.core.extras import needed
from percuss.protocols.skills.worlds.hospital.schema import TABLES, Dialect

__all__ = ["LONGEST", "Ruling", "require_parser", "rule"]

LONGEST = 10_000
"""Letters of a statement at the most."""

_READS: dict[Dialect, str] = {"sqlite": "sqlite", "postgresql": "postgres", "mariadb": "mysql"}
_EXECUTABLE = ("/*!", "/*M!", "/*m!")  # MariaDB runs what stands in such comments
_REFUSED_NODES = (
    "Alter AlterTable Analyze Attach Cache Command Commit Copy Create Delete Describe Detach Drop Export Grant Insert "
    "Into Kill LoadData Lock Merge NextValueFor Parameter Pragma PropertyEQ Refresh Revoke Rollback Set SessionParameter "
    "Show Summarize Transaction TruncateTable Uncache Update Use UserDefinedFunction"
).split()
_KEYWORDS = (
    "all and any as between by case distinct else end except exists filter from group having in intersect is join left "
    "like limit not offset on or over partition right select some then union using values when where with within "
    "recursive lateral inner outer cross natural"
)
_TYPES = "char character decimal double float int integer numeric real signed text timestamp unsigned varchar"
_FUNCTIONS = (
    # of all
    "abs avg cast ceil ceiling coalesce concat concat_ws count cume_dist current_date current_timestamp dense_rank "
    "exp first_value floor greatest group_concat iif if ifnull isnull lag last_value lead least length ln log log10 lower "
    "ltrim max min mod nth_value ntile nullif percent_rank power pow rank replace round row_number rtrim sign sqrt "
    "substr substring sum total trim upper variance stddev stddev_pop stddev_samp std var_pop var_samp corr "
    # dates of SQLite
    "date datetime julianday strftime time unixepoch instr printf typeof "
    # of PostgreSQL
    "age date_part date_trunc extract make_date now string_agg to_char to_date to_timestamp to_number position strpos "
    "split_part array_agg bool_and bool_or every percentile_cont percentile_disc mode regr_slope regr_intercept "
    "justify_days initcap lpad rpad "
    # of MariaDB
    "curdate date_add date_format date_sub datediff day dayofmonth dayofweek dayname from_days hour last_day locate "
    "median minute month monthname quarter str_to_date timestampdiff timestampadd to_days truncate unix_timestamp week "
    "weekday year yearweek convert field char_length interval"
)
_MAY_STAND_BEFORE_PAREN = frozenset(f"{_KEYWORDS} {_TYPES} {_FUNCTIONS}".split())
_WRITERS = (
    "copy_from delete dblink get_lock lo_ load_ nextval pg_ pragma_ query_to_xml release_lock set_config setval sleep sys_ "
    "writefile edit benchmark readfile fts3_tokenizer"
).split()


class Ruling(NamedTuple):
    """What the guard says of a statement.

    Args:
        outcome: `ok`: it may run; `refused`: it would write, lock, leave the hospital or change the session; `error`: it
            can't be read, or names what isn't there. why: one sentence; empty for `ok`.
    """

    outcome: Literal["ok", "refused", "error"]
    why: str = ""


def require_parser() -> None:
    """Find out whether SQL can be read here at all; the extras `embedded` and `skills` bring what it takes.

    Raises:
        UsageError: sqlglot isn't installed.
    """
    needed("sqlglot", "the environment data, whose SQL is read before it is run,", "skills")


def rule(sql: str, dialect: Dialect) -> Ruling:
    """Say whether a statement may go to the database.

    Args:
        sql: as the agent wrote it. dialect: of the database it would go to.
    """
    if len(sql) > LONGEST:
        return Ruling("error", f"The statement has {len(sql)} letters; at most {LONGEST} are read.")
    if "\x00" in sql:
        return Ruling("refused", "The statement holds a null character.")
    if any(mark in sql for mark in _EXECUTABLE):
        return Ruling("refused", "Comments that a database would run are refused.")
    require_parser()
    import sqlglot
    from sqlglot.errors import SqlglotError

    # It warns of what it reads as a mere command; that is refused below.
    logging.getLogger("sqlglot").setLevel(logging.ERROR)
    try:
        trees = [tree for tree in sqlglot.parse(sql, read=_READS[dialect]) if tree is not None]
        tokens = sqlglot.tokenize(sql, read=_READS[dialect])
    except (SqlglotError, RecursionError, ValueError) as error:
        return _unread(sql, str(error).split("\n", maxsplit=1)[0][:160])
    if len(trees) != 1:
        said = f"Expected one statement; got {len(trees)}."
        return Ruling("refused", said) if len(trees) > 1 else Ruling("error", said)
    return _of_tree(trees[0]) or _of_tokens(trees[0], tokens) or Ruling("ok")


def _unread(sql: str, error: str) -> Ruling:
    """Rule on what the parser can't read: it never runs; whether it is called a write goes by its first word."""
    first = sql.lstrip(" \t\r\n(;").split(maxsplit=1)[:1]
    reads = bool(first) and first[0].lower().rstrip("(*") in {"select", "with", "values"}
    writes = any(word in sql.lower() for word in ("outfile", "dumpfile", "next value for"))
    outcome: Literal["refused", "error"] = "error" if reads and not writes else "refused"
    return Ruling(outcome, f"The statement could not be read: {error}")


def _of_tree(tree: object) -> Ruling | None:
    from sqlglot import exp

    nodes = tuple(getattr(exp, name) for name in _REFUSED_NODES if hasattr(exp, name))
    assert isinstance(tree, exp.Expression)
    if not isinstance(tree, exp.Select | exp.SetOperation | exp.Subquery):
        return Ruling("refused", f"Only queries (SELECT) are run; got {tree.key.upper()}.")
    for node in tree.walk():
        if isinstance(node, nodes):
            return Ruling(
                "refused", f"A query may hold no {type(node).__name__.upper()}; the database is read only."
            )
    known = {*TABLES, *(cte.alias.lower() for cte in tree.find_all(exp.CTE))}
    for table in tree.find_all(exp.Table):
        if table.name and (table.name.lower() not in known or table.db or table.catalog):
            return Ruling(
                "error", f"There is no table {table.name[:60]!r} here; there are {', '.join(TABLES)}."
            )
    return None


def _of_tokens(tree: object, tokens: Sequence[object]) -> Ruling | None:
    """Refuse functions beyond the list, by the names that were written: a parser gives some of them others."""
    from sqlglot import TokenType, exp

    assert isinstance(tree, exp.Expression)
    named = {cte.alias.lower() for cte in tree.find_all(exp.CTE)}
    words = [(getattr(token, "text", ""), getattr(token, "token_type", None)) for token in tokens]
    for (text, kind), (_, after) in itertools.pairwise(words):
        name = text.lower()
        if after is not TokenType.L_PAREN or not name[:1].isalpha() or kind is TokenType.STRING:
            continue
        if name not in _MAY_STAND_BEFORE_PAREN and name not in named:
            writes = name.startswith(tuple(_WRITERS))
            return Ruling("refused" if writes else "error", f"The function {text[:60]} is not offered here.")
    return None
