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
    keep: bool  # false: rows go to the callback alone (default: true)
    timeout: float  # seconds after which it ends and keeps what it has
    chains: int  # number of chains (default: 4)
    warmup: Union[int, Literal["auto"]]  # warm-up iterations per chain; auto: 1000 at most, until step size and metric have settled (default: 1000)
    samples: int  # draws per chain (default: 1000)
    until_ess: float  # as many draws in place of samples as this bulk and tail ESS of every quantity takes, R-hat within 1.01 (default: 0, off)
    max_samples: int  # with until_ess: most draws per chain (default: 10000)
    max_time: float  # with until_ess: begin nothing that is expected to end after so many seconds (default: no limit)
    seed: int  # seed of the random numbers (default: from the clock)
    id: int  # number of the first chain (default: 1)
    output: Path  # folder for the CSV files (default: no files)
    overwrite: bool  # replace files of the same names
    threads: int  # threads, -1 for all cores (default: STAN_NUM_THREADS, or all cores)
    init: Any  # initial values: pathfinder (looked for), a radius, 0, or a JSON file; or values by name, or a list of those, one for each chain (default: pathfinder)
    sampler: Literal["nuts", "walnuts", "static"]  # how chains move: trees of steps, or of steps that are divided where the density bends sharply, or trajectories of one length: nuts, walnuts or static (default: nuts)
    adapt_delta: float  # target acceptance statistic (default: 0.8)
    max_treedepth: int  # largest depth of the trajectory trees (default: 10)
    max_energy_error: float  # walnuts: steps are halved until the energy along one varies by no more (default: 2)
    max_halvings: int  # walnuts: at most so often (default: 10)
    int_time: float  # static: length of a trajectory, step size times steps (default: 6.283185307179586)
    metric: Literal["low_rank", "fisher_diag", "diag_e", "dense_e", "unit_e"]  # mass matrix: from draws and gradients, or as in CmdStan: low_rank, fisher_diag, diag_e, dense_e or unit_e (default: low_rank)
    metric_file: Path  # JSON with the initial inverse metric
    stepsize: float  # initial step size (default: 1)
    stepsize_jitter: float  # relative random change of the step size (default: 0)
    adapt_gamma: float  # regularisation of the step size adaptation (default: 0.05)
    adapt_kappa: float  # relaxation exponent of the adaptation (default: 0.75)
    adapt_t0: float  # iteration offset of the adaptation (default: 10)
    init_buffer: int  # length of the first fast interval, diag_e and dense_e (default: 75)
    term_buffer: int  # length of the last fast interval (default: 50)
    window: int  # first length of the slow windows, diag_e and dense_e (default: 25)
    save_metric: bool  # write the adapted metric as JSON
    save_config: bool  # write the configuration as JSON
    output_name: str  # start of the file names (default: the model's name)
    thin: int  # keep every n-th draw (default: 1)
    save_warmup: bool  # keep the warm-up draws too
    no_adapt: bool  # no adaptation
    fixed_param: bool  # do not move: only generated quantities vary
    refresh: int  # iterations between progress lines, 0 for none (default: 100)
    sig_figs: int  # significant digits in the CSV files (default: 8)
    no_summary: bool  # leave out the summary at the end
    stop: Optional[threading.Event]  # set it, from any thread, and the run ends and keeps what it has
    progress: Optional[bool]  # one line that is updated (default: in terminals and notebooks)
    on_draw: Callable[[int, int, Any], None]  # is called with chain, index and the row of every draw

