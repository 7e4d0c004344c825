"""One module a noun: what a page shows and what its form does."""
