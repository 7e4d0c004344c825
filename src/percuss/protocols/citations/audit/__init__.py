"""The audit of anyone's document: its references found, checked against itself and against what is given or asked.

library    a local authority: .bib, CSL-JSON, JSONL, Parquet, searched by identifier and by title
document   what every reader of a file returns
readers    a file of any format into a document
coherence  the document against itself: cited but not listed, duplicates, form of identifiers, impossible numbers
audit      references -> findings -> report
render, exports, fix   terminal and JSON; HTML, SARIF, JUnit; corrected entries
"""
