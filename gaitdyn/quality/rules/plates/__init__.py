"""Rules on the plates: their channels, their place, and the force under a sole."""
