#!/usr/bin/env python3
"""Writes tail_scan.jsonl.gz: distribution functions (cdf, lcdf, lccdf) and their gradients at 160 digits (python3-mpmath).

Each parameter of each distribution runs from e^-40 to e^42 while the others keep ordinary values ("scan"), and parameters grow
together along rays ("ray"). The form of a line is that of tests/battery/data/README.md. Each law is a pair of logarithms of the
lower and the upper tail; gradients are central differences with a relative step of 1e-45. Sums that do not converge soon and
complements without 50 digits give no line.

Tolerances are relative: 1e-9 of the value and of each slope. A value may also differ by what 8 roundings of its arguments
change. Normal laws that are skewed and von Mises's come from quadrature at 60 digits with slopes in closed form.

usage: tail_scan.py [NAME ...] > tail_scan.jsonl
"""
import json
import sys

import mpmath as mp
from mpmath import mpf, log, log1p, exp, expm1, sqrt, pi

from density_scan import PROBABILITIES, POINTS, STEP, entries, lg, lift, log1p_exp, log_choose, lbeta, moved, replaced, typed, whole

MOST_TERMS = 4000
DIGITS = mpf(10) ** -160
LEAST_COMPLEMENT = mpf(10) ** -60


class NoAnswer(Exception):
    pass


def log1m_exp(u):
    """log(1 - exp(u)), u <= 0."""
    if u < -1000000:
        return mpf(0)
    return log(-expm1(u)) if u > -1 else log1p(-exp(u))


def from_upper(u):
    return log1m_exp(u), u


def from_lower(u):
    return u, log1m_exp(u)


def swapped(pair):
    return pair[1], pair[0]


def log_series(ratio):
    """log of 1 + r(0) + r(0) r(1) + ... for positive ratios."""
    total = term = mpf(1)
    for k in range(MOST_TERMS):
        r = ratio(k)
        term *= r
        total += term
        if r < 1 and term < DIGITS * total * (1 - r):
            return log(total)
    raise NoAnswer


def log_fraction(step):
    """log of b0 + a1 / (b1 + a2 / (b2 + ...)) by Lentz's algorithm; step(k) is (a, b), step(0) is (_, b0)."""
    f = c = step(0)[1]
    d = mpf(0)
    for k in range(1, MOST_TERMS):
        a, b = step(k)
        d = 1 / (b + a * d)
        c = b + a / c
        f *= c * d
        if abs(c * d - 1) < DIGITS * 100:
            return log(f)
    raise NoAnswer


def gamma_tails(a, x):
    kernel = a * log(x) - x - lg(a + 1)
    if x < a + 1 or x < 60:
        return from_lower(kernel + log_series(lambda k: x / (a + 1 + k)))
    return from_upper(kernel + log(a) - log_fraction(lambda k: (-k * (k - a), x + 1 - a + 2 * k)))


def beta_tails(a, b, x, y):
    """y = 1 - x. Each series has positive terms; the tail that is not nearly 1 decides."""
    kernel = a * log(x) + b * log(y) - lbeta(a, b)

    def lower():
        return kernel - log(a) + log_series(lambda k: (a + b + k) / (a + 1 + k) * x)

    def upper():
        return kernel - log(b) + log_series(lambda k: (a + b + k) / (b + 1 + k) * y)

    first, second = (lower, upper) if x * (a + b) < a else (upper, lower)
    try:
        v = first()
        return from_lower(v) if first == lower else from_upper(v)
    except NoAnswer:
        v = second()
        if log1m_exp(v) < log(LEAST_COMPLEMENT):
            raise
        return from_lower(v) if second == lower else from_upper(v)


def log_tail_phi(z):
    """Of the upper tail, z >= 0."""
    return log(mp.erfc(z / sqrt(mpf(2))) / 2)


def symmetric(z, log_upper):
    return from_upper(log_upper(z)) if z >= 0 else from_lower(log_upper(-z))


