"""The audit of anyone's document: its references found, checked against itself and against what is given or asked.

library    a local authority: .bib, CSL-JSON, JSONL, Parquet, searched by identifier and by title
document   what every reader of a file returns
readers    a file of any format into a document
coherence  the document against itself: cited but not listed, duplicates, form of identifiers, impossible numbers
audit      references -> findings -> report
issues, report, gates   the document against itself, the record of an audit, --fail-if
render, exports   terminal, JSON, corrected entries; SARIF, JUnit, the data of the page
html, docx, tex, pdf   formats that need more than a line
declared, tex_parts    entities that a file declares; files that a LaTeX file includes
content      sentences against the texts of their sources
"""
