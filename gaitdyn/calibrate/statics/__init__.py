"""The static: where it is, whether it serves, and what is taken from it."""
