#!/usr/bin/env python3
"""Writes model_scan.jsonl.gz: ordered outcomes, linear models, Wiener's first passages and densities of matrices, with gradients
by every real argument, at 120 digits (python3-mpmath).

One number of the arguments, or a scale of a matrix, runs from e^-40 to e^42 in steps of e^4 (both signs for numbers on the line)
while the others keep ordinary values. The form of a line is that of tests/battery/data/README.md, tolerances are those of
density_scan.py: 1e-9 (1 + |value|) for values; slopes are compared with themselves, or with the rounding of the value by a step of
log x, whichever is larger. Elements of symmetric matrices move alone.

usage: model_scan.py [NAME ...] > model_scan.jsonl
"""
import json
import sys

import mpmath as mp
from mpmath import mpf, log, log1p, exp, expm1, sqrt, pi

import density_scan as ds
from tail_scan import shortened
from density_scan import lg, lift, log1p_exp, log_choose, lbeta, log_multi_gamma, log_phi, lkj_constant, replaced, entries

mp.mp.dps = 120
STEP = mpf(10) ** -35
WIDE = [float(exp(mpf(k))) for k in range(-40, 43, 4)]
LINE = WIDE + [-x for x in WIDE]
SHARES = [float(exp(mpf(-k))) for k in range(2, 41, 6)] + [float(1 - exp(mpf(-k))) for k in range(2, 35, 6)]
SCALES = [float(exp(mpf(k))) for k in range(-40, 43, 8)]
MODERATE = [float(exp(mpf(k) / 2)) for k in range(-16, 9)]


def bernoulli_logit(n, t):
    return -log1p_exp(-t) if n else -log1p_exp(t)


def ordered(y, cuts, log_cdf):
    """log P(c[y - 2] < noise <= c[y - 1]) for cuts less the location; log_cdf of a symmetric law."""
    if y == 1:
        return log_cdf(cuts[0])
    if y == len(cuts) + 1:
        return log_cdf(-cuts[-1])
    a, b = cuts[y - 2], cuts[y - 1]
    if a + b > 0:
        a, b = -b, -a
    high, low = log_cdf(b), log_cdf(a)
    return high + log(-expm1(low - high)) if low - high > -1000000 else high


def log_logistic(x):
    return -log1p_exp(-x)


def log_normal_cdf(x):
    return log(mp.erfc(-x / sqrt(mpf(2))) / 2)


def ordered_logistic(y, eta, c):
    return ordered(y, [x - eta for x in c], log_logistic)


def ordered_probit(y, eta, c):
    return ordered(y, [x - eta for x in c], log_normal_cdf)


def predictors(x, alpha, beta):
    alphas = alpha if isinstance(alpha, tuple) else (alpha,) * len(x)
    return [a + sum(p * q for p, q in zip(row, beta)) for row, a in zip(x, alphas)]


def categorical_logit_glm(y, x, alpha, beta):
    r = mpf(0)
    for k, row in zip(y, x):
        eta = [a + sum(p * b[j] for p, b in zip(row, beta)) for j, a in enumerate(alpha)]
        top = max(eta)
        r += eta[k - 1] - top - log(sum(exp(e - top) for e in eta))
    return r


def wiener_start(t, w):
    """log of the density of the first passage at 0 from w, without drift, for unit distance."""
    if t < mpf(1) / 3:
        total = sum((w + 2 * k) * exp(-((w + 2 * k) ** 2 - w * w) / (2 * t)) for k in range(-12, 13))
        return -w * w / (2 * t) - log(2 * pi * t ** 3) / 2 + log(total)
    total = sum(k * exp(-(k * k - 1) * pi ** 2 * t / 2) * mp.sin(k * pi * w) for k in range(1, 30))
    return -pi ** 2 * t / 2 + log(pi) + log(total)


def wiener(y, a, t0, w, v, sv=mpf(0), sw=mpf(0), st0=mpf(0)):
    """At the upper boundary."""
    t, w, v = y - t0, 1 - w, -v
    if t <= 0:
        raise ValueError
    drift = (sv * sv * (a * w) ** 2 - 2 * a * v * w - v * v * t) / (2 * (1 + sv * sv * t)) - log1p(sv * sv * t) / 2
    return wiener_start(t / (a * a), w) - 2 * log(a) + drift


