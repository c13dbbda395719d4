"""Options of every method, for type checkers. Made by tests/test_options.py with FERMIAC_UPDATE_GOLDENS=1; do not edit."""

import os
import threading
from typing import Any, Callable, Literal, Mapping, NamedTuple, Optional, TypedDict, Union

Path = Union[str, "os.PathLike[str]"]

class Option(NamedTuple):
    type: str
    about: str

class Method(NamedTuple):
    about: str
    options: Mapping[str, Option]

OWN: Mapping[str, Option]
METHODS: Mapping[str, Method]

class SampleOptions(TypedDict, total=False):
    keep: bool  # Keep the draws in memory; false: pass them to the callback only (default: true)
    timeout: float  # Time limit in seconds, after which the run stops and keeps its results
    chains: int  # Number of chains (default: 4)
    warmup: Union[int, Literal["auto"]]  # Number of warmup iterations per chain; auto: until step size and metric converge, at most 1000 (default: 1000)
    samples: int  # Number of draws per chain after warmup (default: 1000)
    target_ess: float  # Sample until every quantity has this bulk and tail ESS and an R-hat of at most 1.01, instead of samples (default: 0, off)
    max_samples: int  # With target_ess: maximum number of draws per chain (default: 10000)
    target_ess_max_time: float  # With target_ess: time budget in seconds (default: no limit)
    seed: int  # Random seed (default: from the clock)
    id: int  # Id of the first chain; with the seed it determines the random numbers (default: 1)
    output: Path  # Folder for the CSV files (default: no files)
    overwrite: bool  # Replace existing output files
    threads: int  # Number of threads, -1 for all cores (default: STAN_NUM_THREADS, or all cores)
    init: Any  # Initial values: pathfinder (by search), a radius, 0, or a JSON file; or values by name, or a list of them, one per chain (default: pathfinder)
    sampler: Literal["nuts", "walnuts", "static"]  # Sampling algorithm: no-U-turn, its variant with locally adapted steps, or HMC with fixed length: nuts, walnuts or static (default: nuts)
    adapt_delta: float  # Target acceptance statistic of the step size adaptation (default: 0.8)
    max_treedepth: int  # Maximum depth of the trajectory trees (default: 10)
    max_energy_error: float  # For walnuts: maximum energy error within one step, above which the step is halved (default: 2)
    max_halvings: int  # For walnuts: maximum number of halvings of a step (default: 10)
    int_time: float  # For static: integration time of a trajectory (step size times number of steps) (default: 6.283185307179586)
    metric: Literal["low_rank", "fisher_diag", "diag_e", "dense_e", "unit_e"]  # Form of the inverse metric (mass matrix): low_rank, fisher_diag, diag_e, dense_e or unit_e (default: low_rank)
    metric_file: Path  # JSON file with the initial inverse metric
    stepsize: float  # Initial step size (default: 1)
    stepsize_jitter: float  # Relative uniform jitter of the step size (default: 0)
    adapt_gamma: float  # Regularization scale of the step size adaptation (default: 0.05)
    adapt_kappa: float  # Relaxation exponent of the step size adaptation (default: 0.75)
    adapt_t0: float  # Iteration offset of the step size adaptation (default: 10)
    init_buffer: int  # Length of the initial fast interval of warmup (diag_e and dense_e) (default: 75)
    term_buffer: int  # Length of the final fast interval of warmup (default: 50)
    window: int  # Length of the first adaptation window of the metric (diag_e and dense_e) (default: 25)
    save_metric: bool  # Write the adapted metric as JSON
    save_config: bool  # Write the configuration as JSON
    output_name: str  # Prefix of the output file names (default: the model's name)
    thin: int  # Thinning interval: save every Nth draw (default: 1)
    save_warmup: bool  # Save the warmup draws too
    no_adapt: bool  # Disable adaptation
    fixed_param: bool  # Keep parameters fixed and evaluate generated quantities only
    refresh: int  # Number of iterations between progress messages (0: none) (default: 100)
    sig_figs: int  # Number of significant digits in CSV files (default: 8)
    no_summary: bool  # Omit the summary at the end
    stop: Optional[threading.Event]  # set it, from any thread, and the run ends and keeps what it has
    progress: Optional[bool]  # one line that is updated (default: in terminals and notebooks)
    on_draw: Callable[[int, int, Any], None]  # is called with chain, index and the row of every draw

