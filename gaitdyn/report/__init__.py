"""The clinician's report: one page that opens offline, and a PDF for the patient's file.

Both are made from results folders, so that they hold the numbers of the tables. What the panels
show is told in :mod:`gaitdyn.plots.panels`; what is said in words, in :mod:`.contents`.
"""
