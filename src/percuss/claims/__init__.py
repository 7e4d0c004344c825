"""Claims: one atomic statement each, with its place in the text (`sentences`), its kinds and its extractors."""