class OptimizeOptions(TypedDict, total=False):
    timeout: float  # Time limit in seconds, after which the run stops and keeps its results
    seed: int  # Random seed (default: from the clock)
    id: int  # Id of the run; with the seed it determines the random numbers (default: 1)
    init: Any  # Initial values: a radius, 0, or a JSON file; or values by name, or a list of them, one per chain (default: 2)
    output: Path  # Folder for the results (default: no files)
    output_name: str  # Prefix of the output file names (default: the model's name)
    overwrite: bool  # Replace existing output files
    threads: int  # Number of threads, -1 for all cores (default: STAN_NUM_THREADS, or all cores)
    refresh: int  # Number of iterations between progress messages (0: warnings and errors only) (default: 100)
    sig_figs: int  # Number of significant digits in CSV files (default: 8)
    save_config: bool  # Write the configuration as JSON
    algorithm: Literal["lbfgs", "bfgs", "newton"]  # Optimization algorithm: lbfgs, bfgs or newton (default: lbfgs)
    jacobian: bool  # Include the log Jacobian of the constraints: mode of the density on the unconstrained scale
    no_jacobian: bool  # Omit the log Jacobian (default): mode of the density of the constrained parameters
    iter: int  # Maximum number of iterations (default: 2000)
    save_iterations: bool  # Save every iteration
    init_alpha: float  # Initial step size of the line search (default: 0.001)
    tol_obj: float  # Convergence tolerance on the change of the objective (default: 1e-12)
    tol_rel_obj: float  # Convergence tolerance on the relative change of the objective, in units of machine epsilon (default: 10000)
    tol_grad: float  # Convergence tolerance on the norm of the gradient (default: 1e-08)
    tol_rel_grad: float  # Convergence tolerance on the relative norm of the gradient, in units of machine epsilon (default: 10000000)
    tol_param: float  # Convergence tolerance on the change of the parameters (default: 1e-08)
    history_size: int  # Number of updates that L-BFGS stores (default: 5)
    stop: Optional[threading.Event]  # set it, from any thread, and the run ends and keeps what it has
    progress: Optional[bool]  # one line that is updated (default: in terminals and notebooks)

class PathfinderOptions(TypedDict, total=False):
    timeout: float  # Time limit in seconds, after which the run stops and keeps its results
    seed: int  # Random seed (default: from the clock)
    id: int  # Id of the run; with the seed it determines the random numbers (default: 1)
    init: Any  # Initial values: a radius, 0, or a JSON file; or values by name, or a list of them, one per chain (default: 2)
    output: Path  # Folder for the results (default: no files)
    output_name: str  # Prefix of the output file names (default: the model's name)
    overwrite: bool  # Replace existing output files
    threads: int  # Number of threads, -1 for all cores (default: STAN_NUM_THREADS, or all cores)
    refresh: int  # Number of iterations between progress messages (0: warnings and errors only) (default: 100)
    sig_figs: int  # Number of significant digits in CSV files (default: 8)
    save_config: bool  # Write the configuration as JSON
    num_paths: int  # Number of paths (default: 4)
    draws: int  # Number of draws from the approximation of each path (default: 1000)
    psis_draws: int  # Number of draws after importance resampling of all paths (default: 1000)
    elbo_draws: int  # Number of draws that estimate the ELBO of an approximation (default: 25)
    max_lbfgs_iters: int  # Maximum number of L-BFGS iterations of a path (default: 1000)
    save_single_paths: bool  # Save the draws of each path
    no_psis_resample: bool  # Return all draws without importance resampling
    no_lp: bool  # Do not evaluate the log density of the draws
    init_alpha: float  # Initial step size of the line search (default: 0.001)
    tol_obj: float  # Convergence tolerance on the change of the objective (default: 1e-12)
    tol_rel_obj: float  # Convergence tolerance on the relative change of the objective, in units of machine epsilon (default: 10000)
    tol_grad: float  # Convergence tolerance on the norm of the gradient (default: 1e-08)
    tol_rel_grad: float  # Convergence tolerance on the relative norm of the gradient, in units of machine epsilon (default: 10000000)
    tol_param: float  # Convergence tolerance on the change of the parameters (default: 1e-08)
    history_size: int  # Number of updates that L-BFGS stores (default: 5)
    stop: Optional[threading.Event]  # set it, from any thread, and the run ends and keeps what it has
    progress: Optional[bool]  # one line that is updated (default: in terminals and notebooks)

