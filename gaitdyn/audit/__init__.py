"""Checks that every run makes of its own loads: second opinion, closure, energy."""
