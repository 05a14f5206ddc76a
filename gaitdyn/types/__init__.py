"""Frozen values that flow between the stages: SI units, locked arrays, no computation."""
