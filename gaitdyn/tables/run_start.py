"""What a run of a trial reads and takes before any motion is computed, or why it is refused."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from gaitdyn.errors import GaitdynError
from gaitdyn.quality.named_files import refuse_files
from gaitdyn.stages.body import SubjectBody, calibrate_session
from gaitdyn.stages.session import Session, read_session, refuse_standing
from gaitdyn.types.options import EMG_SCALES, Options
from gaitdyn.types.recording import Recording
from gaitdyn.types.subject import Subject

_DOUBTS = ("rename-unknown", "rename-twice", "forward-astray")


class RunStart(NamedTuple):
    """The trial as read with its static, the body, and the refusal; None for what there is not."""

    session: Session | None = None
    body: SubjectBody | None = None
    refusal: GaitdynError | None = None

    @property
    def subject(self) -> Subject | None:
        """The person as the run takes them.

        Beyond what the files state that is a mass weighed on the plates of the static, and a marker
        diameter found or assumed.
        """
        return None if self.body is None else self.body.subject

    @property
    def doubts(self) -> list[str]:
        """What is doubtful about renamed labels and a given forward axis."""
        findings = () if self.session is None else self.session.findings
        return [finding.message for finding in findings if finding.code in _DOUBTS]


def start_of_run(path: str | Path, options: Options) -> RunStart:
    """Return what a run of a trial takes, or why it is refused.

    Parameters
    ----------
    path : str or Path
        C3D or TRC file of a trial.
    options : Options
    """
    session = None
    try:
        session = _checked(read_session(path, options), options)
        return RunStart(session, calibrate_session(session, options))
    except GaitdynError as refusal:
        return RunStart(session, refusal=refusal)


def _checked(session: Session, options: Options) -> Session:
    refuse_standing(session.trial)
    refuse_files(options)
    return session


def names_channels(options: Options) -> bool:
    """Return whether the user lists muscles, or their maxima, by the labels of channels."""
    return bool(options.emg_channels) or options.emg_normalise not in EMG_SCALES


def absent_told(recording: Recording, options: Options) -> list[str]:
    """Return a sentence on each label of the user's lists of muscles that no channel has.

    Raises
    ------
    UsageError
        When the file of maxima has an error.
    """
    if recording.analog is None or not names_channels(options):
        return []
    from gaitdyn.emg.absent import absent_channels, listed_channels

    return [told for _, told in absent_channels(recording.analog.labels, listed_channels(options))]
