"""The only HTTP of the package: a client for named endpoints, a guarded one for fetched evidence, and `--offline`.

client     requests to endpoints that the user named (models, search services): no redirects, limits per host
fetching   pages that a model or a document named: redirects re-checked, private addresses refused, sizes bounded
addresses  which addresses are public
offline    the policy of `--offline`, enforced below every library by an audit hook
contacts   which hosts were contacted, and how often
"""
