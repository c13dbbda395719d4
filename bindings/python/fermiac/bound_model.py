"""A program with data: a log density with derivatives, the two scales, and methods of inference."""

from __future__ import annotations

import ctypes
import json
from typing import TYPE_CHECKING, Any, Mapping, Optional, Sequence, Union

import numpy as np

from fermiac import _fit
from fermiac._draws_files import DrawsFiles
from fermiac._json import plain as as_json
from fermiac._json import to_json
from fermiac._library import Handle, library
from fermiac._runner import RunOutcome, execute
from fermiac._signatures import add_methods, with_options
from fermiac._stan_types import elementwise, parse_type
from fermiac._warn import warn
from fermiac.errors import ArgumentError, RunWarning
from fermiac.options import OWN
from fermiac.rng import Rng, rng_pointer
from fermiac.variables import Layout, Variable, as_points, variables_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from fermiac import options as o

_PROPTO, _JACOBIAN = 1, 2
_TRANSFORMED, _GENERATED = 1, 2
_BLOCKS = ("parameters", "transformed parameters", "generated quantities")


def _terms(propto: bool, jacobian: bool) -> int:
    return _PROPTO * bool(propto) + _JACOBIAN * bool(jacobian)


def _blocks(transformed: bool, generated: bool) -> int:
    return _TRANSFORMED * bool(transformed) + _GENERATED * bool(generated)


