"""A run opened for showing, comparing and exporting."""
