"""Write a synthetic session: ``python -m gaitdyn.synthetic OUT [--noise MM] [--rate HZ] ...``."""

from __future__ import annotations

import argparse
import math
import sys
from pathlib import Path

from gaitdyn.errors import GaitdynError
from gaitdyn.synthetic.kinematics import Course, Walker
from gaitdyn.synthetic.newton import newtonian
from gaitdyn.synthetic.recording import Recording
from gaitdyn.synthetic.session import write_session


def main(arguments: list[str] | None = None) -> int:
    """Write a session into a folder; return the exit code.

    Parameters
    ----------
    arguments : list of str, optional
        Command line without the program's name.
    """
    asked = _parser().parse_args(arguments)
    walker = Walker(course=Course(heading_rad=math.radians(asked.heading)))
    walker = newtonian(walker) if asked.newtonian else walker
    try:
        recording = Recording(
            rate_hz=asked.rate,
            analog_ratio=asked.analog_ratio,
            first_frame=asked.first_frame,
            up=asked.up,
            forward=asked.forward,
            units=asked.units,
            plates=asked.plates,
            negative_origin=asked.negative_origin,
            marker_noise_mm=asked.noise,
            force_noise_n=asked.force_noise,
            baseline_n=asked.baseline,
            seed=asked.seed,
            events=not asked.no_events,
        )
        paths = write_session(
            asked.out, walker.mirrored() if asked.mirror else walker, recording, asked.trials
        )
    except GaitdynError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.writelines(f"{path}\n" for path in paths)
    return 0


def _parser() -> argparse.ArgumentParser:
    """Return the command line."""
    parser = argparse.ArgumentParser(prog="python -m gaitdyn.synthetic", description=__doc__)
    add = parser.add_argument
    default = Recording()
    add("out", type=Path, help="folder, made if it does not exist")
    add("--noise", type=float, default=0.0, metavar="MM", help="white noise on the markers, SD")
    add("--force-noise", type=float, default=0.0, metavar="N", help="on the force channels, SD")
    add("--baseline", type=float, default=0.0, metavar="N", help="un-tared plates")
    add("--rate", type=float, default=default.rate_hz, metavar="HZ", help="of the markers")
    add("--analog-ratio", type=int, default=default.analog_ratio, help="samples a marker frame")
    add("--first-frame", type=int, default=default.first_frame)
    add("--up", choices=("y", "z"), default=default.up)
    add("--forward", default=default.forward, help="laboratory axis, as --forward=-x")
    add("--units", choices=("mm", "m"), default=default.units)
    add("--heading", type=float, default=0.0, metavar="DEG", help="off the axis, to the left +")
    add("--plates", type=int, default=default.plates)
    add("--trials", type=int, default=2)
    add("--seed", type=int, default=0)
    add("--negative-origin", action="store_true", help="ORIGIN as the C3D definition has it")
    add("--no-events", action="store_true")
    add("--newtonian", action="store_true", help="the body moves as the forces ask")
    add("--mirror", action="store_true", help="left and right exchanged")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