def normal(y, m, s):
    return symmetric((y - m) / s, log_tail_phi)


def student_t(y, nu, m, s):
    def upper(z):
        if z == 0:
            return -log(mpf(2))
        return beta_tails(nu / 2, mpf(1) / 2, nu / (nu + z * z), z * z / (nu + z * z))[0] - log(mpf(2))
    return symmetric((y - m) / s, upper)


def cauchy(y, m, s):
    return symmetric((y - m) / s, lambda z: log(mp.atan2(mpf(1), z) / pi))


def double_exponential(y, m, s):
    return symmetric((y - m) / s, lambda z: -z - log(mpf(2)))


def logistic(y, m, s):
    z = (y - m) / s
    return -log1p_exp(-z), -log1p_exp(z)


def skew_double_exponential(y, m, s, t):
    u = abs(y - m) / s
    return from_lower(log(t) - 2 * (1 - t) * u) if y < m else from_upper(log1p(-t) - 2 * t * u)


def exp_mod_normal(y, m, s, l):
    z, v = (y - m) / s, l * s
    lower = symmetric(z, log_tail_phi)[0]
    shift = v * v / 2 - v * z + symmetric(z - v, log_tail_phi)[0]
    share = shift - lower
    if share >= 0 or -expm1(share) < LEAST_COMPLEMENT:
        raise NoAnswer
    upper_phi = symmetric(z, log_tail_phi)[1]
    upper = log(exp(upper_phi) + exp(shift)) if upper_phi > -1000000 or shift > -1000000 else max(upper_phi, shift)
    low = lower + log1m_exp(share)
    return (low, upper) if low < -1 else from_upper(upper)


def integral(log_f, a, direction, scale):
    """log of the integral of exp(log_f) from a in a direction; panels grow by 2 from `scale`."""
    mp.mp.dps = 60
    total, at, width = mpf(0), a, scale
    top = log_f(a)
    for _ in range(400):
        part = mp.quad(lambda t: exp(log_f(t) - top), sorted([at, at + direction * width]))
        total += part
        at, width = at + direction * width, width * 2
        if part < mpf(10) ** -60 * total:
            break
    mp.mp.dps = 160
    return top + log(total)


class Slopes:
    """A law whose slopes come with it, one (lower, upper) per argument."""

    def __init__(self, f):
        self.f = f

    def __call__(self, *args):
        return self.f(*args)[0]

    def slopes(self, *args):
        return self.f(*args)[1]


def log_phi_density(t):
    return -t * t / 2 - log(2 * pi) / 2


def skew_normal_upper(z, a):
    """log of the upper tail with its slopes by z and a."""
    def f(t):
        return log(mpf(2)) + log_phi_density(t) + symmetric(a * t, log_tail_phi)[0]
    if z < 0:
        other = skew_normal_upper(-z, -a)[0]
        if other > -LEAST_COMPLEMENT ** 0.5:
            raise NoAnswer
        v = log1m_exp(other)
    else:
        v = integral(f, z, 1, 1 / (4 + abs(z) * (1 + a * a) + abs(a)))
    return v, -exp(f(z) - v), exp(-z * z * (1 + a * a) / 2 - v) / (pi * (1 + a * a))


def skew_normal(y, m, s, a):
    z = (y - m) / s
    up, up_z, up_a = skew_normal_upper(z, a)
    low, low_z, low_a = skew_normal_upper(-z, -a)
    low_z, low_a = -low_z, -low_a
    pair = (low, up) if low < -1 and up < -1 else from_lower(low) if low < up else from_upper(up)
    return pair, [(low_z / s, up_z / s), (-low_z / s, -up_z / s), (-low_z * z / s, -up_z * z / s), (low_a, up_a)]


