"""One processed trial: its values, and the tables, judgements and files made from them."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from gaitdyn.cycles.own_signals import own_signals
from gaitdyn.metrics.parameter_definitions import PARAMETERS, UPPER_PARAMETERS
from gaitdyn.quality.rules import findings_of
from gaitdyn.tables import answers, frames
from gaitdyn.types.arguments import for_python, path_of, speaking_of_arguments
from gaitdyn.types.frozen import frozen
from gaitdyn.types.result import Processed

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from pathlib import Path

    import pandas as pd
    from matplotlib.figure import Figure
    from numpy.typing import ArrayLike

    from gaitdyn.quality import JointStatus
    from gaitdyn.quality.verdicts import Verdict
    from gaitdyn.stages.body import SubjectBody
    from gaitdyn.stages.ground import Ground
    from gaitdyn.stages.motion import Motion
    from gaitdyn.stages.session import Session
    from gaitdyn.types.cycles import CycleCurves
    from gaitdyn.types.findings import Finding

T = TypeVar("T")


@frozen(arrays=True)
class Result(Processed):
    """One processed trial, with its values, tables, judgement and output files.

    The intermediate values are attributes in SI units, time on axis 0, shape (n, ...) with n
    marker frames; :class:`gaitdyn.types.result.Processed` lists them. Tables are computed once,
    at their first use. They have the columns, units and signs of the results folder.

    Attributes
    ----------
    session, body, motion, ground : values of the stages, or None
        The recordings as read, the person's model, the poses and the ground; None if the result
        was read from a folder.
    folder : Path or None
        The results folder that the result was read from.

    See Also
    --------
    gaitdyn.process_trial : Compute it from a C3D file.
    gaitdyn.read_results : Read it from a results folder.

    Examples
    --------
    >>> import gaitdyn
    >>> result = gaitdyn.process_trial("data/walk01.c3d")
    >>> result.verdict, result.sides["left"].kinetics.loads.moment_S.shape  # knee: [:, 1]
    ('pass', (331, 3, 3))
    """

    session: Session | None = None
    body: SubjectBody | None = None
    motion: Motion | None = None
    ground: Ground | None = None
    folder: Path | None = None

    def __repr__(self) -> str:
        """Return a summary of the trial and the names of the main attributes."""
        read = self.recording
        legs = [
            f"{name} {'without' if side.kinetics is None else 'with'} kinetics"
            for name, side in self.sides.items()
        ]
        static = "none" if self.static is None else self.static.name
        return (
            f"<gaitdyn.Result of {read.name}: {read.n_frames} frames at {read.rate_hz:g} Hz, model"
            f" {self.model}, static {static}, {', '.join(legs) or 'no leg'}; to_frame(), cycles(),"
            " stances(), peaks(), gait_parameters(), emg(), .verdict, .findings, .methods, .sides,"
            " .pose, .contacts, .events, save(folder), report(path), plot(name)>"
        )

    def once(self, name: str, compute: Callable[[], T]) -> T:
        """Return the cached value of a name, or compute and cache it.

        Raises
        ------
        ResultsRefused
            When values that were read from a folder do not fit together.
        """
        if name not in self.kept:
            with self._as_read():
                self.kept[name] = compute()
        return self.kept[name]

    def _as_read(self) -> AbstractContextManager[None]:
        """Refuse values from a folder that are of another kind or do not fit together."""
        if self.folder is None:
            return nullcontext()
        from gaitdyn.store.stored import read_from

        return read_from(self.folder)

    # Tables

    def to_frame(self) -> pd.DataFrame:
        """Return the curves of both sides over the frames of the trial.

        Returns
        -------
        pandas.DataFrame
            The columns of ``timeseries.csv`` in its units, not rounded, one row per marker frame,
            indexed by ``frame`` (its number in the file). ``attrs["columns"]`` gives ``unit``,
            ``frame`` (basis), ``positive`` and ``how`` of each curve.

        See Also
        --------
        cycles : The same over 0 to 100 % of the gait cycle.

        Examples
        --------
        >>> import gaitdyn
        >>> result = gaitdyn.process_trial("data/walk01.c3d")
        >>> float(result.to_frame()["left_knee_angle_flexion"].max().round(1))
        59.7
        """
        with self._as_read():
            return frames.curve_frame(self, answers.shown_curves_of(self))

    def cycles(self) -> pd.DataFrame:
        """Return the curves of every gait cycle, 101 rows (0 to 100 %) per cycle.

        Returns
        -------
        pandas.DataFrame
            ``side``, ``cycle`` (from 1 on each side), ``percent``, ``kinematics``, ``kinetics``,
            ``turning`` and ``representative``, and the curves of ``cycles.csv`` without the side:
            deg, N m/kg, W/kg, N/kg; NaN where unknown. ``kinematics`` is whether the angles of all
            joints are known throughout the cycle. ``kinetics`` is whether its moments are, with the
            whole foot on plates. ``turning`` is whether its heading changes by more than 15 deg. A
            report averages angles over the first and loads over the second, and turning cycles
            apart. ``representative`` marks the straight cycle nearest to the median of its side.
            ``attrs["columns"]`` as in :meth:`to_frame`.

        See Also
        --------
        stances : The same over stances, also those without the next foot strike.

        Examples
        --------
        >>> import gaitdyn
        >>> result = gaitdyn.process_trial("data/walk01.c3d")
        >>> whole = result.cycles().query("kinetics and not turning")
        >>> mean = whole.groupby(["side", "percent"])["knee_moment_extension"].mean()
        >>> mean.loc["left"].shape, float(mean.loc["left"].max().round(2))  # N m/kg
        ((101,), 0.64)
        """
        curves = self.cycle_curves
        blocks = [(c.cycle.side, c.cycle.number, c.names, c.values) for c in curves]  # noqa: PD011
        words = frames.per_kg_words(answers.curves_of(self), curves)
        table = frames.block_frame(blocks, "cycle", words)
        return frames.with_counting(table, answers.counting_of(self))

    def time_normalise(self, signal: ArrayLike, rate_hz: float | None = None) -> pd.DataFrame:
        """Return a signal of your own over the gait cycles, 101 rows (0 to 100 %) per cycle.

        Between samples the values lie on a cubic through the four nearest ones.

        Parameters
        ----------
        signal : array, shape (samples,) or (samples, signals), or pandas.DataFrame
            Begins with the first marker frame and ends with the last one, or less than a sample
            before it, which is NaN then.
        rate_hz : float, optional
            Of the signal; that of the markers if not given.

        Returns
        -------
        pandas.DataFrame
            ``side``, ``cycle``, ``percent`` and the columns about the cycle as in :meth:`cycles`,
            then ``signal``, or ``signal_1``, ``signal_2``, ..., or the columns of the table given.

        Raises
        ------
        UsageError
            When the signal is not as long as the trial, or holds no numbers.

        See Also
        --------
        cycles : The curves of the trial over the same cycles.

        Examples
        --------
        >>> import gaitdyn
        >>> result = gaitdyn.process_trial("data/walk01.c3d")
        >>> heel = result.recording.labels.index("LHEE")
        >>> table = result.time_normalise(result.recording.markers_L[:, heel, 2])  # upwards, m
        >>> height = table.query("side == 'left'").groupby("percent")["signal"].mean()
        >>> height.size, float(height.max().round(2))
        (101, 0.29)
        """
        blocks = own_signals(self, signal, rate_hz)
        table = frames.block_frame(blocks, "cycle", {})
        return frames.with_counting(table, answers.counting_of(self))

    def stances(self) -> pd.DataFrame:
        """Return the curves of every stance that plates measured completely, 101 rows per stance.

        Returns
        -------
        pandas.DataFrame
            ``side``, ``stance`` (from 1 on each side), ``percent`` of the stance, and the curves
            as in :meth:`cycles`.

        See Also
        --------
        cycles : The same over whole gait cycles.

        Examples
        --------
        >>> import gaitdyn
        >>> result = gaitdyn.process_trial("data/walk01.c3d")
        >>> float(result.stances()["knee_moment_extension"].max().round(2))
        0.65
        """
        curves = answers.stance_curves_of(self)
        blocks = [(s.stance.side, s.stance.number, s.names, s.values) for s in curves]  # noqa: PD011
        words = frames.per_kg_words(answers.curves_of(self), curves)
        return frames.block_frame(blocks, "stance", words)

    def peaks(self) -> pd.DataFrame:
        """Return peaks, ranges, work and impulses of every cycle, and of stances without one.

        Returns
        -------
        pandas.DataFrame
            ``side``, ``cycle``, ``quantity``, ``value`` (NaN where unknown), ``unit``, ``percent``
            (time in the cycle), as in ``peaks.csv``; ``kinematics``, ``kinetics``, ``turning`` and
            ``representative`` of the cycle, as in :meth:`cycles`. ``attrs["quantities"]`` defines
            each quantity, with its source. For a stance that no next foot strike closes, ``cycle``
            is missing and the quantity ends in ``_stance``.

        See Also
        --------
        gait_parameters : Speed, cadence, lengths and phases.

        Examples
        --------
        >>> import gaitdyn
        >>> result = gaitdyn.process_trial("data/walk01.c3d")
        >>> a2 = result.peaks().query("quantity == 'ankle_power_a2_peak' and kinetics")
        >>> a2["value"].round(1).tolist()  # W/kg
        [2.4, 2.5, 2.5]
        """
        table = frames.quantity_frame(answers.all_peaks_of(self), answers.peak_words(self))
        return frames.with_counting(table, answers.counting_of(self))

    def gait_parameters(self) -> pd.DataFrame:
        """Return speed, cadence, step lengths and phases of every cycle.

        Returns
        -------
        pandas.DataFrame
            ``side``, ``cycle``, ``quantity``, ``value`` (NaN where unknown), ``unit``,
            ``percent`` (NaN), as in ``gait_parameters.csv``; ``turning`` as in :meth:`cycles`.
            ``attrs["quantities"]`` defines each quantity, with its source.

        See Also
        --------
        peaks : Values read from the curves.

        Examples
        --------
        >>> import gaitdyn
        >>> result = gaitdyn.process_trial("data/walk01.c3d")
        >>> table = result.gait_parameters().pivot_table("value", "quantity", "side")
        >>> table.loc["speed"].round(2).to_dict()  # m/s
        {'left': 1.25, 'right': 1.25}
        """
        parameters = (*PARAMETERS, *UPPER_PARAMETERS)
        words = {p.name: f"{p.title}: {p.text} {p.source}" for p in parameters}
        table = frames.quantity_frame(answers.parameters_of(self), words)
        return frames.with_counting(table, {"turning": answers.counting_of(self)["turning"]})

    def emg(self) -> pd.DataFrame:
        """Return the EMG envelopes over the gait cycles of each muscle's side.

        Returns
        -------
        pandas.DataFrame
            ``side``, ``muscle``, ``cycle``, ``percent`` (0 to 100), ``envelope`` (1 is the peak of
            the mean over the strides, unless the options change that), ``on`` (1 or 0, NaN if
            undecided), as in ``emg.csv``; only channels with status ``ok``. Without any, the table
            has no rows. ``attrs["channels"]`` is ``emg_channels.csv`` as a table, with the status
            of every channel and the reason.

        See Also
        --------
        cycles : Angles and moments over the same cycles.

        Examples
        --------
        >>> import gaitdyn
        >>> result = gaitdyn.process_trial("data/walk01.c3d")
        >>> table = result.emg()  # of a recording without muscles
        >>> mean = table.groupby(["side", "muscle", "percent"])["envelope"].mean()
        >>> len(mean), len(table.attrs["channels"])
        (0, 0)
        """
        with self._as_read():
            return frames.emg_frame(self)

    # Judgement

    @property
    def verdict(self) -> Verdict:
        """How far the trial can be trusted: ``pass``, ``check`` or ``fail``."""
        return answers.verdict_of(self)

    @property
    def status(self) -> tuple[JointStatus, ...]:
        """Whether the loads of each joint in each cycle can be used, and why not.

        Returns
        -------
        tuple of JointStatus
            ``side``, ``cycle`` (from 1), ``joint``; ``status``: ``ok``, ``partial`` or
            ``skipped``, with ``code`` and ``reason`` if it is not ``ok``; ``verdict``: ``pass``,
            ``check`` or ``fail``, with ``reasons``. ``pandas.DataFrame(result.status)`` is a table
            of them.

        See Also
        --------
        findings : What the verdicts rest on.
        """
        return tuple(replace(s, reason=for_python(s.reason)) for s in answers.status_of(self))

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Findings about the data, the rows of ``quality.csv``, in messages that name arguments.

        Returns
        -------
        tuple of Finding
            ``level``: ``info``, ``warning`` or ``error``; ``code``, ``scope``, ``message``;
            ``value`` and ``limit``; ``side``, ``cycle``, ``joint``, ``start_s`` and ``stop_s`` (s
            on the clock of the file), None where it concerns all of them.

        See Also
        --------
        status : Which joints and cycles they spoil.
        """
        found = findings_of(self)
        return self.once(
            "told", lambda: tuple(replace(f, message=for_python(f.message)) for f in found)
        )

    @property
    def methods(self) -> dict[str, str]:
        """How each curve of :meth:`to_frame` was computed in this run: column -> one sentence."""
        with self._as_read():
            return {curve.name: curve.how for curve in answers.shown_curves_of(self)}

    @property
    def cycle_curves(self) -> tuple[CycleCurves, ...]:
        """Curves of every cycle as arrays.

        Returns
        -------
        tuple of CycleCurves
            For each cycle ``cycle.side``, ``cycle.number``, ``names`` and ``units`` of the curves,
            and ``values``, shape (101, len(names)): deg, N m/kg, W/kg, N/kg.
            ``curve("knee_angle_flexion")`` is one of them, shape (101,).

        See Also
        --------
        cycles : The same as one table.

        Examples
        --------
        >>> import gaitdyn
        >>> first = gaitdyn.process_trial("data/walk01.c3d").cycle_curves[0]
        >>> first.cycle.side, first.cycle.number, first.curve("knee_angle_flexion").shape
        ('left', 1, (101,))
        """
        return tuple(answers.cycle_curves_of(self))

    # Files

    def save(
        self,
        folder: str | Path,
        *,
        figures: bool = False,
        intermediate: bool = False,
        force: bool = False,
    ) -> dict[str, Any]:
        """Write the results folder: ``result.json``, tables, and the files for reading it back.

        Parameters
        ----------
        folder : str or Path
            The files are written directly into it. Results of the same trial are replaced as a
            whole.
        figures : bool
            Draw ``figures/*.png``.
        intermediate : bool
            Write ``motion.npz``.
        force : bool
            Replace a folder that gaitdyn did not write; files of other names are kept.

        Returns
        -------
        dict
            The contents of ``result.json``.

        Raises
        ------
        OutputRefused
            When the folder has other contents, or cannot be written.
        UsageError
            When ``folder`` is not a path.

        See Also
        --------
        gaitdyn.read_results : Read the folder again.

        Examples
        --------
        >>> import gaitdyn, tempfile
        >>> result = gaitdyn.process_trial("data/walk01.c3d")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     result.save(f"{folder}/walk01")["verdict"]
        'pass'
        """
        from gaitdyn.store import ResultsFolder, write_results

        target = ResultsFolder(path_of("folder", folder, "a folder for the results"), force=force)
        with speaking_of_arguments():
            return write_results(target, self, figures=figures, intermediate=intermediate)

    def report(
        self, path: str | Path, norm: str | Path | None = None, *, with_names: bool = False
    ) -> Path:
        """Write the report of the trial: one page that opens offline, a PDF, or figures for print.

        Parameters
        ----------
        path : str or Path
            Ends in ``.html``, in ``.pdf`` (``walk.pdf`` writes ``walk-annex.pdf`` too), or for
            figures in ``.svg`` or ``.png`` (``walk-kinematics.svg`` and ``walk-kinetics.svg``).
        norm : str or Path, optional
            A reference set: its file, or ``schwartz2008`` or ``pinzone2014``.
        with_names : bool
            Keep names of persons in names of files and conditions; by default the pseudonym
            replaces them.

        Returns
        -------
        Path
            The file; of several the first.

        Raises
        ------
        UsageError
            When the name ends in none of these, or an argument is not a path.
        OutputRefused
            When a file of that name exists that gaitdyn did not write.
        NormRefused
            When the reference set cannot be read.

        See Also
        --------
        plot : A figure of some curves.

        Examples
        --------
        >>> import gaitdyn, tempfile
        >>> result = gaitdyn.process_trial("data/walk01.c3d")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     result.report(f"{folder}/walk01.html").name
        'walk01.html'
        """
        from gaitdyn.report.making import report_of

        with speaking_of_arguments():
            page = path_of("path", path, "a page, which ends in .html or .pdf")
            norm = None if norm is None else path_of("norm", norm, "a reference set")
            return report_of(self, page, norm, with_names=with_names)

    def plot(self, name: str) -> Figure:
        """Return a figure of the curves whose names begin with a word, over the gait cycle.

        If the trial has no cycle, they are drawn over time.

        Parameters
        ----------
        name : str
            Such as ``knee_moment``, ``ankle_power``, ``hip_angle`` or ``knee_angle_flexion``.

        Returns
        -------
        matplotlib.figure.Figure
            A notebook shows it, and ``figure.savefig("knee.png")`` writes it. It is drawn as one
            sheet, without axes to add to or a window for ``show``: for a figure of your own, use
            the tables.

        Raises
        ------
        UsageError
            When there is no such curve; the message lists the existing names.

        See Also
        --------
        cycles : The curves as a table.
        report : The page with all of them.

        Examples
        --------
        >>> import gaitdyn, io
        >>> result = gaitdyn.process_trial("data/walk01.c3d")
        >>> result.plot("knee_moment").savefig(io.BytesIO())  # or "knee.png"
        """
        from gaitdyn.plots.one_quantity import plot_curves

        return plot_curves(self, answers.curves_of(self), answers.cycle_curves_of(self), name)
