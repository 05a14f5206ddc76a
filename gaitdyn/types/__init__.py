"""Frozen values passed between the stages: SI units, locked arrays, no computation."""
