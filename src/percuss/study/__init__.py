"""Human studies: designs as data, blinded and balanced assignment, a durable record, agreement, exports, the portal.

`create.create` makes a study and `study.open_study` opens one; `serve.serve`, `status.status`, `agreement.agreement`,
`export.export_file`, `labelstudio.import_labels` and `store.ledger.verify` work on an open study.
"""
