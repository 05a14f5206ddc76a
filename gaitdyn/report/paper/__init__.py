"""The clinician's PDF and the engineer's annex."""
