#!/usr/bin/env python3
"""Times of gradients through dense linear algebra: microseconds per gradient of linear_algebra.stan for every case, order and number
of threads, the fastest of five windows.

    tests/bench/linear_algebra.py path/to/fermiac [CASE ...] [--orders 50 200 500] [--csv FILE]
"""
import argparse
import json
import math
import random
import subprocess
import tempfile
from pathlib import Path

from rows import Rows, instruction_set

CASES = ["gp and multi_normal_cholesky", "cholesky_decompose", "mdivide_left_tri_low, vector", "mdivide_left_tri_low, matrix",
         "multi_normal", "gp_exp_quad_cov", "gp_matern32_cov", "gp_matern52_cov", "gp_exponential_cov", "gp_periodic_cov",
         "product", "multiply_lower_tri_self_transpose", "multi_normal_prec", "mdivide_left_spd", "log_determinant",
         "mdivide_left, vector", "log_determinant_spd", "inverse_spd", "inverse", "gp_exp_quad_cov, points",
         "gp_exp_quad_cov, points, a length per dimension", "gp_exp_quad_cov, points as parameters",
         "gp_exp_quad_cov, two sets", "gp_matern32_cov, points, a length per dimension",
         "gp_matern52_cov, points, a length per dimension", "gp_exponential_cov, points, a length per dimension",
         "gp_matern52_cov, points as parameters", "gp_periodic_cov, points as parameters", "gp_dot_prod_cov, points",
         "gp_dot_prod_cov, points as parameters", "mdivide_left, matrix", "mdivide_right, matrix", "determinant",
         "chol2inv", "mdivide_right_spd", "mdivide_right_tri_low", "crossprod", "tcrossprod", "quad_form", "quad_form_sym",
         "quad_form_diag", "diag_pre_multiply", "trace_quad_form", "trace_gen_quad_form", "add_diag", "matrix_power",
         "eigenvalues_sym", "singular_values", "qr_thin_R", "matrix_exp", "multi_student_t", "wishart", "inv_wishart",
         "multi_gp"]


def data(n, which):
    rng = random.Random(n)
    x = [10 * i / n + 0.01 * rng.random() for i in range(n)]
    y = [math.sin(v) + 0.3 * rng.gauss(0, 1) for v in x]
    s = [[2 + 0.01 * n if i == j else 0.01 * math.cos(i + j) for j in range(n)] for i in range(n)]
    t = [[math.exp(-0.5 * (x[i] - x[j]) ** 2) + (0.1 if i == j else 0) for j in range(n)] for i in range(n)]
    return json.dumps({"N": n, "which": which, "x": x, "y": y, "S": s, "T": t})


def time(program, file, threads):
    model = Path(__file__).with_name("linear_algebra.stan")
    command = [program, "bench", model, "--data", file, "--seconds", "0.2", "--threads", str(threads)]
    runs = [json.loads(subprocess.run(command, check=True, capture_output=True).stdout) for _ in range(5)]
    return min(run["us_per_grad"] for run in runs)


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("fermiac")
    p.add_argument("case", nargs="*", type=int, help=f"numbers from 1 to {len(CASES)}; without: all")
    p.add_argument("--orders", nargs="+", type=int, default=[50, 200, 500])
    p.add_argument("--csv", metavar="FILE", help="also write the rows there (results/linear_algebra.csv)")
    return p.parse_args()


def main():
    a = arguments()
    isa = instruction_set(a.fermiac)
    rows = Rows(a.csv, "case", "instruction_set", "order", "gradient_us", "gradient_2_threads_us")
    print("| case | N | µs, 1 thread | 2 threads |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for which in a.case or range(1, len(CASES) + 1):
            for n in a.orders:
                file = Path(folder, "data.json")
                file.write_text(data(n, which))
                one, two = (time(a.fermiac, file, threads) for threads in (1, 2))
                print(f"| {CASES[which - 1]} | {n} | {one:.3g} | {two:.3g} |", flush=True)
                rows.add(CASES[which - 1], isa, n, one, two)


main()
