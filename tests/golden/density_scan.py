#!/usr/bin/env python3
"""Writes density_scan.jsonl.gz: log densities and their gradients from formulas at 160 digits (python3-mpmath).

Each parameter of each density runs from e^-40 to e^42 while the others keep ordinary values ("scan"), and parameters grow
together along rays on which large terms cancel ("ray"). The form of a line is that of tests/battery/data/README.md.
Gradients are central differences with a relative step of 1e-45.

The tolerances are in the lines: 1e-9 (1 + |value|) for values and 1e-9 |slope| for slopes. `grad_scale` widens the second:
a slope that is 0 or nearly 0 because terms cancel is compared with the rounding of its argument, see slope_scale() and LEAST_SCALE.

usage: density_scan.py [NAME ...] > density_scan.jsonl
"""
import json
import sys

import mpmath as mp
from mpmath import mpf, log, log1p, exp, sqrt, cos, pi

mp.mp.dps = 160
STEP = mpf(10) ** -45
lg = mp.loggamma


def lbeta(a, b):
    return lg(a) + lg(b) - lg(a + b)


def log_phi(z):
    return log(mp.erfc(-z / sqrt(mpf(2))) / 2)


def log_choose(n, k):
    return lg(n + 1) - lg(k + 1) - lg(n - k + 1)


def xlogy(x, y):
    return x * log(y) if x != 0 else mpf(0)


def normal(y, m, s):
    z = (y - m) / s
    return -z * z / 2 - log(s) - log(2 * pi) / 2


def student_t(y, nu, m, s):
    z = (y - m) / s
    return lg((nu + 1) / 2) - lg(nu / 2) - log(nu * pi) / 2 - log(s) - (nu + 1) / 2 * log1p(z * z / nu)


def log_i0(k):
    if k < 2000:
        return log(mp.besseli(0, k))
    total = term = mpf(1)
    for j in range(1, 400):
        term *= mpf((2 * j - 1) ** 2) / (8 * j * k)
        if term < mpf(10) ** -170:
            break
        total += term
    return k - log(2 * pi * k) / 2 + log(total)


def log1p_exp(t):
    return log1p(exp(t)) if t < 0 else t + log1p(exp(-t))


def skew_double_exponential(y, m, s, t):
    u = abs(y - m) / s
    return log(2 / s) + log(t) + log1p(-t) - (2 * (1 - t) * u if y < m else 2 * t * u)


def neg_binomial_2(n, mu, phi):
    return lg(n + phi) - lg(phi) - lg(n + 1) + xlogy(n, mu / (mu + phi)) - phi * log1p(mu / phi)


def dirichlet(theta, a):
    return lg(sum(a)) + sum((x - 1) * log(t) - lg(x) for t, x in zip(theta, a))


def dirichlet_multinomial(y, a):
    n, total = sum(y), sum(a)
    return lg(n + 1) + lg(total) - lg(n + total) + sum(lg(k + x) - lg(x) - lg(k + 1) for k, x in zip(y, a))


def multinomial(y, theta):
    return lg(sum(y) + 1) + sum(xlogy(k, t) - lg(k + 1) for k, t in zip(y, theta))


def multinomial_logit(y, beta):
    norm = log(sum(exp(b) for b in beta))
    return lg(sum(y) + 1) + sum(k * (b - norm) - lg(k + 1) for k, b in zip(y, beta))


def matrix(rows):
    return mp.matrix(rows)


def multi_student_t(y, nu, m, sigma):
    k = len(y)
    s, d = matrix(sigma), matrix([[a - b] for a, b in zip(y, m)])
    q = (d.T * (s ** -1) * d)[0]
    return lg((nu + k) / 2) - lg(nu / 2) - mpf(k) / 2 * log(nu * pi) - log(mp.det(s)) / 2 - (nu + k) / 2 * log1p(q / nu)


def multi_student_t_cholesky(y, nu, m, l):
    l = matrix(l)
    return multi_student_t(y, nu, m, (l * l.T).tolist())


def log_multi_gamma(k, x):
    return mpf(k * (k - 1)) / 4 * log(pi) + sum(lg(x - mpf(j) / 2) for j in range(k))


def wishart(w, nu, s):
    k = len(w)
    w, s = matrix(w), matrix(s)
    trace = sum(((s ** -1) * w)[i, i] for i in range(k))
    return (-nu * k / 2 * log(mpf(2)) - log_multi_gamma(k, nu / 2) - nu / 2 * log(mp.det(s)) +
            (nu - k - 1) / 2 * log(mp.det(w)) - trace / 2)


