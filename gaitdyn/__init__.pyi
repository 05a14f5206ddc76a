from gaitdyn import errors
from gaitdyn.door import process_session, process_trial
from gaitdyn.dynamics.inverse import inverse_dynamics
from gaitdyn.errors import GaitdynError
from gaitdyn.trial import Result, read_results
from gaitdyn.types.options import Options
from gaitdyn.version import __version__

__all__ = [
    "GaitdynError",
    "Options",
    "Result",
    "__version__",
    "errors",
    "inverse_dynamics",
    "process_session",
    "process_trial",
    "read_results",
]
