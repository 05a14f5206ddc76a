"""Foot strikes and offs; which foot stands on which plate; the wrench on each foot."""