def inv_wishart(w, nu, s):
    k = len(w)
    w, s = matrix(w), matrix(s)
    trace = sum((s * (w ** -1))[i, i] for i in range(k))
    return (-nu * k / 2 * log(mpf(2)) - log_multi_gamma(k, nu / 2) + nu / 2 * log(mp.det(s)) -
            (nu + k + 1) / 2 * log(mp.det(w)) - trace / 2)


def lkj_constant(eta, size):
    r = mpf(0)
    for k in range(1, size):
        rest = size - k
        x = eta + mpf(rest - 1) / 2
        r -= rest * (2 * lg(x) - lg(2 * x)) + (2 * eta - 2 + rest) * rest * log(mpf(2))
    return r


def lkj_corr(y, eta):
    return lkj_constant(eta, len(y)) + (eta - 1) * log(mp.det(matrix(y)))


def lkj_corr_cholesky(l, eta):
    n = len(l)
    return lkj_constant(eta, n) + sum((n - i - 1 + 2 * eta - 2) * log(l[i][i]) for i in range(1, n))


def beta_neg_binomial(n, r, a, b):
    return lg(n + r) - lg(n + 1) - lg(r) + lbeta(a + r, b + n) - lbeta(a, b)


def gamma(y, a, b):
    return a * log(b) - lg(a) + (a - 1) * log(y) - b * y


def inv_gamma(y, a, b):
    return a * log(b) - lg(a) - (a + 1) * log(y) - b / y


def beta(t, a, b):
    return (a - 1) * log(t) + (b - 1) * log1p(-t) - lbeta(a, b)


def frechet(y, a, s):
    return log(a) - a * log(y / s) - log(y) - exp(-a * log(y / s))


def weibull(y, a, s):
    return log(a) - log(s) + (a - 1) * log(y / s) - exp(a * log(y / s))


def exp_mod_normal(y, m, s, l):
    return log(l) + l * (m + l * s * s / 2 - y) + log_phi((y - m) / s - l * s)


def skew_normal(y, m, s, a):
    return log(mpf(2)) + normal(y, m, s) + log_phi(a * (y - m) / s)


