"""The page: one HTML file that opens from disk."""
