"""Rules that hold the force on the ground against the mass and the motion of the body."""
