"""Array kernels shared by several stages; they need only numpy and scipy.linalg.

Time is axis 0 and xyz the last axis throughout. A rotation matrix ``R_GS`` takes components in
segment axes S to components in G: ``v_G = R_GS @ v_S``.
"""
