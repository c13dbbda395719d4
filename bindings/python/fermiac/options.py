"""Options of every method: those of `fermiac METHOD --help`, hyphens as underscores, with the same defaults. One row each,
from which come signatures, documentation and hints for type checkers; the library checks values."""

from __future__ import annotations

import os
import threading
from typing import Annotated, Any, Callable, Mapping, Optional, Sequence, TypedDict, Union

Path = Union[str, "os.PathLike[str]"]
Values = Mapping[str, Any]


class RunOptions(TypedDict, total=False):
    """Of every method."""

    seed: Annotated[int, "seed of the random numbers (default: from the clock)"]
    id: Annotated[int, "number of the first chain, or which random numbers of one seed"]
    threads: Annotated[int, "threads, -1 for all cores (default: STAN_NUM_THREADS, or all cores)"]
    timeout: Annotated[float, "seconds after which it ends and keeps what it has"]
    refresh: Annotated[int, "iterations between reports of progress, 0 for none"]
    output: Annotated[Path, "folder for CSV files (default: no files)"]
    output_name: Annotated[str, "start of the file names (default: the model's name)"]
    overwrite: Annotated[bool, "replace files of the same names"]
    sig_figs: Annotated[int, "significant digits in the CSV files"]
    save_config: Annotated[bool, "write the configuration as JSON too"]
    init: Annotated[Any, "initial values: a radius, 0, a JSON file, a dict of values, or a list of dicts, one for each chain"]
    stop: Annotated[Optional[threading.Event], "set it, from any thread, and the run ends and keeps what it has"]
    progress: Annotated[Union[bool, None], "one line that is updated (default: in terminals and notebooks)"]


class Tolerances(TypedDict, total=False):
    """Of L-BFGS."""

    init_alpha: Annotated[float, "length of the first step tried"]
    tol_obj: Annotated[float, "absolute change of the objective"]
    tol_rel_obj: Annotated[float, "relative change, times machine epsilon"]
    tol_grad: Annotated[float, "norm of the gradient"]
    tol_rel_grad: Annotated[float, "relative gradient, times machine epsilon"]
    tol_param: Annotated[float, "change of the parameters"]
    history_size: Annotated[int, "updates L-BFGS remembers"]


class SampleOptions(RunOptions, total=False):
    """Of `sample`."""

    chains: Annotated[int, "number of chains"]
    warmup: Annotated[int, "warm-up iterations per chain"]
    samples: Annotated[int, "draws per chain"]
    until_ess: Annotated[float, "as many draws in place of samples as this bulk and tail ESS of every quantity takes, R-hat within 1.01"]
    max_samples: Annotated[int, "with until_ess: most draws per chain"]
    max_time: Annotated[float, "with until_ess: begin nothing that is expected to end after so many seconds"]
    thin: Annotated[int, "keep every n-th draw"]
    sampler: Annotated[str, "how chains move: nuts; walnuts, which divides its steps where the density bends sharply; static: trajectories of one length"]
    adapt_delta: Annotated[float, "target acceptance statistic"]
    max_treedepth: Annotated[int, "largest depth of the trajectory trees"]
    max_energy_error: Annotated[float, "walnuts: steps are halved until the energy along one varies by no more"]
    max_halvings: Annotated[int, "walnuts: at most so often"]
    int_time: Annotated[float, "static: length of a trajectory, step size times steps"]
    metric: Annotated[str, "mass matrix: low_rank, fisher_diag, diag_e, dense_e or unit_e"]
    metric_file: Annotated[Path, "JSON with the initial inverse metric"]
    stepsize: Annotated[float, "initial step size"]
    stepsize_jitter: Annotated[float, "relative random change of the step size"]
    adapt_gamma: Annotated[float, "regularisation of the step size adaptation"]
    adapt_kappa: Annotated[float, "relaxation exponent of the adaptation"]
    adapt_t0: Annotated[float, "iteration offset of the adaptation"]
    init_buffer: Annotated[int, "length of the first fast interval, diag_e and dense_e"]
    term_buffer: Annotated[int, "length of the last fast interval"]
    window: Annotated[int, "first length of the slow windows, diag_e and dense_e"]
    no_adapt: Annotated[bool, "no adaptation"]
    fixed_param: Annotated[bool, "do not move: only generated quantities vary"]
    save_warmup: Annotated[bool, "keep the warm-up draws too, as fit.warmup"]
    save_metric: Annotated[bool, "write the adapted metric as JSON"]
    no_summary: Annotated[bool, "make no summary and look for no problems at the end"]
    keep: Annotated[bool, "False: draws go to on_draw alone"]
    on_draw: Annotated[Callable[[int, int, Any], None], "is called with chain, index and the row of every draw"]


