"""Where markers are on the person: who stands where, and how well a place fits a landmark."""