def matrix(rows):
    return mp.matrix([list(r) for r in rows])


def lower(rows):
    return matrix([[x if j <= i else mpf(0) for j, x in enumerate(r)] for i, r in enumerate(rows)])


def column(v):
    return mp.matrix([[x] for x in v])


def quadratic(d, s):
    return (d.T * s * d)[0]


def multi_normal(y, m, s):
    return normal_by(y, m, matrix(s))


def normal_by(y, m, s):
    return -len(y) * log(2 * pi) / 2 - log(mp.det(s)) / 2 - quadratic(column(y) - column(m), s ** -1) / 2


def multi_normal_cholesky(y, m, l):
    l = lower(l)
    return normal_by(y, m, l * l.T)


def multi_normal_prec(y, m, p):
    return normal_by(y, m, matrix(p) ** -1)


def gp_by(y, s, w):
    inverse, k = s ** -1, len(y[0])
    return sum(-k * log(2 * pi) / 2 - log(mp.det(s)) / 2 + k * log(x) / 2 - x * quadratic(column(row), inverse) / 2
               for row, x in zip(y, w))


def multi_gp(y, s, w):
    return gp_by(y, matrix(s), w)


def multi_gp_cholesky(y, l, w):
    l = lower(l)
    return gp_by(y, l * l.T, w)


def student_by(y, nu, m, s):
    k, q = len(y), quadratic(column(y) - column(m), s ** -1)
    return lg((nu + k) / 2) - lg(nu / 2) - mpf(k) / 2 * log(nu * pi) - log(mp.det(s)) / 2 - (nu + k) / 2 * log1p(q / nu)


def multi_student_t(y, nu, m, s):
    return student_by(y, nu, m, matrix(s))


def multi_student_t_cholesky(y, nu, m, l):
    l = lower(l)
    return student_by(y, nu, m, l * l.T)


def trace(m):
    return sum(m[i, i] for i in range(m.rows))


def wishart_by(k, log_det_w, nu, log_det_s, trace_of_ratio):
    return (-nu * k / 2 * log(mpf(2)) - log_multi_gamma(k, nu / 2) - nu / 2 * log_det_s + (nu - k - 1) / 2 * log_det_w - trace_of_ratio / 2)


def inv_wishart_by(k, log_det_w, nu, log_det_s, trace_of_ratio):
    return (-nu * k / 2 * log(mpf(2)) - log_multi_gamma(k, nu / 2) + nu / 2 * log_det_s - (nu + k + 1) / 2 * log_det_w - trace_of_ratio / 2)


def wishart(w, nu, s):
    w, s = matrix(w), matrix(s)
    return wishart_by(w.rows, log(mp.det(w)), nu, log(mp.det(s)), trace((s ** -1) * w))


def inv_wishart(w, nu, s):
    w, s = matrix(w), matrix(s)
    return inv_wishart_by(w.rows, log(mp.det(w)), nu, log(mp.det(s)), trace(s * (w ** -1)))


def factor_jacobian(l):
    k = l.rows
    return k * log(mpf(2)) + sum((k - i) * log(l[i, i]) for i in range(k))


def log_det_of_factor(l):
    return 2 * sum(log(l[i, i]) for i in range(l.rows))


def wishart_cholesky(w, nu, s):
    """The factor that is not inverted counts as a full matrix in the trace."""
    w, s = matrix(w), lower(s)
    ratio = s ** -1 * w
    return wishart_by(w.rows, log_det_of_factor(w), nu, log_det_of_factor(s), trace(ratio * ratio.T)) + factor_jacobian(w)


def inv_wishart_cholesky(w, nu, s):
    w, s = lower(w), matrix(s)
    ratio = w ** -1 * s
    return inv_wishart_by(w.rows, log_det_of_factor(w), nu, log_det_of_factor(s), trace(ratio * ratio.T)) + factor_jacobian(w)


def lkj_corr(y, eta):
    """Of the lower triangle."""
    k = len(y)
    return lkj_constant(eta, k) + (eta - 1) * log(mp.det(matrix([[y[max(i, j)][min(i, j)] for j in range(k)] for i in range(k)])))


