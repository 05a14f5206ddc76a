"""The ladder on files of Plug-in Gait: what landmarks give is near what the vendor's model gives.

Not the same: the hip is Harrington's for Davis's, centres are carried by the markers of a
segment, and a medial marker in the static goes before width and wand. Run with ``-s``.
"""

from __future__ import annotations

import numpy as np
import pytest

from gaitdyn.pipeline import process_trial
from gaitdyn.tables.columns import run_curves
from gaitdyn.types.options import Options
from tests.shared_files import CORPUS, WITH_CORPUS

GAIT = CORPUS / "gait"
pytestmark = [pytest.mark.real, WITH_CORPUS]
TRIALS = {
    "BTK-A/PiG_Motion-FlatFoot-Full.c3d": "BTK-A/PiG_Calibration-FlatFoot-Full.c3d",
    "BTK-C/FunctionalWalk.c3d": "BTK-C/FunctionalStatic.c3d",
    "FMC/MH0222_BP15.c3d": "FMC/MH0222_BP08.c3d",
    "McGill/HC030A05.c3d": "McGill/HC030A01.c3d",
    "QCMAS/QCMAS.dynamic.c3d": "QCMAS/QCMAS.static.c3d",
}
LIMITS = {
    "hip_angle_flexion": 3.0,
    "knee_angle_flexion": 3.0,
    "ankle_angle_dorsiflexion": 6.0,
    "knee_moment_extension": 5.5,
    "knee_moment_abduction": 6.0,
    "hip_moment_extension": 10.0,
}
"""Root mean square difference, deg and N m; 2.1, 1.7, 4.8, 5.0, 3.2 and 8.0 were reached."""

FUNCTIONAL = {"hip_angle_flexion": 4.0, "knee_angle_flexion": 5.5, "hip_moment_extension": 16.0}
"""BTK-C has functional hip centres and clusters on thigh and shank: the ladder takes
them and Plug-in Gait does not. 3.4 and 4.9 deg and 14.3 N m were reached."""


TORSION = {"knee_moment_extension": 11.0, "knee_moment_abduction": 10.5}
"""QCMAS has both malleoli in its static: Plug-in Gait then takes the torsion of the tibia out of
the shank, the ladder's shank ends in the axis of the malleoli. The centres of both are within 2 mm;
the vector of the moment is told in axes that are turned by it. 10.1 and 9.5 N m were reached."""


@pytest.mark.parametrize("trial", TRIALS)
def test_the_ladder_is_near_plug_in_gait(trial: str) -> None:
    found = []
    for model in ("plug-in-gait", "ladder"):
        options = Options(model=model, static=str(GAIT / TRIALS[trial]))
        curves = run_curves(process_trial(GAIT / trial, options))
        found.append({curve.name: curve.values for curve in curves})
    for name, limit in LIMITS.items():
        off = np.concatenate([found[0][f"{s}_{name}"] - found[1][f"{s}_{name}"]
                              for s in ("left", "right")])  # fmt: skip
        off = off[np.isfinite(off)]
        rms = float(np.sqrt((off**2).mean()))
        print(trial, name, round(rms, 2))  # noqa: T201
        own = {"BTK-C": FUNCTIONAL, "QCMAS": TORSION}.get(trial.partition("/")[0], {})
        assert rms < own.get(name, limit)


def test_a_trial_without_heels_widths_and_lengths_is_done_by_its_drawn_centres() -> None:
    """Drawn knee and ankle centres give the widths; the same markers without them are coarse."""
    folder = GAIT / "c3d.org-sample03"
    drawn, raw = (
        process_trial(folder / f"gait-{kind}.c3d", Options(mass_kg=70.0)) for kind in ("pig", "raw")
    )
    assert (drawn.model, raw.model) == ("plug-in-gait", "ladder")
    for side in ("left", "right"):
        leg = drawn.subject.leg(side)
        assert 0.08 < (leg.knee_width_m or 0.0) < 0.13
        assert 0.05 < (leg.ankle_width_m or 0.0) < 0.10
        for result in (drawn, raw):
            flexion = result.sides[side].angles["knee"][:, 0]
            assert 40.0 < np.ptp(flexion[np.isfinite(flexion)]) < 80.0
    assert "width-from-drawn" in {finding.code for finding in drawn.findings}
    assert "centre-usual" in {finding.code for finding in raw.findings}
