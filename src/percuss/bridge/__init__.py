"""Protocols as tasks of other frameworks; a bridge is a file of its own that imports the framework where it is used."""
