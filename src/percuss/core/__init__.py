"""The words of percuss: records, labels, errors, seeds, ports. Pure: nothing here reads a file or opens a socket."""