# name: density, types of the arguments (i: int, r: real, t: a probability, v/V: vector of reals/ints, m: symmetric matrix,
# l: lower triangle; lower case s, p: a matrix or vector that is not scanned), usual arguments
SCANS = [
    ("normal_lpdf", normal, "rrr", (0.7, 0.3, 1.2)),
    ("student_t_lpdf", student_t, "rrrr", (0.7, 4.5, 0.3, 1.2)),
    ("cauchy_lpdf", lambda y, m, s: -log1p(((y - m) / s) ** 2) - log(s) - log(pi), "rrr", (0.7, 0.3, 1.2)),
    ("double_exponential_lpdf", lambda y, m, s: -abs(y - m) / s - log(2 * s), "rrr", (0.7, 0.3, 1.2)),
    ("logistic_lpdf", lambda y, m, s: -(y - m) / s - log(s) - 2 * log1p_exp(-(y - m) / s), "rrr", (0.7, 0.3, 1.2)),
    ("gumbel_lpdf", lambda y, m, s: -log(s) - (y - m) / s - exp(-(y - m) / s), "rrr", (0.7, 0.3, 1.2)),
    ("skew_normal_lpdf", skew_normal, "rrrr", (0.7, 0.3, 1.2, 0.8)),
    ("skew_normal_lpdf", skew_normal, "rrrr", (0.2, 0.3, 1.2, 0.8)),
    ("exp_mod_normal_lpdf", exp_mod_normal, "rrrr", (0.7, 0.3, 1.2, 0.8)),
    ("exp_mod_normal_lpdf", exp_mod_normal, "rrrr", (1.0, 0.0, 1.0, 30.0)),
    ("skew_double_exponential_lpdf", skew_double_exponential, "rrrt", (0.7, 0.3, 1.2, 0.4)),
    ("lognormal_lpdf", lambda y, m, s: normal(log(y), m, s) - log(y), "rrr", (0.7, 0.3, 1.2)),
    ("chi_square_lpdf", lambda y, n: gamma(y, n / 2, mpf(1) / 2), "rr", (1.7, 2.5)),
    ("inv_chi_square_lpdf", lambda y, n: inv_gamma(y, n / 2, mpf(1) / 2), "rr", (0.7, 2.5)),
    ("scaled_inv_chi_square_lpdf", lambda y, n, s: inv_gamma(y, n / 2, n * s * s / 2), "rrr", (0.7, 2.5, 0.9)),
    ("exponential_lpdf", lambda y, b: log(b) - b * y, "rr", (0.7, 1.2)),
    ("gamma_lpdf", gamma, "rrr", (0.7, 2.5, 1.2)),
    ("inv_gamma_lpdf", inv_gamma, "rrr", (0.7, 2.5, 1.2)),
    ("weibull_lpdf", weibull, "rrr", (0.7, 2.5, 1.2)),
    ("frechet_lpdf", frechet, "rrr", (1.7, 2.5, 1.2)),
    ("rayleigh_lpdf", lambda y, s: log(y) - 2 * log(s) - (y / s) ** 2 / 2, "rr", (0.7, 1.2)),
    ("loglogistic_lpdf", lambda y, a, b: log(b / a) + (b - 1) * log(y / a) - 2 * log1p_exp(b * log(y / a)), "rrr", (0.7, 1.2, 2.5)),
    ("pareto_lpdf", lambda y, m, a: log(a) + a * log(m) - (a + 1) * log(y), "rrr", (1.7, 1.2, 2.5)),
    ("pareto_type_2_lpdf", lambda y, m, s, a: log(a / s) - (a + 1) * log1p((y - m) / s), "rrrr", (1.7, 0.3, 1.2, 2.5)),
    ("beta_lpdf", beta, "trr", (0.3, 2.5, 1.7)),
    ("beta_proportion_lpdf", lambda t, m, k: beta(t, m * k, (1 - m) * k), "ttr", (0.3, 0.4, 2.5)),
    ("beta_proportion_lpdf", lambda t, m, k: beta(t, m * k, (1 - m) * k), "ttr", (0.5, 0.5, 2.5)),
    ("von_mises_lpdf", lambda y, m, k: k * cos(m - y) - log(2 * pi) - log_i0(k), "rrr", (0.7, 0.3, 1.2)),
    ("von_mises_lpdf", lambda y, m, k: k * cos(m - y) - log(2 * pi) - log_i0(k), "rrr", (0.3, 0.3, 1.2)),
    ("binomial_lpmf", lambda n, m, t: log_choose(m, n) + n * log(t) + (m - n) * log1p(-t), "iit", (3, 10, 0.3)),
    ("binomial_logit_lpmf", lambda n, m, t: log_choose(m, n) - n * log1p_exp(-t) - (m - n) * log1p_exp(t), "iir", (3, 10, 0.3)),
    ("bernoulli_logit_lpmf", lambda n, t: -log1p_exp(-t), "ir", (1, 0.3)),
    ("beta_binomial_lpmf", lambda n, m, a, b: log_choose(m, n) + lbeta(n + a, m - n + b) - lbeta(a, b), "iirr", (3, 10, 2.5, 1.7)),
    ("neg_binomial_lpmf", lambda n, a, b: lg(n + a) - lg(a) - lg(n + 1) - a * log1p(1 / b) - n * log1p(b), "irr", (3, 2.5, 1.7)),
    ("neg_binomial_2_lpmf", neg_binomial_2, "irr", (3, 2.5, 1.7)),
    ("neg_binomial_2_log_lpmf", lambda n, e, p: neg_binomial_2(n, exp(e), p), "irr", (3, 0.8, 1.7)),
    ("beta_neg_binomial_lpmf", beta_neg_binomial, "irrr", (3, 2.5, 1.7, 1.3)),
    ("hypergeometric_lpmf", lambda n, m, a, b: log_choose(a, n) + log_choose(b, m - n) - log_choose(a + b, m), "iiii", (3, 7, 6, 9)),
    ("poisson_lpmf", lambda n, l: n * log(l) - l - lg(n + 1), "ir", (3, 2.5)),
    ("poisson_log_lpmf", lambda n, e: n * e - exp(e) - lg(n + 1), "ir", (3, 0.8)),
    ("yule_simon_lpmf", lambda n, a: log(a) + lbeta(n, a + 1), "ir", (3, 2.5)),
    ("dirichlet_lpdf", dirichlet, "pv", ((0.2, 0.3, 0.5), (2.5, 1.7, 0.6))),
    ("dirichlet_multinomial_lpmf", dirichlet_multinomial, "Vv", ((3, 0, 2), (2.5, 1.7, 0.6))),
    ("multinomial_lpmf", multinomial, "Vp", ((3, 0, 2), (0.2, 0.3, 0.5))),
    ("multinomial_logit_lpmf", multinomial_logit, "Vv", ((3, 0, 2), (0.2, 0.3, 0.5))),
    ("multi_student_t_lpdf", multi_student_t, "prps", ((0.7, -0.2), 4.5, (0.3, 0.1), ((1.2, 0.4), (0.4, 0.9)))),
    ("multi_student_t_cholesky_lpdf", multi_student_t_cholesky, "prpl", ((0.7, -0.2), 4.5, (0.3, 0.1), ((1.2, 0.0), (0.4, 0.9)))),
    ("wishart_lpdf", wishart, "srs", (((1.2, 0.4), (0.4, 0.9)), 4.5, ((0.9, -0.1), (-0.1, 1.3)))),
    ("inv_wishart_lpdf", inv_wishart, "srs", (((1.2, 0.4), (0.4, 0.9)), 4.5, ((0.9, -0.1), (-0.1, 1.3)))),
    ("lkj_corr_lpdf", lkj_corr, "sr", (((1.0, 0.4), (0.4, 1.0)), 2.5)),
    ("lkj_corr_lpdf", lkj_corr, "sr", (((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)), 2.5)),
    ("lkj_corr_cholesky_lpdf", lkj_corr_cholesky, "lr", (((1.0, 0.0), (0.0, 1.0)), 2.5)),
]


