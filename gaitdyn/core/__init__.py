"""Array kernels that several stages need. numpy and scipy.linalg only.

Time is axis 0 and xyz the last axis throughout; a rotation matrix ``R_GS`` takes components in
segment axes S to components in G, ``v_G = R_GS @ v_S``.
"""
