"""Ground reaction forces from a separate file, and the file that belongs to a recording."""
