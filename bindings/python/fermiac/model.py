"""A Stan program."""

from __future__ import annotations

import json
import os
from functools import cached_property
from typing import TYPE_CHECKING, Any, Mapping, Optional, Sequence, Union

from fermiac import _fit
from fermiac._json import as_lists, to_json, variable_name
from fermiac._library import Handle, library
from fermiac._signatures import add_methods, with_options
from fermiac._text_out import print_to_stdout
from fermiac._warn import warn
from fermiac.bound_model import BoundModel
from fermiac.errors import ArgumentError, Diagnostic, ProgramWarning, compilation_error
from fermiac.functions import Functions

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from fermiac import options as o

Data = Union[Mapping[str, Any], str, "os.PathLike[str]", None]


class Model:
    """A program that was read, checked and prepared, in a millisecond or two: of the file at `path`, or of the text `code`.

    `name` of the model (default: from the path); `include_paths`: folders that #include searches; `include`: "anywhere",
    "confined" to those folders, or "none"; `level`: "O0", "O1" or "Oexperimental".

    Raises CompilationError with everything that the compiler says; its warnings are ProgramWarnings."""

    def __init__(
        self,
        path: Optional[Union[str, "os.PathLike[str]"]] = None,
        *,
        code: Optional[str] = None,
        name: Optional[str] = None,
        include_paths: Sequence[Union[str, "os.PathLike[str]"]] = (),
        include: str = "anywhere",
        level: str = "O0",
    ) -> None:
        if (path is None) == (code is None):
            raise ArgumentError("a model is made of a path or of code=..., one of them")
        if isinstance(include_paths, (str, os.PathLike)):
            include_paths = [include_paths]
        options = {"include-paths": [os.fspath(p) for p in include_paths], "include": include, "level": level}
        if name is not None:
            options["name"] = name
        self.path: Optional[str] = None if path is None else os.fspath(path)
        call, text = ("program_create", code) if self.path is None else ("program_open", self.path)
        self._lib = library()
        pointer = self._lib.checked(call, _encoded(text), json.dumps(options).encode())
        self._handle = Handle("program", pointer)
        self.diagnostics = tuple(map(Diagnostic.of, json.loads(self._lib.program_diagnostics_json(pointer))))
        self._report()

    def _report(self) -> None:
        if not self._lib.program_ok(self._handle.pointer):
            raise compilation_error(self.diagnostics)
        for diagnostic in self.diagnostics:
            warn(diagnostic.text.rstrip("\n"), ProgramWarning)

    @property
    def name(self) -> str:
        return self._lib.program_name(self._handle.pointer).decode()

    @cached_property
    def info(self) -> dict[str, Any]:
        """What the program declares, calls and includes, as `stanc --info` says it."""
        return json.loads(self._lib.program_info_json(self._handle.pointer))

    @cached_property
    def functions(self) -> Functions:
        """The functions of the functions block: `model.functions.f(1, [2, 3])`."""
        return Functions(self._handle)

    def bind(
        self, data: Data = None, *, seed: int = 0, threads: Optional[int] = None, memory: Optional[int] = None
    ) -> BoundModel:
        """Reads data and runs transformed data. Cheap: the program is not compiled again.

        `data`: a dict with numbers, lists, numpy arrays and columns of pandas by name, or the path of a JSON file; matrices are
        lists of rows, tuples are tuples, complex numbers complex. `seed`: of random numbers in transformed data; `threads`:
        that one evaluation may use, -1 for all cores (default: STAN_NUM_THREADS, or 1); `memory`: bytes that the process may
        take (default: 80 % of what is free; 0: any number). Raises DataError."""
        given = {"seed": seed, "threads": threads, "memory": memory}
        options = json.dumps({name: _whole(name, value) for name, value in given.items() if value is not None}).encode()
        call, text = self._data_call(data)
        printer = print_to_stdout()
        pointer = self._lib.checked(call, self._handle.pointer, text, options, printer, None)
        return BoundModel(Handle("model", pointer, printer), self.name)

    def _bound_for(self, data: Data, options: Mapping[str, Any]) -> BoundModel:
        """As the command line binds: the method's seed is none of transformed data."""
        return self.bind(data, threads=options.get("threads"))

    @with_options("sample")
    def sample(self, data: Data = None, **options: "Unpack[o.SampleOptions]") -> _fit.SampleFit:
        """`bind` and `BoundModel.sample`: draws by Hamiltonian Monte Carlo (NUTS). Ctrl-C ends it and keeps the draws so far."""
        return self._bound_for(data, options).sample(**options)

    @with_options("optimize")
    def optimize(self, data: Data = None, **options: "Unpack[o.OptimizeOptions]") -> _fit.Optimum:
        """`bind` and `BoundModel.optimize`: the mode of the density."""
        return self._bound_for(data, options).optimize(**options)

    @with_options("pathfinder")
    def pathfinder(self, data: Data = None, **options: "Unpack[o.PathfinderOptions]") -> _fit.Pathfinder:
        """`bind` and `BoundModel.pathfinder`: an approximation of the posterior along quasi-Newton paths."""
        return self._bound_for(data, options).pathfinder(**options)

    @with_options("laplace")
    def laplace(self, data: Data = None, **options: "Unpack[o.LaplaceOptions]") -> _fit.Fit:
        """`bind` and `BoundModel.laplace`: draws from the normal approximation at a mode."""
        return self._bound_for(data, options).laplace(**options)

    @with_options("variational")
    def variational(self, data: Data = None, **options: "Unpack[o.VariationalOptions]") -> _fit.Variational:
        """`bind` and `BoundModel.variational`: a normal family fitted by stochastic gradients (ADVI)."""
        return self._bound_for(data, options).variational(**options)

    @with_options("generate")
    def generate(self, fit: Any, data: Data = None, **options: "Unpack[o.GenerateOptions]") -> _fit.Fit:
        """`bind` and `BoundModel.generate`: generated quantities for the draws of a fit, or of CSV files."""
        return self._bound_for(data, options).generate(fit, **options)

    @with_options("diagnose")
    def diagnose(self, data: Data = None, **options: "Unpack[o.DiagnoseOptions]") -> _fit.Diagnosis:
        """`bind` and `BoundModel.diagnose`: gradients beside finite differences."""
        return self._bound_for(data, options).diagnose(**options)

    def _data_call(self, data: Data) -> tuple[str, Optional[bytes]]:
        """The function that binds these data, and what it is given: of a dict no more than the program declares."""
        if isinstance(data, (str, os.PathLike)):
            return "model_open", _encoded(os.fspath(data))
        if data is None:
            return "model_create", None
        if not isinstance(data, Mapping) and not hasattr(data, "columns"):
            raise ArgumentError(f"data must be a dict, a data frame or the path of a JSON file, not {type(data).__name__}")
        inputs = self.info["inputs"]
        given = {name: data[name] for name in data if variable_name(name, "data") in inputs}
        has_tuples = {name for name in inputs if isinstance(inputs[name]["type"], list)}
        return "model_create", to_json({n: v if n in has_tuples else as_lists(v) for n, v in given.items()})

    def __repr__(self) -> str:
        inputs = ", ".join(self.info["inputs"])
        parameters = ", ".join(self.info["parameters"])
        return f"Stan model {self.name}\ndata: {inputs or 'none'}\nparameters: {parameters or 'none'}"


def _encoded(text: Any) -> bytes:
    if not isinstance(text, str):
        raise ArgumentError(f"expected a text, found {type(text).__name__}")
    if "\0" in text:
        raise ArgumentError(f"a text has a zero at position {text.index(chr(0))}")
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise ArgumentError(f"a text is no Unicode: {error}") from None


def _whole(name: str, value: Any) -> int:
    try:
        return value.__index__()
    except AttributeError:
        raise ArgumentError(f"{name} is {value!r}, but must be a whole number") from None


def _plain_method(name: str) -> Any:
    def run(self: Model, data: Data = None, **options: Any) -> _fit.Fit:
        return getattr(self._bound_for(data, options), name)(**options)

    return run


add_methods(Model, _plain_method)
