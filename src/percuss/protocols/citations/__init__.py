"""Citations: whether a cited source exists, is the one that is described, and says what it is cited for."""
