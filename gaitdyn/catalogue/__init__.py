"""What is computed, once: the keys of curves and numbers, and how this run made them."""