class OptimizeOptions(TypedDict, total=False):
    timeout: float  # seconds after which it ends and keeps what it has
    seed: int  # seed of the random numbers (default: from the clock)
    id: int  # number that chooses the random numbers of one seed (default: 1)
    init: Any  # initial values: a radius, 0, or a JSON file; or values by name, or a list of those, one for each chain (default: 2)
    output: Path  # folder for the results (default: no files)
    output_name: str  # start of the file names (default: the model's name)
    overwrite: bool  # replace files of the same names
    threads: int  # threads, -1 for all cores (default: STAN_NUM_THREADS, or all cores)
    refresh: int  # iterations between progress lines; 0: nothing but problems is printed (default: 100)
    sig_figs: int  # significant digits in the CSV files (default: 8)
    save_config: bool  # write the configuration as JSON too
    algorithm: Literal["lbfgs", "bfgs", "newton"]  # how to climb: lbfgs, bfgs or newton (default: lbfgs)
    jacobian: bool  # include the log Jacobian: the mode on the unconstrained scale
    no_jacobian: bool  # leave it out (default): maximum likelihood where the prior does not count
    iter: int  # most iterations (default: 2000)
    save_iterations: bool  # keep every iteration
    init_alpha: float  # length of the first step tried (default: 0.001)
    tol_obj: float  # absolute change of the objective (default: 1e-12)
    tol_rel_obj: float  # relative change, times machine epsilon (default: 10000)
    tol_grad: float  # norm of the gradient (default: 1e-08)
    tol_rel_grad: float  # relative gradient, times machine epsilon (default: 10000000)
    tol_param: float  # change of the parameters (default: 1e-08)
    history_size: int  # updates L-BFGS remembers (default: 5)
    stop: Optional[threading.Event]  # set it, from any thread, and the run ends and keeps what it has
    progress: Optional[bool]  # one line that is updated (default: in terminals and notebooks)

class PathfinderOptions(TypedDict, total=False):
    timeout: float  # seconds after which it ends and keeps what it has
    seed: int  # seed of the random numbers (default: from the clock)
    id: int  # number that chooses the random numbers of one seed (default: 1)
    init: Any  # initial values: a radius, 0, or a JSON file; or values by name, or a list of those, one for each chain (default: 2)
    output: Path  # folder for the results (default: no files)
    output_name: str  # start of the file names (default: the model's name)
    overwrite: bool  # replace files of the same names
    threads: int  # threads, -1 for all cores (default: STAN_NUM_THREADS, or all cores)
    refresh: int  # iterations between progress lines; 0: nothing but problems is printed (default: 100)
    sig_figs: int  # significant digits in the CSV files (default: 8)
    save_config: bool  # write the configuration as JSON too
    num_paths: int  # paths (default: 4)
    draws: int  # draws of each path (default: 1000)
    psis_draws: int  # draws after resampling over the paths (default: 1000)
    elbo_draws: int  # draws that judge an approximation (default: 25)
    max_lbfgs_iters: int  # most iterations of a path (default: 1000)
    save_single_paths: bool  # keep the draws of each path
    no_psis_resample: bool  # keep all draws as they are
    no_lp: bool  # leave out the density of the draws
    init_alpha: float  # length of the first step tried (default: 0.001)
    tol_obj: float  # absolute change of the objective (default: 1e-12)
    tol_rel_obj: float  # relative change, times machine epsilon (default: 10000)
    tol_grad: float  # norm of the gradient (default: 1e-08)
    tol_rel_grad: float  # relative gradient, times machine epsilon (default: 10000000)
    tol_param: float  # change of the parameters (default: 1e-08)
    history_size: int  # updates L-BFGS remembers (default: 5)
    stop: Optional[threading.Event]  # set it, from any thread, and the run ends and keeps what it has
    progress: Optional[bool]  # one line that is updated (default: in terminals and notebooks)

class LaplaceOptions(TypedDict, total=False):
    timeout: float  # seconds after which it ends and keeps what it has
    seed: int  # seed of the random numbers (default: from the clock)
    id: int  # number that chooses the random numbers of one seed (default: 1)
    init: Any  # initial values: a radius, 0, or a JSON file; or values by name, or a list of those, one for each chain (default: 2)
    output: Path  # folder for the results (default: no files)
    output_name: str  # start of the file names (default: the model's name)
    overwrite: bool  # replace files of the same names
    threads: int  # threads, -1 for all cores (default: STAN_NUM_THREADS, or all cores)
    refresh: int  # iterations between progress lines; 0: nothing but problems is printed (default: 100)
    sig_figs: int  # significant digits in the CSV files (default: 8)
    save_config: bool  # write the configuration as JSON too
    mode: Any  # CSV of optimize jacobian, or JSON of the parameters (default: found from the starting values); or values by name
    no_jacobian: bool  # leave out the log Jacobian of the constraints
    draws: int  # draws (default: 1000)
    no_lp: bool  # leave out the density of the draws
    stop: Optional[threading.Event]  # set it, from any thread, and the run ends and keeps what it has
    progress: Optional[bool]  # one line that is updated (default: in terminals and notebooks)

