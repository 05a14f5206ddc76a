"""From markers to poses, angles, velocities and accelerations."""
