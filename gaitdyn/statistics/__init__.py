"""Is a curve abnormal, has it changed: tests with an error that is known. Arrays in, arrays out."""
