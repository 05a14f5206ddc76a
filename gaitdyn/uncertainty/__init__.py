"""How far the numbers can be trusted: bands from input errors, cut-offs, and other settings."""
