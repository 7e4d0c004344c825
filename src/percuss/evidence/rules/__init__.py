"""The rule checkers: `strict` (the paper's labels), `extended` (paraphrase and field binding), `text` (plain text)."""
