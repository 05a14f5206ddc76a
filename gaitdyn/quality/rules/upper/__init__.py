"""Rules on the markers and loads above the pelvis."""
