"""Where sources are looked for and read: registries, searches, pages; everything archived, so that judging replays offline.

polite      one client for all registries: pace, Retry-After, bytes sent, what is kept
crossref, openalex, pubmed, datacite, arxiv   what each answers, as `Answer`s about one reference
web_search  Serper, Brave and Tavily by their wire formats
backends    all that a run looks with, behind one search
resolve     several registries asked about one reference
fetch       pages by the fetching rules, with the kind of each failure
page_record  what a page says about itself: title, authors, year, identifiers
archive     pages and answers, content-addressed
passages    blocks of a source, ranked
"""
