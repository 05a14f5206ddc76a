"""Strides and their curves over 0 to 100 % of the gait cycle."""