def von_mises(y, m, k):
    """m = 0, y inside of (-pi, pi)."""
    mp.mp.dps = 70
    scale = 1 / (1 + sqrt(k) + k * abs(mp.sin(y)))

    def piece(a, length, power):
        total, at, width = mpf(0), mpf(0), scale
        top = 1 if a <= 0 <= a + length else max(mp.cos(a), mp.cos(a + length))
        sign = 1 if abs(a) < abs(a + length) else -1
        start = a if sign > 0 else a + length
        while at < length:
            w = min(width, length - at)
            total += mp.quad(lambda u: exp(k * (mp.cos(start + sign * u) - top)) * mp.cos(start + sign * u) ** power, [at, at + w])
            at, width = at + w, width * 2
            if k * (mp.cos(start + sign * at) - top) < -170:
                break
        return total * exp(k * (top - 1))
    def side(a, b):
        if a < 0 < b:
            return [piece(a, -a, p) + piece(mpf(0), b, p) for p in (0, 1)]
        return [piece(a, b - a, p) for p in (0, 1)]
    low, low1 = side(-pi, y)
    up, up1 = side(y, +pi)
    mean = (low1 + up1) / (low + up)
    density = exp(k * (mp.cos(y) - 1))
    end = exp(k * (mp.cos(pi) - 1))
    by = [(density / low, -density / up), (-(density - end) / low, (density - end) / up), (low1 / low - mean, up1 / up - mean)]
    pair = log(low / (low + up)), log(up / (low + up))
    mp.mp.dps = 160
    return pair, by


def pareto(y, m, a):
    return from_upper(a * log(m / y))


def uniform(y, a, b):
    return log((y - a) / (b - a)), log((b - y) / (b - a))


def counts_up_to(n, log_mass):
    return log(sum(exp(log_mass(k)) for k in range(int(n) + 1)))


def beta_binomial(n, m, a, b):
    def mass(k):
        return log_choose(m, k) + lbeta(k + a, m - k + b) - lbeta(a, b)
    n, m = int(n), int(m)
    return by_smaller(mass, n, m)


def by_smaller(mass, n, m):
    lower = log(sum(exp(mass(k)) for k in range(n + 1)))
    upper = log(sum(exp(mass(k)) for k in range(n + 1, m + 1)))
    return from_lower(lower) if lower < upper else from_upper(upper)


def beta_neg_binomial(n, r, a, b):
    def mass(k):
        return lg(k + r) - lg(mpf(k + 1)) - lg(r) + lbeta(a + r, b + k) - lbeta(a, b)
    lower = log(sum(exp(mass(k)) for k in range(int(n) + 1)))
    if -lower < LEAST_COMPLEMENT:
        raise NoAnswer
    return from_lower(lower)


def rates(t):
    return log1p(-t), log(t)


def binomial(n, m, t):
    n, m = int(n), int(m)

    def mass(k):
        return log_choose(mpf(m), mpf(k)) + k * log(t) + (m - k) * log1p(-t)
    if m <= 100:
        return by_smaller(mass, n, m)
    return beta_tails(mpf(m - n), mpf(n + 1), 1 - t, t)


