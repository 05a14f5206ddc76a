"""Named curves and tables, written as CSV."""
