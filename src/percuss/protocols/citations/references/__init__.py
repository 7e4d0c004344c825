"""References as people and models write them: read, given an identity, compared with the record that was found.

record       one reference, one name, one record of an authority
names        authors in any notation, and whether two are the same person
orders       names written out: whether surnames stand first
identifiers  DOI, PMID, PMCID, arXiv, ISBN, ISSN, PEL, legal reporters, URLs: found, normalised, checked for form
titles       titles folded, compared, and what differs between two
venues       journals and conferences, abbreviated or not
identity     the key of a reference, and whether two references are the same
compare      a cited reference beside a found record: which fields differ
status       the statuses of the definitions, decided from what the sources answered
strings      a printed reference (Vancouver, APA, IEEE, Harvard, Chicago, legal) into fields
bibtex, tagged, csl   .bib, RIS and NBIB, CSL-JSON
lists        reference lists of a text, and the markers that point into them
extract      cited claims of a turn, by rule
extracted    what a model's extraction must look like, and its verification
"""
