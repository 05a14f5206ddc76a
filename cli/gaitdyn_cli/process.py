"""``gaitdyn process``: one trial."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Optional

import typer

from gaitdyn_cli.console import answer, say
from gaitdyn_cli.report import report_writer

_SECTION = {"rich_help_panel": None}


def process(
    trial: Annotated[
        Path,
        typer.Argument(help="C3D file of a walking trial.", show_default=False, readable=False),
    ],
    static: Annotated[
        Optional[Path],
        typer.Option(
            help="Static trial, or none; found beside the trial when not given.", readable=False
        ),
    ] = None,
    subject: Annotated[
        Optional[Path], typer.Option(help="subject.toml with measurements.", readable=False)
    ] = None,
    subject_prefix: Annotated[
        Optional[str], typer.Option(help="Prefix of the labels, in a file of several subjects.")
    ] = None,
    mass: Annotated[Optional[float], typer.Option(help="Body mass, kg.")] = None,
    height: Annotated[Optional[float], typer.Option(help="Height, m.")] = None,
    marker_diameter: Annotated[Optional[float], typer.Option(help="Marker diameter, mm.")] = None,
    model: Annotated[
        str, typer.Option(help="auto, the name of a marker model, or FILE.toml.")
    ] = "auto",
    offsets: Annotated[str, typer.Option(help="Foot offsets: static or trial.")] = "static",
    flat_foot: Annotated[
        str, typer.Option(help="Soles level in the static: auto, yes or no.")
    ] = "auto",
    hip_centre: Annotated[
        str,
        typer.Option(
            help="Hip joint centres: model, davis, harrington, harrington-full, harrington-width,"
            " hara, bell or bell-1989."
        ),
    ] = "model",
    profile: Annotated[str, typer.Option(help="default or plug-in-gait.")] = "default",
    cutoff: Annotated[str, typer.Option(help="Cut-off of the markers, Hz, or none.")] = "10",
    force_cutoff: Annotated[
        str, typer.Option(help="Cut-off of the forces, Hz, same or none.")
    ] = "same",
    baseline: Annotated[
        str, typer.Option(help="Reading of unloaded plates: remove or keep.")
    ] = "remove",
    filter_kind: Annotated[str, typer.Option("--filter", help="spline or butterworth.")] = "spline",
    moments_in: Annotated[
        str, typer.Option(help="Axes of the moments: distal, proximal, jcs, jcs-dual or lab.")
    ] = "distal",
    convention: Annotated[str, typer.Option(help="Moments internal or external.")] = "internal",
    anthropometry: Annotated[
        str, typer.Option(help="Body-segment table: a name or FILE.csv.")
    ] = "dempster-winter",
    assign: Annotated[
        Optional[str],
        typer.Option(help="Plates to feet, such as 1=left,2=right:114-181,3=none (file frames)."),
    ] = None,
    quality: Annotated[
        Optional[Path],
        typer.Option(help="Limits and levels of quality rules: FILE.toml.", readable=False),
    ] = None,
    condition: Annotated[
        str, typer.Option(help="Such as barefoot; a report pools trials by it.")
    ] = "",
    uncertainty: Annotated[
        str, typer.Option(help="Bands from input errors: none, default or FILE.toml.")
    ] = "none",
    sensitivity: Annotated[
        bool, typer.Option("--sensitivity", help="Peaks for cut-offs from 4 to 20 Hz.")
    ] = False,
    sweep: Annotated[
        Optional[list[str]],
        typer.Option(help="Peaks under other settings, KEY=A,B such as cutoff=6,10; repeatable."),
    ] = None,
    names: Annotated[str, typer.Option(help="Column names: gaitdyn or pig.")] = "gaitdyn",
    table_format: Annotated[str, typer.Option("--format", help="csv.")] = "csv",
    report: Annotated[str, typer.Option(help="none, html, pdf or both.")] = "none",
    norm: Annotated[
        Optional[Path],
        typer.Option(help="Reference set of the report: CSV or .gcd.", readable=False),
    ] = None,
    figures: Annotated[bool, typer.Option(help="Draw figures.")] = True,
    audit: Annotated[
        bool, typer.Option(help="Check the loads: second opinion, closure, energy.")
    ] = True,
    terms: Annotated[bool, typer.Option(help="Write the moments by cause and segment.")] = False,
    generalised: Annotated[
        bool,
        typer.Option(
            "--generalised", help="Write M, C, G, E of each joint and induced accelerations."
        ),
    ] = False,
    intermediate: Annotated[bool, typer.Option("--intermediate", help="Write motion.npz.")] = False,
    out: Annotated[Path, typer.Option("-o", "--out", help="Folder for the results.")] = Path(
        "gaitdyn-results"
    ),
    force: Annotated[
        bool, typer.Option("--force", help="Replace a folder that gaitdyn did not write.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print result.json.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Say nothing but errors.")] = False,
) -> None:
    """Process one trial."""
    from gaitdyn_cli import choices

    options = choices.options_from(
        static=static,
        subject=subject,
        subject_prefix=subject_prefix,
        mass=mass,
        height=height,
        marker_diameter=marker_diameter,
        model=model,
        offsets=offsets,
        flat_foot=flat_foot,
        hip_centre=hip_centre,
        profile=profile,
        cutoff=cutoff,
        force_cutoff=force_cutoff,
        baseline=baseline,
        filter_kind=filter_kind,
        moments_in=moments_in,
        convention=convention,
        anthropometry=anthropometry,
        assign=assign,
        names=names,
        condition=condition,
        audit=audit,
        terms=terms,
        generalised=generalised,
        uncertainty=uncertainty,
        quality=quality,
    )
    choices.check_outputs(table_format, report)
    from gaitdyn.pipeline import process_trial
    from gaitdyn.quality.rules import audited
    from gaitdyn.store import ResultsFolder, document_text, summary_lines, write_results

    bands = Path(uncertainty) if uncertainty not in {"none", "default"} else None
    further = report_writer(report, norm)
    on_demand = []
    if options.uncertainty != "none" or sensitivity or sweep:
        from gaitdyn.uncertainty.on_demand import writers_of

        on_demand = writers_of(trial, options, sensitivity=sensitivity, sweeps=sweep or ())
    inputs = [path for path in (static, subject, norm, bands, quality) if path is not None]
    folder = ResultsFolder.prepare(out, trial, inputs, force=force)
    result = audited(process_trial(trial, options))
    if not quiet:
        for line in result.log:
            say(line)
        if result.no_kinetics:
            say(result.no_kinetics)
    if on_demand:
        from gaitdyn.uncertainty.on_demand import joined

        further = joined(result, on_demand, further)
    document = write_results(
        folder, result, figures=figures, intermediate=intermediate, further=further
    )
    _say_left_out(folder.path, sweep, quiet=quiet)
    if as_json:
        answer(document_text(document).rstrip())
    elif not quiet:
        for line in summary_lines(result, document):
            answer(line)
        answer(f"results: {folder.path}")


def _say_left_out(folder: Path, sweep: Optional[list[str]], *, quiet: bool) -> None:
    """Say which settings of a sweep this trial does not allow."""
    if not sweep or quiet:
        return
    from gaitdyn.store.extras import left_out_lines

    for line in left_out_lines(folder):
        say(line)