def gaussian_dlm_obs(y, f, g, v, w, m, c):
    y, f, g, v, w, m, c = matrix(y), matrix(f), matrix(g), matrix(v), matrix(w), column(m), matrix(c)
    r = mpf(0)
    for t in range(y.cols):
        m, c = g * m, g * c * g.T + w
        e, q = y[:, t] - f.T * m, f.T * c * f + v
        r += -y.rows * log(2 * pi) / 2 - log(mp.det(q)) / 2 - quadratic(e, q ** -1) / 2
        gain = c * f * q ** -1
        m, c = m + gain * e, c - gain * q * gain.T
    return r


def scaled(rows, s, t=None):
    """D rows D with D = diag(sqrt s, sqrt t); double rounding aside it stays symmetric."""
    t = s if t is None else t
    off = float(rows[0][1] * mp.sqrt(mpf(s) * mpf(t)))
    return ((rows[0][0] * s, off), (off, rows[1][1] * t))


def factor_scaled(rows, s, t=None):
    t = s if t is None else t
    return ((rows[0][0] * s, 0.0), (rows[1][0] * t, rows[1][1] * t))


X = ((0.5, -1.2), (1.7, 0.3), (-0.4, 2.2))
BETA = (0.7, -0.3)
S = ((1.2, 0.4), (0.4, 0.9))
W = ((0.9, -0.1), (-0.1, 1.3))
L = ((1.1, 0.0), (0.4, 0.8))
LW = ((0.9, 0.0), (-0.2, 1.2))
Y, M = (0.7, -0.2), (0.3, 0.1)
Y2 = ((0.5, -1.1), (1.5, 0.3), (0.2, 0.7))

# name, density, types of the arguments (i: int, I: ints, r: real, v: vector, m: matrix), arguments, scans: (path, points)
SCANS = []


def scan(name, f, kinds, usual, *scans):
    SCANS.append((name, f, kinds, usual, scans))


for y in (1, 2, 3):
    scan("ordered_logistic_lpmf", ordered_logistic, "irv", (y, 0.3, (-0.5, 0.8)), ((1,), LINE), ((2, 0), [-x for x in WIDE]), ((2, 1), WIDE))
    scan("ordered_probit_lpmf", ordered_probit, "irv", (y, 0.3, (-0.5, 0.8)), ((1,), LINE), ((2, 0), [-x for x in WIDE]), ((2, 1), WIDE))
for name, f in (("ordered_logistic_lpmf", ordered_logistic), ("ordered_probit_lpmf", ordered_probit)):
    for eta in (0.3, -7.0, 1e4):
        scan(name, f, "irv", (2, eta, (0.0, 0.8)), ((2, 1), WIDE), ((1,), LINE[::3]))
for y in ((1, 0, 1), (0, 0, 1)):
    scan("bernoulli_logit_glm_lpmf", lambda y, x, a, b: sum(map(bernoulli_logit, y, predictors(x, a, b))), "Imrv", (y, X, 0.4, BETA),
         ((2,), LINE), ((3, 0), LINE), ((1, 0, 0), LINE))
scan("binomial_logit_glm_lpmf",
     lambda n, m, x, a, b: sum(log_choose(mpf(t), mpf(k)) - k * log1p_exp(-e) - (t - k) * log1p_exp(e) for k, t, e in zip(n, m, predictors(x, a, b))),
     "IImrv", ((3, 0, 7), (5, 4, 9), X, 0.4, BETA), ((3,), LINE), ((4, 0), LINE), ((2, 0, 0), LINE))
scan("poisson_log_glm_lpmf", lambda y, x, a, b: sum(k * e - exp(e) - lg(mpf(k + 1)) for k, e in zip(y, predictors(x, a, b))), "Imrv",
     ((3, 0, 7), X, 0.4, BETA), ((2,), LINE), ((3, 0), LINE), ((1, 0, 0), LINE))
