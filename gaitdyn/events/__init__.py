"""Foot strikes and offs, the assignment of feet to plates, and the wrench on each foot."""
