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
        Command line without the name of the program.
    """
    options = _parser().parse_args(arguments)
    walker = Walker(course=Course(heading_rad=math.radians(options.heading)))
    walker = newtonian(walker) if options.newtonian else walker
    try:
        recording = Recording(
            rate_hz=options.rate,
            analog_ratio=options.analog_ratio,
            first_frame=options.first_frame,
            up=options.up,
            forward=options.forward,
            units=options.units,
            plates=options.plates,
            negative_origin=options.negative_origin,
            marker_noise_mm=options.noise,
            force_noise_n=options.force_noise,
            baseline_n=options.baseline,
            seed=options.seed,
            events=not options.no_events,
        )
        walker = walker.mirrored() if options.mirror else walker
        paths = write_session(options.out, walker, recording, options.trials)
    except (GaitdynError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.writelines(f"{path}\n" for path in paths)
    return 0


def _parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(prog="python -m gaitdyn.synthetic", description=__doc__)
    add = parser.add_argument
    default = Recording()
    add("out", type=Path, help="output folder, created if it does not exist")
    add("--noise", type=float, default=0.0, metavar="MM", help="SD of white noise on the markers")
    add("--force-noise", type=float, default=0.0, metavar="N", help="the same on force channels")
    add("--baseline", type=float, default=0.0, metavar="N", help="offset of un-tared plates")
    add("--rate", type=float, default=default.rate_hz, metavar="HZ", help="marker rate")
    add("--analog-ratio", type=int, default=default.analog_ratio, help="samples per marker frame")
    add("--first-frame", type=int, default=default.first_frame)
    add("--up", choices=("y", "z"), default=default.up)
    add("--forward", default=default.forward, help="laboratory axis, for example --forward=-x")
    add("--units", choices=("mm", "m"), default=default.units)
    add("--heading", type=float, default=0.0, metavar="DEG", help="from the axis, + to the left")
    add("--plates", type=int, default=default.plates)
    add("--trials", type=int, default=2)
    add("--seed", type=int, default=0)
    add("--negative-origin", action="store_true", help="ORIGIN as in the C3D definition")
    add("--no-events", action="store_true")
    add("--newtonian", action="store_true", help="make the body's motion agree with the forces")
    add("--mirror", action="store_true", help="left and right exchanged")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
