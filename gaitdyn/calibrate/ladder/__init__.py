"""What the markers of a laboratory allow, rung by rung."""
