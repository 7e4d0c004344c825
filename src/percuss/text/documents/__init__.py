"""Files into text, with the offset of each page: what any protocol may read sources with; nothing is run, fetched or followed.

html  a page's text with lists, links and superscripts kept
pdf   text with page offsets, or lines with their boxes
page  whatever a server or a folder gives: HTML by trafilatura, PDF by pypdfium2, text as it is
"""
