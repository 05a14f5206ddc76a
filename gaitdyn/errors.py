"""Every deliberate error of gaitdyn.

::

    GaitdynError                 exit code 1, one line on stderr
    |-- FileRefused              not a file, not a C3D, damaged, truncated, crashes its reader
    |-- ModelNotFound            no marker model fits the labels
    |-- AxesRefused              which axis of the laboratory is up, or forward, is not clear
    |-- SubjectDataMissing       a length, width or mass that nothing supplies
    |   `-- SexMissing           the body-segment table asked for has rows by sex
    |-- StaticRefused            the static named does not fit the trial
    |-- FunctionalRefused        a functional trial that shows no centre or axis of its joint
    |-- NormRefused              a reference set that is damaged or ambiguous
    |-- OutputRefused            the results folder belongs to somebody else
    |-- ResultsRefused           a folder that holds no results, or ones that cannot be read
    |-- ArchiveRefused           not an archive, damaged, too new, or somebody else writes to it
    |-- SimulationRefused        a parameter of a seed system that is unknown or impossible
    |-- ExtraMissing             a library that comes with an extra and is not installed
    |-- TreeRefused              bodies that do not form a tree, or coordinates that are no posture
    |-- ConstraintRefused        contacts or loops without a solution
    |   |-- SingularPosture      a dead centre, a stretched arm: a Jacobian that has no inverse
    |   `-- WrongBranch          the loop closed on the other side
    |-- ChainRefused             impossible masses, inertias or axes (also a ValueError)
    |-- ArrayShapeError          an array of the wrong shape (also a ValueError)
    `-- UsageError               exit code 2: an option that is wrong, or not built yet
        `-- OptionRefused        one of Options: speaks of arguments, ``of_command`` of options

A message says what was found, what was wanted and what to do, in one line.
"""


class GaitdynError(Exception):
    """Base of every error that gaitdyn raises on purpose."""


class FileRefused(GaitdynError):
    """A file that cannot be read, or must not be trusted."""


class ModelNotFound(GaitdynError):
    """No marker model fits the labels of the file."""


class AxesRefused(GaitdynError):
    """The axes of the laboratory cannot be found, or their evidence disagrees."""


class SubjectDataMissing(GaitdynError):
    """A body measurement is needed and nothing supplies it."""


class SexMissing(SubjectDataMissing):
    """The body-segment table asked for has rows by sex, and the subject's is not known."""


class StaticRefused(GaitdynError):
    """The static trial does not belong to the trial."""


class FunctionalRefused(GaitdynError):
    """A functional trial does not show the joint that it is given for."""


class NormRefused(GaitdynError):
    """A reference set that cannot be read, or must not be trusted."""


class OutputRefused(GaitdynError):
    """The place for the results holds something that gaitdyn did not write."""


class ResultsRefused(GaitdynError):
    """A folder holds no results of gaitdyn, or ones that cannot be read."""


class ArchiveRefused(GaitdynError):
    """A file is not an archive of gaitdyn, or cannot be read or written now."""


class SimulationRefused(GaitdynError):
    """A parameter of a seed system is unknown, or has an impossible value."""


class ExtraMissing(GaitdynError):
    """A library that comes with one of the extras is not installed."""


class TreeRefused(GaitdynError):
    """Bodies and joints that do not form a tree, or coordinates that are not a posture of it."""


class ConstraintRefused(GaitdynError):
    """Contacts or loop equations that have no solution."""


class SingularPosture(ConstraintRefused):
    """A Jacobian without an inverse: the dead centre of a loop, a stretched arm."""


class WrongBranch(ConstraintRefused):
    """A loop that closed on another branch than the one asked for."""


class ArrayShapeError(GaitdynError, ValueError):
    """An array has the wrong shape."""


class ChainRefused(GaitdynError, ValueError):
    """Impossible masses, inertias, axes or lengths of a chain of segments."""


class UsageError(GaitdynError):
    """The command or an option was used in a way that makes no sense."""


class OptionRefused(UsageError):
    """A setting that makes no sense.

    Attributes
    ----------
    of_command : str
        The same in the words of the command line: options, not arguments.
    """

    def __init__(self, message: str, of_command: str = "") -> None:
        super().__init__(message)
        self.of_command = of_command or message
