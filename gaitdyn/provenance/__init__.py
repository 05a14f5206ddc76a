"""Recompute results from the inputs and options that they record."""
