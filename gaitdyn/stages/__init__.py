"""The stages of one trial, one file each: what :func:`gaitdyn.process_trial` reads aloud."""
