"""What labels say by their words alone: spellings, sides, series, points that are no markers."""
