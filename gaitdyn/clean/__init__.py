"""Gaps, filters, plate baseline and polarity."""
