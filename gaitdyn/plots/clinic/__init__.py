"""The clinician's drawings: panels, strips, profile, floor plan, moving figure.

They are lists of marks, as all drawings here. Their unit is 1/240 of the width of a panel, about a
pixel of the page; :mod:`gaitdyn.plots.clinic.writing` turns them into SVG and
:mod:`gaitdyn.plots.clinic.placing` puts them on a sheet of paper.
"""
