"""Rules on the markers of legs and pelvis: seen, named, placed and moving as they should."""