class LaplaceOptions(TypedDict, total=False):
    timeout: float  # Time limit in seconds, after which the run stops and keeps its results
    seed: int  # Random seed (default: from the clock)
    id: int  # Id of the run; with the seed it determines the random numbers (default: 1)
    init: Any  # Initial values: a radius, 0, or a JSON file; or values by name, or a list of them, one per chain (default: 2)
    output: Path  # Folder for the results (default: no files)
    output_name: str  # Prefix of the output file names (default: the model's name)
    overwrite: bool  # Replace existing output files
    threads: int  # Number of threads, -1 for all cores (default: STAN_NUM_THREADS, or all cores)
    refresh: int  # Number of iterations between progress messages (0: warnings and errors only) (default: 100)
    sig_figs: int  # Number of significant digits in CSV files (default: 8)
    save_config: bool  # Write the configuration as JSON
    mode: Any  # Mode: CSV file of optimize jacobian, or JSON file of the parameters (default: found by optimization); or values by name
    no_jacobian: bool  # Omit the log Jacobian of the constraints
    draws: int  # Number of draws from the approximation (default: 1000)
    no_lp: bool  # Do not evaluate the log density of the draws
    stop: Optional[threading.Event]  # set it, from any thread, and the run ends and keeps what it has
    progress: Optional[bool]  # one line that is updated (default: in terminals and notebooks)

class VariationalOptions(TypedDict, total=False):
    timeout: float  # Time limit in seconds, after which the run stops and keeps its results
    seed: int  # Random seed (default: from the clock)
    id: int  # Id of the run; with the seed it determines the random numbers (default: 1)
    init: Any  # Initial values: a radius, 0, or a JSON file; or values by name, or a list of them, one per chain (default: 2)
    output: Path  # Folder for the results (default: no files)
    output_name: str  # Prefix of the output file names (default: the model's name)
    overwrite: bool  # Replace existing output files
    threads: int  # Number of threads, -1 for all cores (default: STAN_NUM_THREADS, or all cores)
    refresh: int  # Number of iterations between progress messages (0: warnings and errors only) (default: 100)
    sig_figs: int  # Number of significant digits in CSV files (default: 8)
    save_config: bool  # Write the configuration as JSON
    algorithm: Literal["meanfield", "fullrank"]  # Variational family: meanfield or fullrank (default: meanfield)
    iter: int  # Maximum number of iterations (default: 10000)
    grad_samples: int  # Number of draws that estimate a gradient (default: 1)
    elbo_samples: int  # Number of draws that estimate the ELBO (default: 100)
    eta: float  # Step size scale; adapted unless no_adapt is given (default: 1)
    no_adapt: bool  # Use eta without adaptation
    adapt_iter: int  # Number of iterations for each candidate step size (default: 50)
    tol_rel_obj: float  # Convergence tolerance on the relative change of the ELBO (default: 0.01)
    eval_elbo: int  # Number of iterations between evaluations of the ELBO (default: 100)
    draws: int  # Number of draws from the approximation (default: 1000)
    stop: Optional[threading.Event]  # set it, from any thread, and the run ends and keeps what it has
    progress: Optional[bool]  # one line that is updated (default: in terminals and notebooks)

class GenerateOptions(TypedDict, total=False):
    timeout: float  # Time limit in seconds, after which the run stops and keeps its results
    seed: int  # Random seed (default: from the clock)
    id: int  # Id of the run; with the seed it determines the random numbers (default: 1)
    init: Any  # Initial values: a radius, 0, or a JSON file; or values by name, or a list of them, one per chain (default: 2)
    output: Path  # Folder for the results (default: no files)
    output_name: str  # Prefix of the output file names (default: the model's name)
    overwrite: bool  # Replace existing output files
    threads: int  # Number of threads, -1 for all cores (default: STAN_NUM_THREADS, or all cores)
    refresh: int  # Number of iterations between progress messages (0: warnings and errors only) (default: 100)
    sig_figs: int  # Number of significant digits in CSV files (default: 8)
    save_config: bool  # Write the configuration as JSON
    stop: Optional[threading.Event]  # set it, from any thread, and the run ends and keeps what it has
    progress: Optional[bool]  # one line that is updated (default: in terminals and notebooks)

class DiagnoseOptions(TypedDict, total=False):
    timeout: float  # Time limit in seconds, after which the run stops and keeps its results
    seed: int  # Random seed (default: from the clock)
    id: int  # Id of the run; with the seed it determines the random numbers (default: 1)
    init: Any  # Initial values: a radius, 0, or a JSON file; or values by name, or a list of them, one per chain (default: 2)
    output: Path  # Folder for the results (default: no files)
    output_name: str  # Prefix of the output file names (default: the model's name)
    overwrite: bool  # Replace existing output files
    threads: int  # Number of threads, -1 for all cores (default: STAN_NUM_THREADS, or all cores)
    refresh: int  # Number of iterations between progress messages (0: warnings and errors only) (default: 100)
    sig_figs: int  # Number of significant digits in CSV files (default: 8)
    save_config: bool  # Write the configuration as JSON
    epsilon: float  # Step size of the finite differences (default: 1e-06)
    error: float  # Error threshold: largest accepted difference (default: 1e-06)
    stop: Optional[threading.Event]  # set it, from any thread, and the run ends and keeps what it has
    progress: Optional[bool]  # one line that is updated (default: in terminals and notebooks)
