"""Estimate the uncertainty of results: bands from input errors, cut-offs, and other settings."""
