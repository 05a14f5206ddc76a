"""Trunk, head and arms; imported only for trials that have their markers."""
