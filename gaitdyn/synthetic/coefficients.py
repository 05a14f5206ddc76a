"""Numbers of the default gait: Fourier coefficients as used by ``gait.Gait``.

They were fitted by least squares to a foot that rolls over heel and ball without slipping on a
flat floor, and to typical joint angles of walking. The series itself is the truth: nothing that
uses it depends on what it was fitted to. Rows are c0, a_1, b_1, a_2, b_2, ...
"""

# Stride in leg lengths: 1.375 m for legs of 0.85 m.
STRIDE_LENGTH = 1.61765

# fmt: off
# The mid-hip point, leg lengths.
PELVIS_PATH = (
    # forward
    (0.0, 0.0, 0.0, 0.00813, 0.01692, 0.0, 0.0, 0.00438, -0.00188, 0.0, 0.0, 0.00176,
     0.00006),
    # up
    (0.97941, 0.0, 0.0, -0.01340, -0.01238, 0.0, 0.0, -0.00208, -0.00184, 0.0, 0.0,
     -0.00106, 0.00148),
    # towards the leading side
    (0.0, -0.00715, 0.02250, 0.0, 0.0, 0.00003, -0.00001, 0.0, 0.0, 0.00070, 0.00043),
)

# rad
PELVIS_ANGLES = (
    # anterior tilt
    (0.15075, 0.0, 0.0, 0.01546, 0.00686, 0.0, 0.0, 0.00357, 0.00270),
    # leading side up
    (0.0, 0.02744, 0.04545, 0.0, 0.0, -0.01946, 0.01026, 0.0, 0.0, -0.00170, -0.00088),
    # leading side forward
    (0.0, 0.06778, 0.00571, 0.0, 0.0, 0.00097, 0.00006, 0.0, 0.0, 0.00133, -0.00207),
)

# rad
LEG_ANGLES = (
    # hip flexion
    (0.24929, 0.35496, -0.04804, -0.03800, -0.01840, -0.00933, 0.02058, -0.01080, 0.00491,
     0.00342, 0.00222, 0.00087, -0.00067, -0.00014, -0.00204),
    # hip adduction
    (0.00779, 0.01679, 0.08674, 0.00244, -0.00917, -0.01693, 0.00724, 0.00137, 0.00020),
    # hip internal rotation
    (-0.04807, -0.01264, 0.01574, -0.01530, 0.00718, 0.01342, 0.01545, 0.00930, -0.00097),
    # knee flexion
    (0.36542, -0.05032, -0.33552, -0.24181, 0.12645, -0.00868, 0.09997, -0.00523, 0.00372,
     0.00282, 0.00853, 0.01058, 0.00316, 0.00211, -0.00568),
    # knee adduction
    (-0.00717, 0.00820, 0.04466, 0.00902, -0.00038, -0.00468, -0.00366, -0.00340, 0.00026),
    # knee internal rotation
    (-0.00067, -0.07572, -0.01408, -0.01864, 0.03093, 0.00160, 0.01079, 0.00052, -0.00546),
    # ankle dorsiflexion
    (0.01445, -0.01942, 0.09171, 0.00366, -0.11735, -0.05918, 0.01518, 0.03983, -0.00921,
     -0.00992, -0.01749, 0.01319, 0.00385, 0.00890, -0.00634),
    # ankle internal rotation
    (-0.05184, -0.04466, -0.09205, 0.02263, -0.00043, 0.00937, -0.01935, 0.00379, 0.00090),
)
# fmt: on

# Quiet stance: mid-hip above the ankles (leg lengths), pelvis and leg angles (rad). Feet are flat:
# hip flexion - tilt - knee flexion + dorsiflexion = 0.
STANDING_HEIGHT = 0.99928
STANDING_PELVIS = (0.14, 0.0, 0.0)
STANDING_LEG = (0.16, 0.0, -0.06, 0.07, 0.0, 0.0, 0.05, 0.0)
