"""``gaitdyn batch``: all trials of sessions."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Optional

import typer

from gaitdyn_cli import options as of
from gaitdyn_cli.choices import (
    REPORTS,
    check_files,
    check_report,
    emg_fields,
    frequency_option,
    given_options,
)
from gaitdyn_cli.console import answer, answer_json, say

SOME_FAILED = 3


def batch(
    sessions: Annotated[
        list[Path],
        typer.Argument(
            help="Folders of recordings, or folders of such folders.", show_default=False
        ),
    ],
    out: Annotated[Path, of.OUT_FOLDER] = Path("gaitdyn-results"),
    jobs: Annotated[
        Optional[int], typer.Option(help="Processes; one a core when left out.", min=1)
    ] = None,
    dask: Annotated[
        Optional[str], typer.Option(help="Scheduler of a Dask cluster, such as tcp://host:8786.")
    ] = None,
    force: Annotated[
        bool,
        typer.Option(
            "--force/--resume", help="Do everything again, or only what is missing or has changed."
        ),
    ] = False,
    verify: Annotated[bool, of.VERIFY] = False,
    report: Annotated[str, of.REPORT] = "html",
    norm: Annotated[
        Optional[Path], typer.Option(help="Reference set of the reports: CSV or .gcd.")
    ] = None,
    pseudonyms: Annotated[bool, of.PSEUDONYMS] = False,
    with_names: Annotated[bool, of.WITH_NAMES] = False,
    figures: Annotated[bool, of.FIGURES] = False,
    other_person: Annotated[bool, of.OTHER_PERSON] = False,
    up: Annotated[Optional[str], of.UP] = None,
    forward: Annotated[Optional[str], of.FORWARD] = None,
    rename: Annotated[Optional[list[str]], of.RENAME] = None,
    profile: Annotated[Optional[str], of.PROFILE] = None,
    model: Annotated[Optional[str], of.MODEL] = None,
    mass: Annotated[
        Optional[float], typer.Option(help="Body mass of every subject, kg.", show_default=False)
    ] = None,
    offsets: Annotated[Optional[str], of.OFFSETS] = None,
    flat_foot: Annotated[Optional[str], of.FLAT_FOOT] = None,
    hip_centre: Annotated[
        Optional[str],
        typer.Option(help="Hip joint centres, as in process.", show_default=False),
    ] = None,
    cutoff: Annotated[Optional[str], of.CUTOFF] = None,
    force_cutoff: Annotated[Optional[str], of.FORCE_CUTOFF] = None,
    baseline: Annotated[Optional[str], of.BASELINE] = None,
    filter_kind: Annotated[Optional[str], of.FILTER] = None,
    moments_in: Annotated[Optional[str], of.MOMENTS_IN] = None,
    convention: Annotated[Optional[str], of.CONVENTION] = None,
    anthropometry: Annotated[Optional[str], of.ANTHROPOMETRY] = None,
    emg_band: Annotated[Optional[str], of.EMG_BAND] = None,
    emg_envelope: Annotated[Optional[float], of.EMG_ENVELOPE] = None,
    emg_notch: Annotated[Optional[str], of.EMG_NOTCH] = None,
    emg_normalise: Annotated[Optional[str], of.EMG_NORMALISE] = None,
    emg_muscles: Annotated[Optional[Path], of.EMG_MUSCLES] = None,
    quality: Annotated[Optional[Path], of.QUALITY] = None,
    uncertainty: Annotated[Optional[str], of.UNCERTAINTY] = None,
    audit: Annotated[Optional[bool], of.AUDIT_OR_NOT] = None,
    terms: Annotated[Optional[bool], of.TERMS_OR_NOT] = None,
    generalised: Annotated[Optional[bool], of.GENERALISED_OR_NOT] = None,
    sensitivity: Annotated[bool, of.SENSITIVITY] = False,
    sweep: Annotated[Optional[list[str]], of.SWEEP] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print what failed as one JSON document.")
    ] = False,
    quiet: Annotated[bool, of.QUIET] = False,
) -> int:
    """Process all trials of sessions: one folder a trial, a page a session, an index."""
    from gaitdyn.types.words import parse_rename

    check_report(report)
    options = given_options(
        other_person=other_person or None,
        up=up,
        forward=forward,
        rename=parse_rename(rename) if rename else None,
        profile=profile,
        model=model,
        mass_kg=mass,
        offsets=offsets,
        flat_foot=flat_foot,
        hip_centre=hip_centre,
        baseline=baseline,
        filter=filter_kind,
        moments_in=moments_in,
        convention=convention,
        anthropometry=anthropometry,
        quality=None if quality is None else str(quality),
        uncertainty=uncertainty,
        audit=audit,
        terms=terms,
        generalised=generalised,
    )
    options |= emg_fields(emg_band, emg_envelope, emg_notch, emg_normalise, emg_muscles)
    options |= frequency_option("cutoff", cutoff) | frequency_option("force-cutoff", force_cutoff)
    given_options(**options)
    check_files(quality, uncertainty, sweep or ())
    from gaitdyn.batch import BatchSettings, run_batch
    from gaitdyn.metrics.norm_files import norm_path, read_norm
    from gaitdyn_cli.progress import progress

    if norm is not None:
        read_norm(norm)
    settings = BatchSettings(
        out=out,
        jobs=jobs or os.cpu_count() or 1,
        dask=dask,
        reports=REPORTS[report],
        figures=figures,
        norm=None if norm is None else norm_path(norm),
        options=options,
        force=force,
        sensitivity=sensitivity,
        sweeps=tuple(sweep or ()),
        verify=verify,
        pseudonyms=pseudonyms,
        with_names=with_names,
    )
    with progress(quiet=quiet) as listener:
        failures = run_batch(sessions, settings, listener)
    if as_json:
        _print_json(failures)
    elif not quiet:
        answer(listener.summary())
        answer(f"results: {out / 'index.html'}")
    for line in _table(failures):
        say(line)
    return SOME_FAILED if failures else 0


def _print_json(failures: list) -> None:  # pyright: ignore[reportMissingTypeArgument]
    import json
    from dataclasses import asdict

    answer_json(json.dumps([asdict(f) for f in failures], indent=1, ensure_ascii=False))


def _table(failures: list) -> list[str]:  # pyright: ignore[reportMissingTypeArgument]
    """Return what failed and why, a line each."""
    if not failures:
        return []
    rows = [
        (f"{f.session}/{f.file}" if f.name else f.session or f.file, f.reason) for f in failures
    ]
    width = min(max(len(name) for name, _ in rows), 48)
    word = "trial" if len(rows) == 1 else "trials"
    return [f"{len(rows)} {word} failed:", *(f"  {name:{width}s}  {why}" for name, why in rows)]