SCANS = [
    ("normal", normal, "rrr", (0.7, 0.3, 1.2)),
    ("std_normal", lambda y: normal(y, 0, 1), "r", (0.7,)),
    ("student_t", student_t, "rrrr", (0.7, 4.5, 0.3, 1.2)),
    ("cauchy", cauchy, "rrr", (0.7, 0.3, 1.2)),
    ("double_exponential", double_exponential, "rrr", (0.7, 0.3, 1.2)),
    ("logistic", logistic, "rrr", (0.7, 0.3, 1.2)),
    ("gumbel", lambda y, m, s: from_lower(-exp(-(y - m) / s)), "rrr", (0.7, 0.3, 1.2)),
    ("exp_mod_normal", exp_mod_normal, "rrrr", (0.7, 0.3, 1.2, 0.8)),
    ("exp_mod_normal", exp_mod_normal, "rrrr", (1.0, 0.0, 1.0, 30.0)),
    ("skew_normal", Slopes(skew_normal), "rrrr", (0.7, 0.3, 1.2, 0.8)),
    ("von_mises", Slopes(von_mises), "rmr", (0.7, 0.0, 1.2)),
    ("von_mises", Slopes(von_mises), "rmr", (-0.7, 0.0, 1.2)),
    ("skew_double_exponential", skew_double_exponential, "rrrt", (0.7, 0.3, 1.2, 0.4)),
    ("lognormal", lambda y, m, s: normal(log(y), m, s), "rrr", (0.7, 0.3, 1.2)),
    ("chi_square", lambda y, n: gamma_tails(n / 2, y / 2), "rr", (1.7, 2.5)),
    ("inv_chi_square", lambda y, n: swapped(gamma_tails(n / 2, 1 / (2 * y))), "rr", (0.7, 2.5)),
    ("scaled_inv_chi_square", lambda y, n, s: swapped(gamma_tails(n / 2, n * s * s / (2 * y))), "rrr", (0.7, 2.5, 0.9)),
    ("exponential", lambda y, b: from_upper(-b * y), "rr", (0.7, 1.2)),
    ("gamma", lambda y, a, b: gamma_tails(a, b * y), "rrr", (0.7, 2.5, 1.2)),
    ("inv_gamma", lambda y, a, b: swapped(gamma_tails(a, b / y)), "rrr", (0.7, 2.5, 1.2)),
    ("weibull", lambda y, a, s: from_upper(-exp(a * log(y / s))), "rrr", (0.7, 2.5, 1.2)),
    ("weibull", lambda y, a, s: from_upper(-exp(a * log(y / s))), "rrr", (1.7, 2.5, 1.2)),
    ("frechet", lambda y, a, s: from_lower(-exp(-a * log(y / s))), "rrr", (1.7, 2.5, 1.2)),
    ("frechet", lambda y, a, s: from_lower(-exp(-a * log(y / s))), "rrr", (0.7, 2.5, 1.2)),
    ("rayleigh", lambda y, s: from_upper(-(y / s) ** 2 / 2), "rr", (0.7, 1.2)),
    ("loglogistic", lambda y, a, b: logistic(log(y / a) * b, 0, 1), "rrr", (0.7, 1.2, 2.5)),
    ("pareto", pareto, "rrr", (1.7, 1.2, 2.5)),
    ("pareto_type_2", lambda y, m, s, a: from_upper(-a * log1p((y - m) / s)), "rrrr", (1.7, 0.3, 1.2, 2.5)),
    ("uniform", uniform, "rrr", (0.7, 0.3, 1.2)),
    ("beta", lambda t, a, b: beta_tails(a, b, t, 1 - t), "trr", (0.3, 2.5, 1.7)),
    ("beta_proportion", lambda t, m, k: beta_tails(m * k, (1 - m) * k, t, 1 - t), "ttr", (0.3, 0.4, 2.5)),
    ("bernoulli", lambda n, t: rates(t), "it", (0, 0.3)),
    ("binomial", binomial, "iit", (3, 10, 0.3)),
    ("binomial", binomial, "iit", (3000, 10000, 0.3)),
    ("beta_binomial", beta_binomial, "iirr", (3, 10, 2.5, 1.7)),
    ("neg_binomial", lambda n, a, b: beta_tails(a, n + 1, b / (1 + b), 1 / (1 + b)), "irr", (3, 2.5, 1.7)),
    ("neg_binomial_2", lambda n, m, p: beta_tails(p, n + 1, p / (m + p), m / (m + p)), "irr", (3, 2.5, 1.7)),
    ("beta_neg_binomial", beta_neg_binomial, "irrr", (3, 2.5, 1.7, 1.3)),
    ("poisson", lambda n, l: swapped(gamma_tails(n + 1, l)), "ir", (3, 2.5)),
    ("yule_simon", lambda n, a: from_upper(log(n) + lbeta(n, a + 1)), "ir", (3, 2.5)),
]

