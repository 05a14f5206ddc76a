"""``gaitdyn process``: one trial."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from gaitdyn_cli import options as of
from gaitdyn_cli.console import answer, answer_json, say
from gaitdyn_cli.report import report_writer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gaitdyn.trial import Result

_LONG_BYTES = 50_000_000
"""A recording of this size or more shows how far it is."""


def process(
    context: typer.Context,
    trial: Annotated[
        Path,
        typer.Argument(
            help="C3D or TRC file of a walking trial.", show_default=False, readable=False
        ),
    ],
    static: Annotated[Optional[str], of.STATIC] = None,
    forces: Annotated[Optional[str], of.FORCES] = None,
    other_person: Annotated[bool, of.OTHER_PERSON] = False,
    up: Annotated[Optional[str], of.UP] = None,
    forward: Annotated[Optional[str], of.FORWARD] = None,
    rename: Annotated[Optional[list[str]], of.RENAME] = None,
    subject: Annotated[Optional[Path], of.SUBJECT] = None,
    subject_prefix: Annotated[Optional[str], of.SUBJECT_PREFIX] = None,
    mass: Annotated[Optional[float], of.MASS] = None,
    height: Annotated[Optional[float], of.HEIGHT] = None,
    marker_diameter: Annotated[Optional[float], of.MARKER_DIAMETER] = None,
    reader: Annotated[str, of.READER] = "gaitdyn",
    model: Annotated[str, of.MODEL] = "auto",
    offsets: Annotated[str, of.OFFSETS] = "static",
    flat_foot: Annotated[str, of.FLAT_FOOT] = "auto",
    hip_centre: Annotated[str, of.HIP_CENTRE] = "model",
    profile: Annotated[str, of.PROFILE] = "default",
    cutoff: Annotated[str, of.CUTOFF] = "10",
    force_cutoff: Annotated[str, of.FORCE_CUTOFF] = "same",
    baseline: Annotated[str, of.BASELINE] = "remove",
    filter_kind: Annotated[str, of.FILTER] = "spline",
    moments_in: Annotated[str, of.MOMENTS_IN] = "distal",
    convention: Annotated[str, of.CONVENTION] = "internal",
    anthropometry: Annotated[str, of.ANTHROPOMETRY] = "auto",
    assign: Annotated[Optional[str], of.ASSIGN] = None,
    emg_band: Annotated[str, of.EMG_BAND] = "20-450",
    emg_envelope: Annotated[float, of.EMG_ENVELOPE] = 6.0,
    emg_notch: Annotated[str, of.EMG_NOTCH] = "none",
    emg_normalise: Annotated[str, of.EMG_NORMALISE] = "session",
    emg_muscles: Annotated[Optional[Path], of.EMG_MUSCLES] = None,
    quality: Annotated[Optional[Path], of.QUALITY] = None,
    condition: Annotated[str, of.CONDITION] = "",
    uncertainty: Annotated[str, of.UNCERTAINTY] = "none",
    sensitivity: Annotated[bool, of.SENSITIVITY] = False,
    sweep: Annotated[Optional[list[str]], of.SWEEP] = None,
    names: Annotated[str, of.NAMES] = "gaitdyn",
    shoulder: Annotated[str, of.SHOULDER] = "cardan",
    table_format: Annotated[str, of.FORMAT] = "csv",
    report: Annotated[str, of.REPORT] = "none",
    norm: Annotated[Optional[Path], of.NORM] = None,
    with_names: Annotated[bool, of.WITH_NAMES] = False,
    figures: Annotated[bool, of.FIGURES] = True,
    audit: Annotated[bool, of.AUDIT] = True,
    terms: Annotated[bool, of.TERMS] = False,
    generalised: Annotated[bool, of.GENERALISED] = False,
    publish_anyway: Annotated[bool, of.PUBLISH_ANYWAY] = False,
    intermediate: Annotated[bool, of.INTERMEDIATE] = False,
    out: Annotated[Path, of.OUT_FOLDER] = Path("gaitdyn-results"),
    force: Annotated[bool, of.FORCE_FOLDER] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print result.json.")] = False,
    quiet: Annotated[bool, of.QUIET] = False,
) -> None:
    """Process one trial."""
    from gaitdyn_cli import choices

    options = choices.options_from(
        static=static,
        forces=forces,
        other_person=other_person,
        up=up,
        forward=forward,
        rename=rename,
        subject=subject,
        subject_prefix=subject_prefix,
        mass=mass,
        height=height,
        marker_diameter=marker_diameter,
        reader=reader,
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
        shoulder=shoulder,
        condition=condition,
        audit=audit,
        terms=terms,
        generalised=generalised,
        uncertainty=uncertainty,
        quality=quality,
        publish_anyway=publish_anyway,
        **choices.emg_fields(emg_band, emg_envelope, emg_notch, emg_normalise, emg_muscles),
    )
    choices.check_outputs(table_format, report)
    from gaitdyn.pipeline import process_trial
    from gaitdyn.quality.rules import findings_of
    from gaitdyn.session import plan_lines, plan_trial
    from gaitdyn.session.session_file import find_session_file
    from gaitdyn.store import ResultsFolder, document_text, summary_lines, write_results
    from gaitdyn.store.visit import write_visit

    plan = plan_trial(trial, choices.given_fields(context, options))
    options = plan.options
    bands = Path(uncertainty) if uncertainty not in {"none", "default"} else None
    write_report, writers = report_writer(report, norm, with_names=with_names), []
    if options.uncertainty != "none" or sensitivity or sweep:
        from gaitdyn.uncertainty.on_demand import writers_of

        writers += writers_of(options, sensitivity=sensitivity, sweeps=sweep or ())
    writers += [write_report] if write_report else []
    read = None if options.static is None else Path(options.static)
    pushed = None if options.forces is None else Path(options.forces)
    own = (read, pushed, subject, norm, bands, quality, emg_muscles)
    inputs = [path for path in own if path is not None]
    folder = ResultsFolder.prepare(out, trial, inputs, force=force, say=None if quiet else say)
    with stages(trial, quiet=quiet) as told:
        result = process_trial(trial, options, told)
        findings_of(result)
    if not quiet:
        _tell(plan_lines(plan), result)

    def write_more(place: Path) -> None:
        write_visit(place, find_session_file(trial.parent).visit, folder.path)
        for write in writers:
            write(place, result)

    document = write_results(
        folder, result, figures=figures, intermediate=intermediate, write_more=write_more
    )
    _say_left_out(folder.path, sweep, quiet=quiet)
    if as_json:
        answer_json(document_text(document).rstrip())
    elif not quiet:
        for line in summary_lines(result, document):
            answer(line)
        answer(f"results: {folder.path}")


@contextmanager
def stages(trial: Path, *, quiet: bool) -> Iterator[Optional[Callable[[str], None]]]:
    """Give what shows how far a long recording is; nothing for a short one."""
    if quiet or not trial.is_file() or trial.stat().st_size < _LONG_BYTES:
        yield None
        return
    from gaitdyn.pipeline import STEPS
    from gaitdyn_cli.progress import steps

    with steps("step", quiet=quiet) as step:
        yield lambda name: step(STEPS.index(name) + 1, len(STEPS), name)


def _tell(planned: list[str], result: Result) -> None:
    for line in (*planned, *result.log):
        say(line)
    if result.no_kinetics:
        say(result.no_kinetics)


def _say_left_out(folder: Path, sweep: Optional[list[str]], *, quiet: bool) -> None:
    """Say which settings of a sweep this trial does not allow."""
    if not sweep or quiet:
        return
    from gaitdyn.store.extras import left_out_lines

    for line in left_out_lines(folder):
        say(line)
