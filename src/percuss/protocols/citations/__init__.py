"""Citations: does a cited source exist, is it the one that is described, and does it say what it is cited for?"""
