"""Results judged: what is abnormal, what has changed, with an error that is known."""
