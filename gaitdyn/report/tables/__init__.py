"""Tables of the page and of the annex."""
