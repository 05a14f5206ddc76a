"""Help on the systems: the list of systems, and one system with its parameters."""

from __future__ import annotations

from collections.abc import Iterable

from gaitdyn.multibody.systems.model import SeedSystem, SystemParameter

DOCUMENTS = {
    "000": (
        "R. N. Watanabe, Matrix formalism of the equations of movement",
        "https://github.com/BMClab/BMC/tree/master/notebooks",
    ),
    "001": (
        "R. N. Watanabe, Matrix formalism of the Newton-Euler equations",
        "https://github.com/BMClab/BMC/blob/master/notebooks/MatrixFormalism.ipynb",
    ),
    "002": (
        "M. Duarte, Multibody dynamics of one and two-link systems",
        "https://github.com/BMClab/BMC/blob/master/notebooks/MultibodyDynamics.ipynb",
    ),
    "003": (
        "PyMbs documentation, Background",
        "https://pymbs.readthedocs.io/mathematics/mathematics.html",
    ),
    "004": (
        "S. Caron, Equations of motion",
        "https://scaron.info/robotics/equations-of-motion.html",
    ),
}
"""Number of a seed document -> author and title, public address."""


def listed(systems: Iterable[SeedSystem]) -> list[str]:
    """Return one line per system with name, subject and document number; then the documents."""
    systems = list(systems)
    wide = max(len(system.name) for system in systems)
    lines = [f"{s.name:{wide}}  {s.about} ({s.document})" for s in systems]
    lines += ["", "documents:"]
    lines += [f"  {number}  {title}, {address}" for number, (title, address) in DOCUMENTS.items()]
    return [*lines, "", "parameters of a system: gaitdyn simulate NAME --help"]


def described(system: SeedSystem) -> list[str]:
    """Return the lines that describe a system: its document, parameters, runs and files."""
    lines = [f"{system.name}: {system.about}"]
    for number in system.document.split(" and "):
        title, address = DOCUMENTS[number]
        lines += [f"document {number}: {title}", f"  {address}"]
    lines += ["", "parameters, --set KEY=VALUE:"]
    rows = [(p.name, _default(p), p.meaning) for p in system.parameters]
    wide = [max(len(row[i]) for row in rows) for i in (0, 1)]
    lines += [f"  {a:{wide[0]}}  {b:{wide[1]}}  {c}" for a, b, c in rows]
    lines += ["", *_usual(system)]
    if system.printed:
        lines.append("--as-published: the run that the document prints, with its errors")
    if system.integrated:
        lines.append(
            "--integrator: DOP853 by default; euler is the document's, with --step seconds"
        )
    if system.equations is not None:
        lines.append("--equations: the equations as LaTeX, Python and C, or as matrices")
    return lines


def _usual(system: SeedSystem) -> list[str]:
    """Return the lines on the length of a run and its sampling when none is asked for."""
    lengths, samplings = {}, {}
    for run in system.usual_runs:
        sampling = f"{run.rate_hz:g} Hz" if run.rate_hz else f"{run.intervals} intervals in a run"
        lengths.setdefault(f"{run.duration_s:g} s", []).append(run.motion)
        samplings.setdefault(sampling, []).append(run.motion)
    return [
        f"--duration: {_by_motion(lengths)} by default",
        f"--rate: {_by_motion(samplings)} by default",
    ]


def _by_motion(values: dict[str, list[str]]) -> str:
    """Return values, each with the motions that have it unless all have the same."""
    if len(values) == 1:
        return next(iter(values))
    return ", ".join(f"{text} ({', '.join(motions)})" for text, motions in values.items())


def _default(parameter: SystemParameter) -> str:
    if parameter.choices:
        return "|".join(
            f"[{word}]" if word == parameter.default else word for word in parameter.choices
        )
    unit = "" if parameter.unit == "1" else f" {parameter.unit}"
    return f"{parameter.default:.6g}{unit}"
