"""All errors that gaitdyn raises on purpose.

::

    GaitdynError                 exit code 1, one line on stderr
    |-- FileRefused              not a file, not a C3D, damaged, truncated, crashes its reader
    |   `-- NoForces             a whole table without columns of forces
    |-- ModelNotFound            no marker model fits the labels
    |   `-- MarkersUnfit         the markers do not serve an option
    |-- NobodyWalks              the trial is a static
    |-- RateTooLow               samples too far apart for the filter that an option asks for
    |-- AxesRefused              which axis of the laboratory is up, or forward, is not clear
    |-- SubjectDataMissing       a length, width or mass that nothing supplies
    |   |-- SexMissing           the requested body-segment table has rows by sex
    |   `-- AgeMissing           the requested body-segment table has rows by age
    |-- StaticRefused            the named static does not fit the trial
    |-- FunctionalRefused        a functional trial that shows no centre or axis of its joint
    |-- NormRefused              a reference set that is damaged or ambiguous
    |   `-- NotANorm             a file in none of the formats of reference sets
    |-- OutputRefused            the results folder has files that gaitdyn did not write
    |-- ResultsRefused           a folder without results, or with results that cannot be read
    |-- ArchiveRefused           not an archive, damaged, too new, or in use by another program
    |-- SimulationRefused        a run of a seed system that is not possible
    |-- ExtraMissing             a library that not every user has and that is not installed
    |-- TreeRefused              bodies that form no tree, or coordinates that are not a posture
    |-- ConstraintRefused        contacts or loops without a solution
    |   |-- SingularPosture      a dead centre, a stretched arm: a Jacobian that has no inverse
    |   `-- WrongBranch          the loop closed on the other side
    |-- ChainRefused             impossible masses, inertias or axes (also a ValueError)
    |-- ArrayShapeError          an array of the wrong shape or type (also a ValueError)
    `-- UsageError               exit code 2: an option that is wrong, or not built yet
        `-- OptionRefused        a field of Options; ``of_command`` names the command's option

A message states in one line what was found, what was wanted and what to do.
"""

LONGEST = 1000
"""Characters of a message; more is the text of a file, or a list that nobody reads."""


class GaitdynError(Exception):
    """Base of every error that gaitdyn raises on purpose.

    A message of more than a thousand characters loses its middle: it begins with what was found and
    ends with what to do.
    """

    def __init__(self, message: str = "") -> None:
        super().__init__(_shortened(message))


def _shortened(message: str) -> str:
    if len(message) <= LONGEST:
        return message
    part = LONGEST // 2 - 3
    return f"{message[:part]} ... {message[-part:]}"


class FileRefused(GaitdynError):
    """A file cannot be read, or its contents are not reliable."""


class NoForces(FileRefused):
    """A table that can be read but has no columns of forces, such as joint angles."""


class ModelNotFound(GaitdynError):
    """No marker model fits the labels of the file."""


class MarkersUnfit(ModelNotFound):
    """The markers of the trial do not serve an option; without it there may be curves."""


class NobodyWalks(GaitdynError):
    """The recording that is given as a trial is a static."""


class RateTooLow(GaitdynError):
    """A recording has too few samples per second for a filter."""


class AxesRefused(GaitdynError):
    """The axes of the laboratory cannot be found, or their evidence disagrees."""


class SubjectDataMissing(GaitdynError):
    """A body measurement is needed and nothing supplies it."""


class SexMissing(SubjectDataMissing):
    """The requested body-segment table has rows by sex, and the subject's sex is unknown."""


class AgeMissing(SubjectDataMissing):
    """The requested body-segment table has rows by age, and the subject's age is unknown."""


class StaticRefused(GaitdynError):
    """The static does not belong to the trial."""


class FunctionalRefused(GaitdynError):
    """A functional trial does not show the joint that it is given for."""


class NormRefused(GaitdynError):
    """A reference set cannot be read, or its contents are not reliable."""


class NotANorm(NormRefused):
    """A file in none of the formats of a reference set, such as another table."""


class OutputRefused(GaitdynError):
    """The target of the results has contents that gaitdyn did not write."""


class ResultsRefused(GaitdynError):
    """A folder has no results of gaitdyn, or they cannot be read."""


class ArchiveRefused(GaitdynError):
    """A file is not an archive of gaitdyn, or cannot be read or written now."""


class SimulationRefused(GaitdynError):
    """A run of a seed system is not possible: its solver stops, or a muscle or foot cannot hold."""


class ExtraMissing(GaitdynError):
    """A library that this needs, and not every user has, is not installed."""


class TreeRefused(GaitdynError):
    """Bodies and joints that do not form a tree, or coordinates that are not a posture of it."""


class ConstraintRefused(GaitdynError):
    """Contacts or loop equations that have no solution."""


class SingularPosture(ConstraintRefused):
    """A Jacobian without an inverse: the dead centre of a loop, a stretched arm."""


class WrongBranch(ConstraintRefused):
    """A loop that closed on another branch than the requested one."""


class ArrayShapeError(GaitdynError, ValueError):
    """An array has the wrong shape, or its elements are not real numbers."""


class ChainRefused(GaitdynError, ValueError):
    """Impossible masses, inertias, axes or lengths of a chain of segments."""


class UsageError(GaitdynError):
    """The command or an option was used in a way that makes no sense."""


class OptionRefused(UsageError):
    """A setting that makes no sense.

    Attributes
    ----------
    of_command : str
        The same message for the command line, with options instead of arguments.
    """

    def __init__(self, message: str, of_command: str = "") -> None:
        super().__init__(message)
        self.of_command = _shortened(of_command or message)