scan("neg_binomial_2_log_glm_lpmf",
     lambda y, x, a, b, p: sum(ds.neg_binomial_2(mpf(k), exp(e), p) for k, e in zip(y, predictors(x, a, b))), "Imrvr",
     ((3, 0, 7), X, 0.4, BETA, 1.7), ((2,), LINE), ((3, 0), LINE), ((1, 0, 0), LINE), ((4,), WIDE))
scan("normal_id_glm_lpdf", lambda y, x, a, b, s: sum(ds.normal(k, e, s) for k, e in zip(y, predictors(x, a, b))), "vmrvr",
     ((0.7, -1.1, 2.3), X, 0.4, BETA, 1.3), ((0, 0), LINE), ((2,), LINE), ((3, 0), LINE), ((1, 0, 0), LINE), ((4,), WIDE))
scan("categorical_logit_glm_lpmf", categorical_logit_glm, "Imvm", ((1, 3, 2), X, (0.2, -0.4, 0.1), ((0.3, -0.2, 1.1), (0.9, 0.4, -0.6))),
     ((2, 0), LINE), ((3, 0, 0), LINE), ((1, 0, 0), LINE))
scan("ordered_logistic_glm_lpmf",
     lambda y, x, b, c: sum(ordered_logistic(k, e, c) for k, e in zip(y, predictors(x, mpf(0), b))), "Imvv",
     ((1, 3, 2), X, BETA, (-0.8, 0.3)), ((2, 0), LINE), ((1, 0, 0), LINE), ((3, 0), [-x for x in WIDE]), ((3, 1), WIDE))
scan("wiener_lpdf", wiener, "rrrrr", (0.6, 1.2, 0.15, 0.4, 0.3), ((0,), MODERATE), ((1,), WIDE), ((2,), [x for x in WIDE if x < 0.6]),
     ((3,), SHARES), ((4,), LINE))
scan("wiener_lpdf", wiener, "rrrrrrrr", (0.6, 1.2, 0.15, 0.4, 0.3, 0.5, 0.0, 0.0), ((0,), MODERATE), ((1,), [x for x in WIDE if x < 200]), ((3,), SHARES),
     ((4,), LINE), ((5,), WIDE))
for name, f, m, grow in (("multi_normal_lpdf", multi_normal, S, scaled), ("multi_normal_cholesky_lpdf", multi_normal_cholesky, L, factor_scaled),
                         ("multi_normal_prec_lpdf", multi_normal_prec, S, scaled)):
    scan(name, f, "vvm", (Y, M, m), ((0, 0), LINE), ((1, 0), LINE),
         ((2,), [grow(m, s) for s in SCALES] + [grow(m, s, 1.0) for s in SCALES] + [grow(m, s, 1 / s) for s in SCALES]))
for name, f, m, grow in (("multi_gp_lpdf", multi_gp, S, scaled), ("multi_gp_cholesky_lpdf", multi_gp_cholesky, L, factor_scaled)):
    scan(name, f, "mmv", (Y2, m, (0.7, 1.9, 1.1)), ((0, 0, 0), LINE), ((2, 0), WIDE),
         ((1,), [grow(m, s) for s in SCALES] + [grow(m, s, 1 / s) for s in SCALES]))
for name, f, m, grow in (("multi_student_t_lpdf", multi_student_t, S, scaled), ("multi_student_t_cholesky_lpdf", multi_student_t_cholesky, L, factor_scaled)):
    scan(name, f, "vrvm", (Y, 4.5, M, m), ((0, 0), LINE), ((1,), WIDE), ((2, 0), LINE),
         ((3,), [grow(m, s) for s in SCALES] + [grow(m, s, 1.0) for s in SCALES] + [grow(m, s, 1 / s) for s in SCALES]))
for name, f, a, b, grow in (("wishart_lpdf", wishart, S, W, scaled), ("inv_wishart_lpdf", inv_wishart, S, W, scaled),
                            ("wishart_cholesky_lpdf", wishart_cholesky, L, LW, factor_scaled),
                            ("inv_wishart_cholesky_lpdf", inv_wishart_cholesky, L, LW, factor_scaled)):
    scan(name, f, "mrm", (a, 4.5, b), ((0,), [grow(a, s) for s in SCALES] + [grow(a, s, 1 / s) for s in SCALES]), ((1,), [x for x in WIDE if x > 1.1]),
         ((2,), [grow(b, s) for s in SCALES] + [grow(b, s, 1 / s) for s in SCALES]))
