"""Drawings for clinicians: panels, strips, profile, floor plan, moving figure.

Like all drawings they are lists of marks. Their unit is 1/240 of the width of a panel, about one
pixel of the page. :mod:`gaitdyn.plots.clinic.writing` turns them into SVG, and
:mod:`gaitdyn.plots.clinic.placing` puts them on a sheet of paper.
"""
