"""The run folder: run.sqlite with its schema, migrations, lock, typed reads and writes. All SQL of a run is here.

    identity = Identity(protocol="grounding", version="1", prompts={"ask": digest}, cases=survey(cases).digest, ..)
    with RunStore.create(Path("runs/grounding-0a1b2c3d"), identity) as store:    # lock, 0700 folder, 0600 files
        store.add_cases(cases, limit=5)                                          # one transaction
        ...                                                                      # percuss.engine asks, checks, estimates
    with RunStore.open(folder) as store:                                         # reading takes no lock
        store.view(store.latest_scoring().id).assessed()                         # streams in order, bounded memory

`survey(cases)`            reads a whole source once (before anything is written): digest and number of cases
`RunStore.create(..)`      starts or extends a run; another identity is a `UsageError` that names what differs
`RunStore.open(..)`        opens an existing run, for reading (default) or `writable=True`
`store.manifest()`, `update_manifest({..})`, `write_manifest_file()`, `identity()`
`store.cases()`, `add_cases(..)`, `import_responses(..)`, `put_human(verdicts)`
`store.scorings()`, `latest_scoring()`, `view(scoring)` (a `RunView`), `cells(s)`, `estimates(s)`, `sections(s)`
`store.answers(s)`         what became of the answers: asked, done, usable, cut, refused, failed, per model and arm
`store.blobs`              the `Blobs` port over the run
`verify(folder)`           recomputes every hash of a run and says what matches
`store.read(fn, ..)`, `await store.write(fn, ..)`, `store.write_now(fn, ..)` run the functions of the modules here
"""

from percuss.store.cases import CaseSource, survey
from percuss.store.identity import Identity
from percuss.store.run import RunStore, StoredBlobs
from percuss.store.scorings import HUMAN, Checked
from percuss.store.verify import Finding, verify
from percuss.store.view import StoredView

__all__ = [
    "HUMAN",
    "CaseSource",
    "Checked",
    "Finding",
    "Identity",
    "RunStore",
    "StoredBlobs",
    "StoredView",
    "survey",
    "verify",
]