for rho in (0.0, 0.4):
    scan("lkj_corr_lpdf", lkj_corr, "mr", (((1.0, rho), (rho, 1.0)), 2.5), ((1,), WIDE),
         ((0,), [((1.0, r), (r, 1.0)) for r in (1e-18, 1e-9, 0.1, 0.9, 0.99, 0.9999)]))
scan("gaussian_dlm_obs_lpdf", gaussian_dlm_obs, "mmmmmvm",
     (((0.5, -0.3, 1.2), (1.1, 0.4, -0.2)), ((1.0, 0.4), (0.2, 0.9)), ((0.8, 0.1), (0.0, 0.9)), S, W, (0.1, -0.2), ((2.0, 0.5), (0.5, 1.5))),
     ((0, 0, 0), LINE[::2]), ((3,), [scaled(S, s) for s in SCALES[3:]]), ((4,), [scaled(W, s) for s in SCALES[:6]]), ((5, 0), LINE[::2]),
     ((6,), [scaled(S, s) for s in SCALES[:6]]))


def value(f, args):
    return f(*args)


def slope(f, exact, path, x):
    h = abs(x) * STEP if x != 0 else STEP
    return (f(*replaced(exact, path, x + h)) - f(*replaced(exact, path, x - h))) / (2 * h)


def slots(x):
    """Paths in the order of gradients: matrices by column."""
    if not isinstance(x, tuple):
        return [()]
    if not isinstance(x[0], tuple):
        return [(i,) for i in range(len(x))]
    return [(i, j) for j in range(len(x[0])) for i in range(len(x))]


def at(x, path):
    for i in path:
        x = x[i]
    return x


def typed(kind, x):
    names = {"i": "int", "I": "array[] int", "r": "real", "v": "vector", "m": "matrix"}
    return {"type": names[kind], "value": x, **({"dims": [len(x), len(x[0])]} if kind == "m" else {})}


def slope_scale(v, x, g, share):
    """A slope by an element that is 0 is compared with those by its neighbors."""
    return abs(g) if x == 0 else max(abs(g), ds.SLOPE_SHARE * max(1, abs(v)) / max(abs(x), share))


def line(ident, name, f, kinds, args):
    exact = lift_args(kinds, args)
    try:
        v = f(*exact)
        if mp.im(v) != 0 or not ds.finite(v):
            return None
        grad, scale = [], []
        for j, kind in enumerate(kinds):
            if kind in "iI":
                grad.append(None), scale.append(None)
                continue
            found = [(slope(f, exact, (j,) + p, at(exact[j], p)), at(exact[j], p)) for p in slots(exact[j])]
            if not all(mp.im(g) == 0 and ds.finite(g) for g, _ in found):
                return None
            grad.append([shortened(g, 12) for g, _ in found])
            scale.append(shortened(max(slope_scale(v, x, g, mpf(10) ** -300) for g, x in found), 3))
    except (ValueError, ZeroDivisionError, OverflowError, mp.libmp.NoConvergence):
        return None
    return {"id": ident, "fn": name, "kind": "scan", "source": "formula",
            "args": [typed(k, a) for k, a in zip(kinds, args)], "result": {"type": "real", "value": shortened(v, 12)},
            "grad": grad, "grad_scale": scale, "tol": 1e-9, "atol": 1e-9, "grad_tol": 1e-9}


def lift_args(kinds, args):
    return tuple(a if k in "iI" else lift(a) for k, a in zip(kinds, args))


def main():
    only = sys.argv[1:]
    for s, (name, f, kinds, usual, scans) in enumerate(SCANS):
        if only and name not in only:
            continue
        for path, points in scans:
            for k, point in enumerate(points):
                row = line(f"{name}/{s}/{'.'.join(map(str, path))}/{k}", name, f, kinds, replaced(usual, path, point))
                if row:
                    print(json.dumps(row, separators=(",", ":")))
        sys.stdout.flush()


if __name__ == "__main__":
    main()
