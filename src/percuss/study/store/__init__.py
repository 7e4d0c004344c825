"""Where a study is kept: tables, a writer that groups commits, an append-only ledger, people, labels."""
