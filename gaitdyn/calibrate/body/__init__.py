"""Measurements of the person, and body-segment tables."""
