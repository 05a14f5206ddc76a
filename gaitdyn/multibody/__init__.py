"""Small general multibody systems: the seed documents, and tools that the gait path shares."""
