"""Read and write C3D files: parameters, points, analog channels, events and force plates."""