class OptimizeOptions(RunOptions, Tolerances, total=False):
    """Of `optimize`."""

    algorithm: Annotated[str, "lbfgs, bfgs or newton"]
    jacobian: Annotated[bool, "include the log Jacobian: the mode on the unconstrained scale"]
    no_jacobian: Annotated[bool, "leave it out (default)"]
    iter: Annotated[int, "most iterations"]
    save_iterations: Annotated[bool, "keep every iteration, as fit.iterations"]


class PathfinderOptions(RunOptions, Tolerances, total=False):
    """Of `pathfinder`."""

    num_paths: Annotated[int, "paths"]
    draws: Annotated[int, "draws of each path"]
    psis_draws: Annotated[int, "draws after resampling over the paths"]
    elbo_draws: Annotated[int, "draws that judge an approximation"]
    max_lbfgs_iters: Annotated[int, "most iterations of a path"]
    save_single_paths: Annotated[bool, "keep the draws of each path, as fit.paths"]
    no_psis_resample: Annotated[bool, "keep all draws as they are"]
    no_lp: Annotated[bool, "leave out the density of the draws"]


class LaplaceOptions(RunOptions, total=False):
    """Of `laplace`."""

    mode: Annotated[Any, "a dict of parameters, what optimize returned, or a file (default: optimize is run first)"]
    draws: Annotated[int, "draws"]
    no_jacobian: Annotated[bool, "leave out the log Jacobian of the constraints"]
    no_lp: Annotated[bool, "leave out the density of the draws"]


class VariationalOptions(RunOptions, total=False):
    """Of `variational`."""

    algorithm: Annotated[str, "meanfield or fullrank"]
    iter: Annotated[int, "most iterations"]
    grad_samples: Annotated[int, "draws for a gradient"]
    elbo_samples: Annotated[int, "draws for the bound"]
    eta: Annotated[float, "scale of the steps, without adaptation"]
    no_adapt: Annotated[bool, "use eta as it is"]
    adapt_iter: Annotated[int, "iterations for each step size tried"]
    tol_rel_obj: Annotated[float, "relative change of the bound that ends the ascent"]
    eval_elbo: Annotated[int, "iterations between evaluations of the bound"]
    draws: Annotated[int, "draws of the approximation"]


class GenerateOptions(RunOptions, total=False):
    """Of `generate`."""


class DiagnoseOptions(RunOptions, total=False):
    """Of `diagnose`."""

    epsilon: Annotated[float, "step of the differences"]
    error: Annotated[float, "largest difference accepted"]


# By the names that the library has for the methods.
OF_METHOD: Mapping[str, type] = {
    "sample": SampleOptions,
    "optimize": OptimizeOptions,
    "pathfinder": PathfinderOptions,
    "laplace": LaplaceOptions,
    "variational": VariationalOptions,
    "generate": GenerateOptions,
    "diagnose": DiagnoseOptions,
}
# What this package knows and the library does not.
OWN = ("stop", "progress", "on_draw")
Inits = Union[float, Path, Values, Sequence[Values]]
