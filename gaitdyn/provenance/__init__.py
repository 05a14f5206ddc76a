"""Results run again from the inputs and options that they record."""