# name of a law in SCANS, arguments that grow with s
RAYS = [
    ("normal", lambda s: (s, s - 1, 1.2)),
    ("normal", lambda s: (-s, 0.3, 1.2)),
    ("student_t", lambda s: (-s, 4.5, 0.3, 1.2)),
    ("student_t", lambda s: (2 * s ** 0.5, s, 0.0, 1.2)),
    ("student_t", lambda s: (-3.0, s, 0.3, 1.2)),
    ("cauchy", lambda s: (-s, 0.3, 1.2)),
    ("logistic", lambda s: (-s, 0.3, 1.2)),
    ("gumbel", lambda s: (-s, 0.3, 1.2)),
    ("double_exponential", lambda s: (-s, 0.3, 1.2)),
    ("exp_mod_normal", lambda s: (-s, 0.3, 1.2, 0.8)),
    ("exp_mod_normal", lambda s: (0.7, 0.3, 1.2, -1 / -s)),
    ("exp_mod_normal", lambda s: (-0.7, 0.3, 1.2, s)),
    ("skew_double_exponential", lambda s: (-s, 0.3, 1.2, 0.4)),
    ("gamma", lambda s: (1.0, s, 2 * s)),
    ("gamma", lambda s: (1.0, s, 0.5 * s)),
    ("gamma", lambda s: (1.0, s, s)),
    ("gamma", lambda s: (s + 2 * s ** 0.5, s, 1.0)),
    ("chi_square", lambda s: (s, s)),
    ("inv_gamma", lambda s: (1.0, s, s)),
    ("scaled_inv_chi_square", lambda s: (1.0, s, 1.0)),
    ("scaled_inv_chi_square", lambda s: (1.0, s, 2.0)),
    ("weibull", lambda s: (1.2 * (1 + 0.7 / (1 + s)), s, 1.2)),
    ("frechet", lambda s: (1.7 * (1 + 0.7 / (1 + s)), s, 1.7)),
    ("loglogistic", lambda s: (1.7 * (1 + 0.7 / (1 + s)), 1.7, s)),
    ("pareto", lambda s: (1.7 * (1 + 0.7 / (1 + s)), 1.7, s)),
    ("uniform", lambda s: (s, 0.3 * s, 1.2 * s)),
    ("beta", lambda s: (0.5, s, s)),
    ("beta", lambda s: (0.3, 0.3 * s, 0.7 * s)),
    ("beta", lambda s: (0.3, 0.5 * s, 0.5 * s)),
    ("beta", lambda s: (2.5 / (2.5 + s), 2.5, s)),
    ("beta", lambda s: (s / (2.5 + s), s, 2.5)),
    ("beta_proportion", lambda s: (0.3, 0.3, s)),
    ("beta_proportion", lambda s: (0.3, 0.5, s)),
    ("poisson", lambda s: (whole(s), s)),
    ("poisson", lambda s: (whole(s), 2 * s)),
    ("neg_binomial", lambda s: (3, s, s / 2.5)),
    ("neg_binomial", lambda s: (whole(s), s, 1.0)),
    ("neg_binomial_2", lambda s: (3, 2.5, s)),
    ("neg_binomial_2", lambda s: (whole(s), s, 1.7)),
    ("neg_binomial_2", lambda s: (whole(s), s, s)),
    ("beta_binomial", lambda s: (3, 10, s, 2 * s)),
    ("beta_neg_binomial", lambda s: (3, s, 2 * s, s)),
    ("beta_neg_binomial", lambda s: (3, 2.5, s, 2 * s)),
    ("beta_neg_binomial", lambda s: (3, s, s, 2.5)),
    ("yule_simon", lambda s: (whole(s), 2.5)),
    ("yule_simon", lambda s: (whole(s), s)),
]

LEAST_VALUE = mpf(10) ** -290
# The ends of von Mises's period are not doubles. In the others the parameter acts through two shapes, or a shape and an argument, whose slopes cancel and leave their rounding.
LEAST_SCALE = {"von_mises": 1e-6, "scaled_inv_chi_square": 1e-6, "neg_binomial_2": 1e-6, "beta_proportion": 1e-6, "beta_neg_binomial": 2e-6}


