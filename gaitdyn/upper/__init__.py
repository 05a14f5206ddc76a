"""Trunk, head and arms; imported only where their markers are."""