class VariationalOptions(TypedDict, total=False):
    timeout: float  # seconds after which it ends and keeps what it has
    seed: int  # seed of the random numbers (default: from the clock)
    id: int  # number that chooses the random numbers of one seed (default: 1)
    init: Any  # initial values: a radius, 0, or a JSON file; or values by name, or a list of those, one for each chain (default: 2)
    output: Path  # folder for the results (default: no files)
    output_name: str  # start of the file names (default: the model's name)
    overwrite: bool  # replace files of the same names
    threads: int  # threads, -1 for all cores (default: STAN_NUM_THREADS, or all cores)
    refresh: int  # iterations between progress lines; 0: nothing but problems is printed (default: 100)
    sig_figs: int  # significant digits in the CSV files (default: 8)
    save_config: bool  # write the configuration as JSON too
    algorithm: Literal["meanfield", "fullrank"]  # the family: meanfield or fullrank (default: meanfield)
    iter: int  # most iterations (default: 10000)
    grad_samples: int  # draws for a gradient (default: 1)
    elbo_samples: int  # draws for the bound (default: 100)
    eta: float  # scale of the steps, without adaptation (default: 1)
    no_adapt: bool  # use eta as it is
    adapt_iter: int  # iterations for each step size tried (default: 50)
    tol_rel_obj: float  # relative change of the bound that ends the ascent (default: 0.01)
    eval_elbo: int  # iterations between evaluations of the bound (default: 100)
    draws: int  # draws of the approximation (default: 1000)
    stop: Optional[threading.Event]  # set it, from any thread, and the run ends and keeps what it has
    progress: Optional[bool]  # one line that is updated (default: in terminals and notebooks)

class GenerateOptions(TypedDict, total=False):
    timeout: float  # seconds after which it ends and keeps what it has
    seed: int  # seed of the random numbers (default: from the clock)
    id: int  # number that chooses the random numbers of one seed (default: 1)
    init: Any  # initial values: a radius, 0, or a JSON file; or values by name, or a list of those, one for each chain (default: 2)
    output: Path  # folder for the results (default: no files)
    output_name: str  # start of the file names (default: the model's name)
    overwrite: bool  # replace files of the same names
    threads: int  # threads, -1 for all cores (default: STAN_NUM_THREADS, or all cores)
    refresh: int  # iterations between progress lines; 0: nothing but problems is printed (default: 100)
    sig_figs: int  # significant digits in the CSV files (default: 8)
    save_config: bool  # write the configuration as JSON too
    stop: Optional[threading.Event]  # set it, from any thread, and the run ends and keeps what it has
    progress: Optional[bool]  # one line that is updated (default: in terminals and notebooks)

class DiagnoseOptions(TypedDict, total=False):
    timeout: float  # seconds after which it ends and keeps what it has
    seed: int  # seed of the random numbers (default: from the clock)
    id: int  # number that chooses the random numbers of one seed (default: 1)
    init: Any  # initial values: a radius, 0, or a JSON file; or values by name, or a list of those, one for each chain (default: 2)
    output: Path  # folder for the results (default: no files)
    output_name: str  # start of the file names (default: the model's name)
    overwrite: bool  # replace files of the same names
    threads: int  # threads, -1 for all cores (default: STAN_NUM_THREADS, or all cores)
    refresh: int  # iterations between progress lines; 0: nothing but problems is printed (default: 100)
    sig_figs: int  # significant digits in the CSV files (default: 8)
    save_config: bool  # write the configuration as JSON too
    epsilon: float  # step of the differences (default: 1e-06)
    error: float  # largest difference accepted (default: 1e-06)
    stop: Optional[threading.Event]  # set it, from any thread, and the run ends and keeps what it has
    progress: Optional[bool]  # one line that is updated (default: in terminals and notebooks)
