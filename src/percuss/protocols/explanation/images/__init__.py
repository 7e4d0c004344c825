"""Edits of pictures and of the text beside them."""
