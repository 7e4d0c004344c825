"""Does the cited source say it? The rule, where no judge is given.

words    content words of a text: folded, cut to stems, weighed by how rare they are in the source
signs    polarity and direction: negations, rises and falls, for and against
rule     yes, no with its kind, or undecided with its reason; each with the place in the source
"""
