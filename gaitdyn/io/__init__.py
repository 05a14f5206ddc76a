"""C3D files in: parameters, points, analog channels, events, plates."""
