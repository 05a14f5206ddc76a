"""The options that commands share: each is named and explained once.

A command gives the type and the value when left out: ``process`` has one for every option,
``batch`` and ``compare`` have none, as an option that is left out there is not passed on.
"""

from __future__ import annotations

import typer

# What is processed
STATIC = typer.Option(
    help="Static trial, FILE or FILE:FIRST-LAST (frames), or none; found near the trial when not"
    " given.",
    readable=False,
)
FORCES = typer.Option(
    help="Forces of the ground, FILE (.mot, .sto, .forces, .c3d) or none; found beside a TRC file"
    " when not given."
)
OTHER_PERSON = typer.Option("--other-person", help="Take a static of another person all the same.")
UP = typer.Option(help="Axis that is up, such as +Z; told by the data when not given.")
FORWARD = typer.Option(help="Axis nearest to the walking direction, such as -Y.")
RENAME = typer.Option(help="Mend one label: OLD=NEW; repeatable.")
SUBJECT = typer.Option(help="subject.toml with measurements.", readable=False)
SUBJECT_PREFIX = typer.Option(help="Prefix of the labels, in a file of several subjects.")
MASS = typer.Option(help="Body mass, kg.")
HEIGHT = typer.Option(help="Height, m.")
MARKER_DIAMETER = typer.Option(help="Marker diameter, mm.")
READER = typer.Option(help="Who reads the data: gaitdyn, or ezc3d to check it.")

# How it is processed
MODEL = typer.Option(help="auto, the name of a marker model, or FILE.toml.")
OFFSETS = typer.Option(help="Foot offsets: static or trial.")
FLAT_FOOT = typer.Option(help="Soles level in the static: auto, yes or no.")
HIP_CENTRE = typer.Option(
    help="Hip joint centres: model, davis, harrington, harrington-full, harrington-width,"
    " hara, bell or bell-1989."
)
PROFILE = typer.Option(help="default or plug-in-gait.")
CUTOFF = typer.Option(help="Cut-off of the markers, Hz, or none.")
FORCE_CUTOFF = typer.Option(help="Cut-off of the forces, Hz, same or none.")
BASELINE = typer.Option(help="Reading of unloaded plates: remove or keep.")
FILTER = typer.Option("--filter", help="spline or butterworth.")
MOMENTS_IN = typer.Option(help="Axes of the moments: distal, proximal, jcs, jcs-dual or lab.")
CONVENTION = typer.Option(help="Moments internal or external.")
ANTHROPOMETRY = typer.Option(help="Body-segment table: auto (adult or child), a name, FILE.csv.")
ASSIGN = typer.Option(help="Plates to feet, such as 1=left,2=right:114-181,3=none (file frames).")

# Electromyography
EMG_BAND = typer.Option(help="Band-pass of the EMG, Hz.")
EMG_ENVELOPE = typer.Option(help="Low-pass of the rectified EMG, Hz.")
EMG_NOTCH = typer.Option(help="Mains frequency to take out of the EMG, Hz, or none.")
EMG_NORMALISE = typer.Option(help="What 1 of an envelope is: session, trial, none or FILE.toml.")
EMG_MUSCLES = typer.Option(help="Labels of the EMG to muscles and sides: emg.toml.", readable=False)

# How far the numbers can be trusted
QUALITY = typer.Option(help="Limits and levels of quality rules: FILE.toml.", readable=False)
UNCERTAINTY = typer.Option(help="Bands from input errors: none, default or FILE.toml.")
SENSITIVITY = typer.Option("--sensitivity", help="Peaks for cut-offs from 4 to 20 Hz.")
SWEEP = typer.Option(help="Peaks under other settings, KEY=A,B such as cutoff=6,10; repeatable.")

# What is written
CONDITION = typer.Option(help="Such as barefoot; a report pools trials by it.")
NAMES = typer.Option(help="Column names: gaitdyn or pig.")
SHOULDER = typer.Option(help="Angles of the shoulder: cardan or isb (Y-X-Y).")
FORMAT = typer.Option("--format", help="csv.")
REPORT = typer.Option(help="none, html, pdf or both.")
NORM = typer.Option(help="Reference set of the report: CSV or .gcd.", readable=False)
FIGURES = typer.Option(help="Draw figures.")
PUBLISH_ANYWAY = typer.Option("--publish-anyway", help="Write what cannot be too, marked.")
INTERMEDIATE = typer.Option("--intermediate", help="Write motion.npz.")
OUT_FOLDER = typer.Option("-o", "--out", help="Folder for the results.")
WITH_NAMES = typer.Option(
    "--with-names", help="Leave names of persons in what leaves the house (docs/names.md)."
)
PSEUDONYMS = typer.Option(
    "--pseudonyms", help="Mask names of persons in local tables and the index, too."
)
FORCE_FILE = typer.Option("--force", help="Replace a file that gaitdyn did not write.")
FORCE_FOLDER = typer.Option("--force", help="Replace a folder that gaitdyn did not write.")
VERIFY = typer.Option(
    "--verify", help="Compare the SHA-256 of every file of results, not only its size."
)
JSON = typer.Option("--json", help="Print one JSON document.")
QUIET = typer.Option("--quiet", help="Say nothing but errors.")

_AUDIT = "Consistency of the computation: closure, energy."
_TERMS = "Write the moments by cause and segment."
_GENERALISED = "Write M, C, G, E of each joint and induced accelerations."
AUDIT = typer.Option(help=_AUDIT)
TERMS = typer.Option(help=_TERMS)
GENERALISED = typer.Option("--generalised", help=_GENERALISED)
AUDIT_OR_NOT = typer.Option("--audit/--no-audit", help=_AUDIT)
TERMS_OR_NOT = typer.Option("--terms/--no-terms", help=_TERMS)
GENERALISED_OR_NOT = typer.Option("--generalised/--no-generalised", help=_GENERALISED)
