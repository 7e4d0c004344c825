"""Protocol `citations`: multi-turn conversations whose every citation is checked, and code that calls what exists."""
