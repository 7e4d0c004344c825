"""From a vignette to a scenario: what is withheld, contradicted or told late, in which words, and the lint that proves it."""
