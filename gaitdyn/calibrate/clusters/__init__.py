"""The markers of one segment: strays, hidden ones, and the pose they carry."""
