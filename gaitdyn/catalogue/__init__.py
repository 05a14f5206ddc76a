"""The keys of curves and numbers, and the methods by which a run computed them."""
