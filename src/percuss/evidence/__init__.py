"""Evidence: what a case offers a model, and the rules that hold a claim against it."""
