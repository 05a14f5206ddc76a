"""Two groups of people, or of conditions, compared."""
