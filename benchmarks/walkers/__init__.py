"""Walkers and laboratories that nobody has seen, for tests and pages.

``laboratory(seed)`` and ``write_laboratory()`` write a trial of ``gaitdyn.synthetic`` as a
laboratory might that is not known: its labels, markers, axes, units, plates. ``upper`` gives the
walker a trunk, head and arms, ``functional`` moves a joint to show its centre.
"""
