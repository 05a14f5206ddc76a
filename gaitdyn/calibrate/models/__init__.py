"""Marker models: which one a file fits, and their files."""
