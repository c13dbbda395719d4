"""Stan models from Python: compiled in milliseconds, without a compiler, results as numpy arrays.

    >>> import fermiac
    >>> model = fermiac.Model(code="parameters { real mu; } model { mu ~ normal(3, 1); }")
    >>> fit = model.sample(chains=4, seed=1)
    >>> fit["mu"].shape
    (4, 1000)

`Model` is a program, `BoundModel` (`Model.bind`) a program with data, which has a log density with derivatives and methods
of inference. Everything that goes wrong is an exception derived from `FermiacError`.
"""

from fermiac._fit import Diagnosis, Fit, Optimum, Pathfinder, SampleFit, Variational
from fermiac._library import stan_version, version
from fermiac._summary import Summary
from fermiac.bound_model import BoundModel
from fermiac.errors import (
    ArgumentError,
    CompilationError,
    DataError,
    Diagnostic,
    FatalError,
    FermiacError,
    InternalError,
    LibraryError,
    MethodError,
    Place,
    ProgramWarning,
    RejectedError,
    ResourceError,
    RunWarning,
    StoppedError,
)
from fermiac.model import Model
from fermiac.rng import Rng
from fermiac.variables import Variable

__version__ = version()

__all__ = [
    "ArgumentError",
    "BoundModel",
    "CompilationError",
    "DataError",
    "Diagnosis",
    "Diagnostic",
    "FatalError",
    "FermiacError",
    "Fit",
    "InternalError",
    "LibraryError",
    "MethodError",
    "Model",
    "Optimum",
    "Pathfinder",
    "Place",
    "ProgramWarning",
    "RejectedError",
    "ResourceError",
    "Rng",
    "RunWarning",
    "SampleFit",
    "StoppedError",
    "Summary",
    "Variable",
    "Variational",
    "stan_version",
    "version",
]
