"""The engine: the journal, its wrappers, and the stages, which hold the only loops over cases.

    journal = Journal(store)                                              # store: percuss.store.RunStore
    slots, budget = asyncio.Semaphore(10), Budget(usd=5.0)
    model = Journaled(Budgeted(Retrying(Limited(client, slots)), budget, price), journal)      # each a `Model`
    options = replace(options, prompts=load_prompts(protocol.folder, "paper"))
    source = survey(protocol.cases(None, options, seed))                # reads all, writes nothing
    store = RunStore.create(folder, identity_of(protocol, options, source, seed=seed))
    store.add_cases(protocol.cases(None, options, seed), limit=5)
    await ask(store, protocol, options, roles=roles, models=[model], limit=5, concurrency=10, watcher=show)
    scoring = await check(store, protocol, options, roles=roles, concurrency=10, watcher=show)
    estimates = await estimate(store, protocol, options, scoring=scoring.id, seed=seed)

`Roles.seed` is the root seed everywhere outside a response. Inside `protocol.ask` it is `derive(root, "ask", model, case,
arm, epoch)`, ready for `Request.seed` (`Roles.paired` is the same without the arm), and `roles.models["model"]` is the model under test with the response's epoch bound.

`Journal(store, retry_failed=False)`, `Journaled(model, journal)`, `key_of(model, request, epoch)`
`Budget(calls=, tokens=, usd=, seconds=, spent=)`, `Budgeted(model, budget, price)`, `Price(usd_in=, usd_out=)` per million
`Retrying(model, attempts=3)`, `Limited(model, semaphore, timeout_s=120)`
`load_prompts(folder, choice)`, `prompt_sets(folder)`, `prompt_digests(prompts)`
`identity_of(..)`, `scoring_of(..)`, `plan(..)` (one `Plan` a model, nothing asked), `Progress` (what a watcher hears)
`Archive(store, getter)`, `ArchivedFetch(archive)`, `ArchivedSearch(search, name, archive, store)`, `JournaledEmbedder(embedder, store)`:
pages, searches and an endpoint's vectors, each asked for once
"""

from percuss.engine.archive import Archive
from percuss.engine.budget import Budget, Budgeted, Price
from percuss.engine.identity import identity_of, scoring_of
from percuss.engine.journal import Journal, Journaled, key_of
from percuss.engine.limit import Limited
from percuss.engine.pages import ArchivedFetch, ArchivedSearch
from percuss.engine.progress import Progress, Watcher
from percuss.engine.prompts import load_prompts, prompt_digests, prompt_sets
from percuss.engine.retry import Retrying
from percuss.engine.stages import Plan, ask, check, estimate, plan
from percuss.engine.vectors import JournaledEmbedder

__all__ = [
    "Archive",
    "ArchivedFetch",
    "ArchivedSearch",
    "Budget",
    "Budgeted",
    "Journal",
    "Journaled",
    "JournaledEmbedder",
    "Limited",
    "Plan",
    "Price",
    "Progress",
    "Retrying",
    "Watcher",
    "ask",
    "check",
    "estimate",
    "identity_of",
    "key_of",
    "load_prompts",
    "plan",
    "prompt_digests",
    "prompt_sets",
    "scoring_of",
]
