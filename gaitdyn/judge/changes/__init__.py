"""What changed between two sessions, or two conditions, of one person."""
