"""A shared task: items split and committed by hash, submissions checked by line, teams ranked with what the data allow."""