def finite(x):
    return abs(x) < mpf(10) ** 300


def differences(law, exact, path, x):
    h = abs(x) * STEP if x != 0 else STEP
    up, down = law(*moved(exact, [path], h)), law(*moved(exact, [path], -h))
    return [(u - d) / (2 * h) for u, d in zip(up, down)]


def forms(pair, slopes):
    """name of the form, value, slopes."""
    lower = exp(pair[0]) if pair[0] > -2000 else mpf(0)
    return [("cdf", lower, [[lower * g[0] for g in s] for s in slopes]),
            ("lcdf", pair[0], [[g[0] for g in s] for s in slopes]),
            ("lccdf", pair[1], [[g[1] for g in s] for s in slopes])]


def rounding(v, exact, slopes):
    """What a few roundings of the arguments change."""
    return max(LEAST_VALUE, mpf(2) ** -50 * sum(abs(x * g) for s, a in zip(slopes, exact) for (_, x), g in zip(entries(a), s)))


def lines(ident, name, law, kinds, args):
    exact = lift(args)
    try:
        pair = law(*exact)
        if isinstance(law, Slopes):
            slopes = [[g] for g in law.slopes(*exact)]
        else:
            slopes = [[] if kind == "i" else [differences(law, exact, (j,), exact[j])] for j, kind in enumerate(kinds)]
    except (NoAnswer, ValueError, ZeroDivisionError, OverflowError, mp.libmp.NoConvergence):
        return
    for form, v, grad in forms(pair, slopes):
        if not finite(v) or not all(finite(g) for s in grad for g in s):
            continue
        least = max(LEAST_SCALE.get(name, 0), LEAST_VALUE)
        scale = [[max(abs(g), least) for g in s] for s in grad]
        yield {"id": f"{name}_{form}/{ident}", "fn": f"{name}_{form}", "kind": "scan", "source": "formula",
               "args": [typed(k.replace("m", "r"), a) for k, a in zip(kinds, args)], "result": {"type": "real", "value": shortened(v, 12)},
               "grad": [[shortened(g, 12) for g in s] if s else None for s in grad],
               "grad_scale": [shortened(max(s), 3) if s else None for s in scale],
               "tol": 1e-9, "atol": shortened(rounding(v, exact, grad), 2), "grad_tol": 1e-9}


def shortened(x, digits):
    return float("%.*g" % (digits, x))


def inside(name, args):
    if name in ("pareto", "pareto_type_2"):
        return args[0] >= args[1]
    if name in ("beta", "beta_proportion"):
        return 0 < args[0] < 1
    if name == "von_mises":
        return abs(args[0]) < 3.14
    if name == "uniform":
        return args[1] < args[0] < args[2]
    if name == "yule_simon":
        return args[0] >= 1
    return True


def cases():
    for s, (name, law, kinds, usual) in enumerate(SCANS):
        for j, kind in enumerate(kinds):
            if kind in "rt":
                points = list(enumerate(PROBABILITIES if kind == "t" else POINTS))
                for k, point in points[::2 if isinstance(law, Slopes) else 1]:
                    yield f"{s}/{j}/{k}", name, law, kinds, replaced(usual, (j,), point)
    table = {name: (law, kinds) for name, law, kinds, _ in SCANS}
    for r, (name, ray) in enumerate(RAYS):
        for k, point in enumerate(POINTS):
            yield f"ray{r}/{k}", name, *table[name], ray(point)


def main():
    only = sys.argv[1:]
    for ident, name, law, kinds, args in cases():
        if (not only or name in only) and inside(name, args):
            for row in lines(ident, name, law, kinds, args):
                print(json.dumps(row, separators=(",", ":")))
            sys.stdout.flush()


if __name__ == "__main__":
    main()