def whole(x):
    return min(max(1, round(x)), 2000000000)


def diag(s, off):
    return ((1.1 * s, off * s), (off * s, 0.8 * s))


# name of a density in SCANS, arguments that grow with s
RAYS = [
    ("student_t_lpdf", lambda s: (0.7, s, 0.3 * 1, 1.2)),
    ("chi_square_lpdf", lambda s: (s, s)),
    ("chi_square_lpdf", lambda s: (s + 1.3 * s ** 0.5, s)),
    ("inv_chi_square_lpdf", lambda s: (1 / s, s)),
    ("scaled_inv_chi_square_lpdf", lambda s: (1.0, s, 1.0)),
    ("scaled_inv_chi_square_lpdf", lambda s: (1.44 * (1 + 1 / (1 + s ** 0.5)), s, 1.2)),
    ("gamma_lpdf", lambda s: (s, s, 1.0)),
    ("gamma_lpdf", lambda s: (1.0, s, s)),
    ("gamma_lpdf", lambda s: (0.7 + 0.7 / s ** 0.5, s, s / 0.7)),
    ("inv_gamma_lpdf", lambda s: (1.0, s, s)),
    ("inv_gamma_lpdf", lambda s: (0.7 + 0.7 / s ** 0.5, s, s * 0.7)),
    ("beta_lpdf", lambda s: (0.5, s, s)),
    ("beta_lpdf", lambda s: (0.3, 0.3 * s, 0.7 * s)),
    ("beta_lpdf", lambda s: (0.3 + 0.1 / (1 + s) ** 0.5, 0.3 * s, 0.7 * s)),
    ("beta_lpdf", lambda s: (2.5 / (2.5 + s), 2.5, s)),
    ("beta_proportion_lpdf", lambda s: (0.3, 0.3, s)),
    ("beta_proportion_lpdf", lambda s: (0.25 + 0.1 / (1 + s) ** 0.5, 0.25, s)),
    ("weibull_lpdf", lambda s: (1.2 * (1 + 0.7 / (1 + s)), s, 1.2)),
    ("frechet_lpdf", lambda s: (1.7 * (1 + 0.7 / (1 + s)), s, 1.7)),
    ("loglogistic_lpdf", lambda s: (1.7 * (1 + 0.7 / (1 + s)), 1.7, s)),
    ("pareto_lpdf", lambda s: (1.7 * (1 + 0.7 / (1 + s)), 1.7, s)),
    ("multinomial_logit_lpmf", lambda s: ((3, 0, 2), (s, s, 0.7 * s))),
    ("multinomial_logit_lpmf", lambda s: ((300000, 0, 20000), (0.7 * s, 0.2, s))),
    ("von_mises_lpdf", lambda s: (0.3 + 1 / (1 + s ** 0.5), 0.3, s)),
    ("beta_binomial_lpmf", lambda s: (3, 10, s, 2 * s)),
    ("beta_binomial_lpmf", lambda s: (whole(s / 3), whole(s), s, 2 * s)),
    ("binomial_lpmf", lambda s: (whole(s * 0.3), whole(s), 0.3)),
    ("hypergeometric_lpmf", lambda s: (1, 3, whole(s / 2), whole(s / 2))),
    ("hypergeometric_lpmf", lambda s: (whole(s / 6), whole(s / 3), whole(s / 2), whole(s / 2))),
    ("hypergeometric_lpmf", lambda s: (whole(s / 6) // 10 + 2, whole(s / 6) // 5 + 3, whole(s / 5) + 3, whole(s / 6) + 9)),
    ("poisson_lpmf", lambda s: (whole(s), s)),
    ("poisson_lpmf", lambda s: (whole(s + 1.2 * s ** 0.5), s)),
    ("poisson_log_lpmf", lambda s: (whole(s), float(log(mpf(s))))),
    ("neg_binomial_lpmf", lambda s: (3, s, s / 2.5)),
    ("neg_binomial_lpmf", lambda s: (whole(s), s, 1.0)),
    ("neg_binomial_2_lpmf", lambda s: (whole(s), s, 1.7)),
    ("neg_binomial_2_lpmf", lambda s: (whole(s), s, s)),
    ("neg_binomial_2_lpmf", lambda s: (whole(s), s, 1e5 * s)),
    ("neg_binomial_2_log_lpmf", lambda s: (whole(s), float(log(mpf(s))), 3 * s)),
    ("beta_neg_binomial_lpmf", lambda s: (3, 2.5, s, 2 * s)),
    ("beta_neg_binomial_lpmf", lambda s: (3, s, s, 2.5)),
    ("beta_neg_binomial_lpmf", lambda s: (3, s, 2 * s, s)),
    ("beta_neg_binomial_lpmf", lambda s: (whole(s), s, s, s)),
    ("yule_simon_lpmf", lambda s: (whole(s), 2.5)),
    ("yule_simon_lpmf", lambda s: (whole(s), s)),
    ("dirichlet_lpdf", lambda s: ((0.2, 0.3, 0.5), (0.2 * s, 0.3 * s, 0.5 * s))),
    ("dirichlet_lpdf", lambda s: ((0.2, 0.3, 0.5), (2.5, s, 2 * s))),
    ("dirichlet_multinomial_lpmf", lambda s: ((3, 0, 2), (s, 2 * s, 3 * s))),
    ("dirichlet_multinomial_lpmf", lambda s: ((3, 4, 2), (s, 2.5, s))),
    ("dirichlet_multinomial_lpmf", lambda s: ((whole(s * 0.2), whole(s * 0.3), whole(s * 0.1)), (0.2 * s, 0.3 * s, 0.1 * s))),
    ("multinomial_lpmf", lambda s: ((whole(s * 0.2), whole(s * 0.3), whole(s * 0.5)), (0.2, 0.3, 0.5))),
    ("multinomial_logit_lpmf", lambda s: ((whole(s * 0.1), whole(s * 0.2), whole(s * 0.1)), (0.0, 0.7, 0.0))),
    ("wishart_lpdf", lambda s: (diag(s, 0.3), s + 1, diag(1, 0.3))),
    ("inv_wishart_lpdf", lambda s: (diag(1, 0.3), s + 1, diag(s, 0.3))),
]

POINTS = [float(exp(mpf(k))) for k in range(-40, 43, 2)]
PROBABILITIES = [p for k in range(2, 41, 2) for p in (float(exp(mpf(-k))), float(1 - exp(mpf(-k)))) if p < 1]


def lift(x):
    return tuple(lift(v) for v in x) if isinstance(x, tuple) else mpf(x)


def entries(x, path=()):
    if isinstance(x, tuple):
        for i, v in enumerate(x):
            yield from entries(v, path + (i,))
    else:
        yield path, x


def replaced(x, path, v):
    return v if not path else tuple(replaced(y, path[1:], v) if i == path[0] else y for i, y in enumerate(x))


def moved(args, paths, h):
    for p in paths:
        x = args
        for i in p:
            x = x[i]
        args = replaced(args, p, x + h)
    return args


def value(f, args):
    args = tuple([[list(r) for r in a][i] for i in range(len(a))] if isinstance(a, tuple) and isinstance(a[0], tuple) else a
                 for a in args)
    return f(*args)


def slope(f, args, path, x):
    """Off-diagonal elements of symmetric matrices move alone: formulas do not symmetrize."""
    h = abs(x) * STEP if x != 0 else STEP
    return (value(f, moved(args, [path], h)) - value(f, moved(args, [path], -h))) / (2 * h)


def typed(kind, x):
    names = {"i": "int", "r": "real", "t": "real", "v": "vector", "p": "vector", "V": "array[] int", "m": "matrix", "s": "matrix", "l": "matrix"}
    out = {"type": names[kind], "value": x}
    return out


def finite(x):
    return abs(x) < mpf(10) ** 300


def slope_scale(v, x, g, count):
    """A slope g by x is compared with itself, or where it is smaller with 1e-6 times the larger of 1, the value v and the counts,
    over x: with a tolerance of 1e-9 that is the rounding of v by a step of log x. Slopes of masses of counts are differences of
    terms of the size of the counts."""
    return float(max(abs(g), SLOPE_SHARE * max(1, abs(v), count) / max(abs(x), mpf(10) ** -300)))


SLOPE_SHARE = mpf(10) ** -6
# The slope by nu is half of log|W| - log|S| less a sum of digammas; along the rays the determinants of the rounded matrices alone
# leave it an error of 2e-16. Differences of digammas of moderate numbers leave the beta's 1e-15.
LEAST_SCALE = {"beta_lpdf": 1e-6, "wishart_lpdf": 4e-7, "inv_wishart_lpdf": 4e-7}


def largest_count(kinds, args):
    return max([0] + [c for kind, a in zip(kinds, args) if kind in "iV" for c in (a if isinstance(a, tuple) else (a,))])


def line(ident, name, f, kinds, args):
    exact = lift(args)
    try:
        v = value(f, exact)
        if not finite(v):
            return None
        grad, scale = [], []
        for j, kind in enumerate(kinds):
            if kind in "iVspl":
                grad.append(None), scale.append(None)
                continue
            found = [(slope(f, exact, (j,) + p, x), x) for p, x in entries(exact[j])]
            if not all(finite(g) for g, _ in found):
                return None
            grad.append([float(g) for g, _ in found])
            scale.append(max([LEAST_SCALE.get(name, 0)] + [slope_scale(v, x, g, largest_count(kinds, args)) for g, x in found]))
    except (ValueError, ZeroDivisionError, OverflowError, mp.libmp.NoConvergence):
        return None
    return {"id": ident, "fn": name, "kind": "scan", "source": "formula",
            "args": [typed(k, a) for k, a in zip(kinds, args)], "result": {"type": "real", "value": float(v)},
            "grad": grad, "grad_scale": scale, "tol": 1e-9, "atol": 1e-9, "grad_tol": 1e-9}


def inside(name, args):
    if name == "pareto_lpdf":
        return args[0] >= args[1]
    if name == "pareto_type_2_lpdf":
        return args[0] >= args[1]
    if name == "beta_proportion_lpdf" or name == "beta_lpdf":
        return 0 < args[0] < 1
    if name in ("wishart_lpdf", "inv_wishart_lpdf"):
        return args[1] > len(args[0]) - 1
    if name == "hypergeometric_lpmf":
        return args[0] <= args[2] and args[0] <= args[1] <= args[2] + args[3] and args[1] - args[0] <= args[3]
    if name in ("beta_binomial_lpmf", "binomial_lpmf"):
        return args[0] <= args[1]
    return True


def main():
    only = sys.argv[1:]
    for s, (name, f, kinds, usual) in enumerate(SCANS):
        if only and name not in only:
            continue
        usual = tuple(usual)
        for j, kind in enumerate(kinds):
            if kind not in "rtv":
                continue
            for path, _ in [((j,) + p, x) for p, x in entries(usual[j])]:
                for k, point in enumerate(PROBABILITIES if kind == "t" else POINTS):
                    args = replaced(usual, path, point)
                    row = inside(name, args) and line(f"{name}/{s}/{'.'.join(map(str, path))}/{k}", name, f, kinds, args)
                    if row:
                        print(json.dumps(row, separators=(",", ":")))
        sys.stdout.flush()
    table = {name: (f, kinds) for name, f, kinds, _ in SCANS}
    for r, (name, ray) in enumerate(RAYS):
        if only and name not in only:
            continue
        f, kinds = table[name]
        for k, point in enumerate(POINTS):
            args = ray(point)
            row = inside(name, args) and line(f"{name}/ray{r}/{k}", name, f, kinds, args)
            if row:
                print(json.dumps(row, separators=(",", ":")))
        sys.stdout.flush()


if __name__ == "__main__":
    main()
