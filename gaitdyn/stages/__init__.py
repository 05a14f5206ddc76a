"""The stages of one trial, one file each: called in order by :func:`gaitdyn.process_trial`."""
