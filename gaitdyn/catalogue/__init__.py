"""What is computed, once: every curve and number with its words, and how this run made it."""

from gaitdyn.catalogue.methods import Methods, methods_of

__all__ = ["Methods", "methods_of"]