class BoundModel:
    """What `Model.bind` returns. Densities take points on the unconstrained scale, [..., n] with n = `unconstrained_size`: many
    points give many results. `propto` drops terms that do not depend on parameters, `jacobian` adds the log Jacobian of the
    constraints. Points outside of the support raise RejectedError. Any number of threads may use one object."""

    def __init__(self, handle: Handle, name: str) -> None:
        self._handle = handle
        self._lib = library()
        self.name = name
        self._variables = variables_of(self._lib.model_info_json(handle.pointer))
        self.unconstrained_size: int = self._lib.unconstrained_size(handle.pointer)

    def condition(
        self,
        *,
        context: str = "joint",
        weights: Optional[Mapping[str, Any]] = None,
        fix: Optional[Mapping[str, Any]] = None,
        condition: Optional[Mapping[str, Any]] = None,
        missing: Sequence[str] = (),
        roles: Optional[Mapping[str, str]] = None,
        nan_is_missing: bool = False,
    ) -> "BoundModel":
        """The same program and data, where other sites count or other numbers are known: a model of its own, as
        docs/conditioning.md has it. `context`: joint, prior or likelihood; `weights`: how much sites or elements count, by pattern;
        `fix`, `condition`: values by name; `missing`: patterns of data that are not known; `roles`: prior or likelihood, of
        terms. Raises DataError."""
        given = {
            "context": context,
            "weights": {pattern: as_json(w, "weights") for pattern, w in (weights or {}).items()},
            "fix": {name: as_json(value, "fix") for name, value in (fix or {}).items()},
            "condition": {name: as_json(value, "condition") for name, value in (condition or {}).items()},
            "missing": [missing] if isinstance(missing, str) else list(missing),
            "roles": dict(roles or {}),
            "nan_is_missing": bool(nan_is_missing),
        }
        out = ctypes.c_void_p()
        self._lib.checked("model_condition", self._handle.pointer, json.dumps(given).encode(), ctypes.byref(out))
        return BoundModel(Handle("model", out.value, self._handle), self.name)

    # Names and shapes.

    @property
    def variables(self) -> dict[str, Variable]:
        """All declared variables by name."""
        return {v.name: v for v in self._variables}

    @property
    def dims(self) -> dict[str, tuple[int, ...]]:
        """Shapes by name."""
        return {v.name: v.dims for v in self._variables}

    @property
    def unconstrained_names(self) -> list[str]:
        """Of the numbers of a point."""
        return self._lib.texts("unconstrained_names", self._handle.pointer)

    def constrained_names(self, transformed: bool = True, generated: bool = True) -> list[str]:
        """Of the numbers of parameters, transformed parameters, generated quantities: x.1.2, as in CSV files."""
        return self._lib.texts("constrained_names", self._handle.pointer, _blocks(transformed, generated))

    # Densities.

    def log_density(self, theta: Any, *, propto: bool = True, jacobian: bool = True) -> Any:
        """A number for each point."""
        terms, lp = _terms(propto, jacobian), ctypes.c_double()

        def one(point: np.ndarray, out: np.ndarray) -> None:
            self._call("log_density", terms, point, ctypes.byref(lp))
            out[...] = lp.value

        return self._each(theta, (), one)[()]

    def log_density_and_gradient(self, theta: Any, *, propto: bool = True, jacobian: bool = True) -> tuple[Any, np.ndarray]:
        """Both for the price of the gradient."""
        n = self.unconstrained_size
        both = self._each(theta, (n + 1,), self._gradient_into(_terms(propto, jacobian)))
        return both[..., n][()], both[..., :n]

    def gradient(self, theta: Any, *, propto: bool = True, jacobian: bool = True) -> np.ndarray:
        """[..., n]"""
        return self.log_density_and_gradient(theta, propto=propto, jacobian=jacobian)[1]

    def hessian(self, theta: Any, *, propto: bool = True, jacobian: bool = True) -> np.ndarray:
        """Second derivatives [..., n, n], symmetric: exact to rounding for most programs, a column at the cost of some gradients; by
        differences of exact gradients where a function has no second derivatives, with a relative error of about 1e-10 where the
        density is smooth, for 12 to 54 gradients a column."""
        n, terms = self.unconstrained_size, _terms(propto, jacobian)

        def one(point: np.ndarray, out: np.ndarray) -> None:
            self._call("hessian", terms, point, None, None, out.ctypes.data)

        return self._each(theta, (n, n), one)

    def hessian_times(self, theta: Any, vector: Any, *, propto: bool = True, jacobian: bool = True) -> np.ndarray:
        """The Hessian at one point times a vector [n], at the cost of a column."""
        terms = _terms(propto, jacobian)
        v = as_points(vector, self.unconstrained_size, "vector").reshape(-1)

        def one(point: np.ndarray, out: np.ndarray) -> None:
            self._call("hessian_times", terms, point, v.ctypes.data, None, out.ctypes.data)

        return self._each(theta, (self.unconstrained_size,), one)

    # Between the scales.

    def constrain(
        self, theta: Any, *, transformed: bool = False, generated: bool = False, rng: Optional[Union[Rng, int]] = None
    ) -> dict[str, Any]:
        """Variables by name; many points give arrays with their dimensions first. Generated quantities need `rng`."""
        numbers = self.constrain_numbers(theta, transformed=transformed, generated=generated, rng=rng)
        blocks = [b for b, wanted in zip(_BLOCKS, (True, transformed, generated)) if wanted]
        return self._layout(self.constrained_names(transformed, generated), blocks).dict(numbers)

    def constrain_numbers(
        self, theta: Any, *, transformed: bool = False, generated: bool = False, rng: Optional[Union[Rng, int]] = None
    ) -> np.ndarray:
        """The same as numbers in the order of `constrained_names`."""
        blocks = _blocks(transformed, generated)
        size = self._lib.constrained_size(self._handle.pointer, blocks)
        generator, pointer = rng_pointer(rng)

        def one(point: np.ndarray, out: np.ndarray) -> None:
            self._call("constrain", blocks, point, pointer, out.ctypes.data, size)

        return self._each(theta, (size,), one)

    def unconstrain(self, values: Any) -> np.ndarray:
        """A point [n] of a dict with all parameters; or of their numbers [..., m], in the order of names."""
        if not isinstance(values, Mapping):
            return self._unconstrain_numbers(values)
        out = np.empty(self.unconstrained_size)
        text = to_json(self._as_data(values), "values")
        self._lib.checked("unconstrain_json", self._handle.pointer, text, out.ctypes.data, out.size)
        return out

    def _unconstrain_numbers(self, values: Any) -> np.ndarray:
        m = self._lib.constrained_size(self._handle.pointer, 0)
        numbers = as_points(values, m, "values")
        out = np.empty(numbers.shape[:-1] + (self.unconstrained_size,))
        for at in np.ndindex(numbers.shape[:-1]):
            target = out[at]
            self._lib.checked("unconstrain", self._handle.pointer, numbers[at].ctypes.data, m, target.ctypes.data, target.size)
        return out

    # Methods.

    @with_options("sample")
    def sample(self, **options: "Unpack[o.SampleOptions]") -> _fit.SampleFit:
        """Draws by Hamiltonian Monte Carlo (NUTS). Ctrl-C ends it and keeps the draws so far."""
        out = self._run("sample", options)
        fit = _fit.SampleFit(out, self._layout(out.columns[0]), self.name)
        if fit.problems:
            warn(fit.problems.rstrip(), RunWarning)
        return fit

    @with_options("optimize")
    def optimize(self, **options: "Unpack[o.OptimizeOptions]") -> _fit.Optimum:
        """The mode of the density."""
        return self._fitted(_fit.Optimum, "optimize", options)

    @with_options("pathfinder")
    def pathfinder(self, **options: "Unpack[o.PathfinderOptions]") -> _fit.Pathfinder:
        """An approximation of the posterior along quasi-Newton paths."""
        return self._fitted(_fit.Pathfinder, "pathfinder", options)

    @with_options("laplace")
    def laplace(self, **options: "Unpack[o.LaplaceOptions]") -> _fit.Fit:
        """Draws from the normal approximation at a mode."""
        mode = options.pop("mode", None)
        if mode is None:
            shared: Any = {k: v for k, v in options.items() if k in ("seed", "init", "threads", "stop")}
            mode = self.optimize(jacobian=not options.get("no_jacobian"), **shared)
        return self._fitted(_fit.Fit, "laplace", {**options, "mode": self._point("mode", mode)})

    @with_options("variational")
    def variational(self, **options: "Unpack[o.VariationalOptions]") -> _fit.Variational:
        """A normal family fitted by stochastic gradients (ADVI)."""
        return self._fitted(_fit.Variational, "variational", options)

    @with_options("generate")
    def generate(self, fit: Any, **options: "Unpack[o.GenerateOptions]") -> _fit.Fit:
        """Generated quantities of this program for the draws of an earlier run: of a fit, or of the CSV files at these paths."""
        with DrawsFiles(fit) as fitted:
            return self._fitted(_fit.Fit, "generate", {**options, "fitted": fitted}, _BLOCKS[2:])

    @with_options("diagnose")
    def diagnose(self, **options: "Unpack[o.DiagnoseOptions]") -> _fit.Diagnosis:
        """Gradients beside finite differences. Raises MethodError where they differ by more than `error`."""
        return _fit.Diagnosis(self._run("diagnose", options).messages)

    def stop(self) -> None:
        """Ends evaluations that other threads are in, and refuses new ones until `resume`: they raise StoppedError. Runs have
        the option `stop`."""
        self._lib.model_stop(self._handle.pointer, 1)

    def resume(self) -> None:
        """Takes `stop` back."""
        self._lib.model_stop(self._handle.pointer, 0)

    def __repr__(self) -> str:
        lines = [f"  {v.type} {v.name}" for v in self._variables if v.block == "parameters"]
        head = f"{self.name} with data, {self.unconstrained_size} unconstrained parameters"
        return "\n".join([head + (":" if lines else ""), *lines])

    # Shared by the above.

    def _call(self, name: str, flags: int, point: np.ndarray, *rest: Any) -> None:
        self._lib.checked(name, self._handle.pointer, flags, point.ctypes.data, point.size, *rest)

    def _each(self, theta: Any, shape: tuple[int, ...], one: Any) -> np.ndarray:
        """Calls one(point, out) for every point; the results in an array."""
        points = as_points(theta, self.unconstrained_size, "theta")
        out = np.empty(points.shape[:-1] + shape)
        if points.ndim == 1:  # the most frequent call, and the loop below takes longer than a small model's gradient
            one(points, out)
            return out
        for at in np.ndindex(points.shape[:-1]):
            one(points[at], out[at + (...,)])
        return out

    def _gradient_into(self, terms: int) -> Any:
        lp = ctypes.c_double()

        def one(point: np.ndarray, out: np.ndarray) -> None:
            self._call("gradient", terms, point, ctypes.byref(lp), out.ctypes.data)
            out[-1] = lp.value

        return one

    def _layout(self, columns: list[str], blocks: Sequence[str] = _BLOCKS) -> Layout:
        return Layout([v for v in self._variables if v.block in blocks], self.constrained_names(), columns)

    def _as_data(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Values as methods give them, as data are written."""
        types = {v.name: parse_type(v.type) for v in self._variables if "tuple" in v.type}
        return {name: elementwise(types[name], values[name]) if name in types else values[name] for name in values}

    def _point(self, what: str, given: Any) -> Any:
        """Values of parameters as data, where an option has values; other variables of the program are left out."""
        if isinstance(given, (list, tuple)):
            return [self._point(f"{what}[{i}]", one) for i, one in enumerate(given)]
        if not isinstance(given, Mapping):
            return given
        blocks = {v.name: v.block for v in self._variables}
        for name in given:
            if name not in blocks:
                known = ", ".join(n for n, block in blocks.items() if block == _BLOCKS[0])
                raise ArgumentError(f"{what} has {name!r}, which is no parameter; there are {known or 'none'}")
        return self._as_data({name: given[name] for name in given if blocks[name] == _BLOCKS[0]})

    def _run(self, method: str, options: Mapping[str, Any]) -> RunOutcome:
        given = dict(options)
        given["init"] = self._point("init", given.get("init"))
        own = {name: given.pop(name) for name in OWN if name in given}
        out = execute(self._handle, method, given, **own)
        if out.why_stopped:
            warn(out.why_stopped, RunWarning)
        return out

    def _fitted(self, kind: Any, method: str, options: Mapping[str, Any], blocks: Sequence[str] = _BLOCKS) -> Any:
        out = self._run(method, options)
        return kind(out, self._layout(out.columns[0] if out.columns else [], blocks), self.name)


def _plain_method(name: str) -> Any:
    def run(self: BoundModel, **options: Any) -> _fit.Fit:
        return self._fitted(_fit.Fit, name, options)

    return run


add_methods(BoundModel, _plain_method)
