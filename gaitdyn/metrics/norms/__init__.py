"""Reference sets: read in every format, built from control subjects, matched to a walking speed."""
