"""Draws in the shape that arviz works with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from fermiac._fit import Fit

# Names that arviz has for columns of the sampler; others lose the underscores at their end.
_STATISTICS = {
    "lp__": "lp",
    "accept_stat__": "acceptance_rate",
    "stepsize__": "step_size",
    "treedepth__": "tree_depth",
    "n_leapfrog__": "n_steps",
    "divergent__": "diverging",
    "energy__": "energy",
}
_LOG_LIKELIHOODS = ("log_lik", "log_likelihood")


def groups_of(fit: "Fit") -> dict[str, dict[str, np.ndarray]]:
    """The groups that a fit fills, without arviz. Slots of tuples are variables of their own, "t.1"."""
    variables = {flat: value for name in fit for flat, value in _flat(name, fit[name])}
    likelihood = {name: variables.pop(name) for name in _LOG_LIKELIHOODS if name in variables}
    statistics = {_STATISTICS.get(n, n.rstrip("_")): _typed(n, x) for n, x in fit.sampler.items()}
    groups = {"posterior": variables, "sample_stats": statistics, "log_likelihood": likelihood}
    return {name: group for name, group in groups.items() if group}


def inference_data(fit: "Fit", more: dict[str, Any]) -> Any:
    """Needs arviz."""
    try:
        import arviz
    except ImportError as error:
        raise ImportError("to_inference_data needs arviz, which is not installed: pip install arviz") from error
    groups = {**groups_of(fit), **more}
    if int(arviz.__version__.split(".")[0]) >= 1:  # which takes the groups as one dict, and gives a DataTree of xarray
        return arviz.from_dict(groups)
    return arviz.from_dict(**groups)


def _flat(name: str, value: Any):
    if not isinstance(value, tuple):
        yield name, value
        return
    for i, slot in enumerate(value, 1):
        yield from _flat(f"{name}.{i}", slot)


def _typed(name: str, values: np.ndarray) -> np.ndarray:
    if name == "divergent__":
        return values.astype(bool)
    return values.astype(np.int64) if name in ("treedepth__", "n_leapfrog__") else values
