"""Gaps, filters, and the baseline and polarity of force plates."""
