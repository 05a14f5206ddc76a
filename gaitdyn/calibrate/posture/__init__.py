"""The reference position: of a standing person, or the mean of a walk."""
