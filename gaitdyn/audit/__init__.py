"""Checks of the computed loads in every run: second opinion, closure, energy."""
