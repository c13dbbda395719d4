"""Compares what two programs say of one model: reports of driver.cpp and interpreter.cpp."""

import json
import math

FLAGS = ("00", "10", "01", "11")
MOVED = 1 + 2.0**-46  # a factor that changes the last digits of a number
DESCRIPTION = ("model_name", "num_params", "param_names", "dims", "constrained_names", "unconstrained_names",
               "constrained_types", "unconstrained_types")


class Difference(Exception):
    def __init__(self, what, detail):
        super().__init__(f"{what}: {detail}")
        self.kind = what.split(".")[0].split(" ")[0]


def close(a, b, tolerance, scale=0.0):
    a, b = float(a), float(b)
    if math.isnan(a) or math.isnan(b):
        return math.isnan(a) and math.isnan(b)
    if math.isinf(a) or math.isinf(b):
        return a == b
    return abs(a - b) <= tolerance * max(abs(b), scale)


def error_of(value):
    return value.get("error") if isinstance(value, dict) else None


def same_outcome(what, a, b, texts):
    """True where both failed alike; with `texts` their messages are the same too."""
    wrong_a, wrong_b = error_of(a), error_of(b)
    if (wrong_a is None) != (wrong_b is None):
        raise Difference(what, f"{wrong_a or 'no error'} / {wrong_b or 'no error'}")
    if texts and wrong_a != wrong_b:
        raise Difference(what + " message", f"{wrong_a} / {wrong_b}")
    return wrong_a is not None


def numbers(what, a, b, tolerance, names=(), skip=(), scale=0.0):
    if len(a) != len(b):
        raise Difference(what, f"{len(a)} numbers / {len(b)}")
    for i, (x, y) in enumerate(zip(a, b)):
        if i not in skip and not close(x, y, tolerance, scale):
            raise Difference(what, f"{names[i] if i < len(names) else i}: {x} / {y}")


def largest(values):
    return max((abs(float(x)) for x in values if math.isfinite(float(x))), default=0.0)


def gradient_scale(gradient):
    """Of comparisons: terms may cancel to nothing but rounding."""
    return max(largest(gradient), 1e-3)


def variable_of(column):
    return column.split(".")[0]


def holds_ints(kind):
    return holds_ints(kind["element_type"]) if kind["name"] == "array" else kind["name"] == "int"


def int_variables(report):
    return {t["name"] for t in json.loads(report["constrained_types"]) if holds_ints(t["type"])}


def random_places(report, flags):
    """Positions of values that differ between seeds, and all elements of an array of ints that has such: small ints may
    be drawn alike by chance."""
    places = set()
    for point in report["points"]:
        runs = [draw[flags]["values"] for draw in point["write_array"] if error_of(draw[flags]) is None]
        places |= {i for i, drawn in enumerate(zip(*runs)) if any(x != drawn[0] for x in drawn)}
    variables = [variable_of(column) for column in report["constrained_names"][flags]]
    wholes = {variables[i] for i in places} & int_variables(report)
    return places | {i for i, variable in enumerate(variables) if variable in wholes}


def moved(report, point, what):
    """What the model says at a point, and where its parameters differ in their last digits; None if it does not."""
    points = len(report["points"])
    if len(report["inits"]) != 2 * points or any(error_of(at) for at in report["inits"]):
        return None
    pair = [report["inits"][k][what] for k in (point, points + point)]
    return None if any(error_of(one) for one in pair) else pair


def unstable_variables(report, point, tolerance):
    """Variables with values that change with the last digits of the parameters: rounding decides them."""
    pair = moved(report, point, "write_array")
    if not pair:
        return set()
    here, there = (one["values"] for one in pair)
    scale = largest(here) * 1e-3
    names = report["constrained_names"]["11"]
    return {variable_of(name) for name, x, y in zip(names, there, here) if not close(x, y, tolerance, scale)}


def unstable_gradient(report, point, tolerance):
    pair = moved(report, point, "gradient")
    if not pair:
        return False
    here, there = (one["grad"] for one in pair)
    return any(not close(x, y, tolerance, gradient_scale(here)) for x, y in zip(there, here))


def decided_by_rounding(report, tolerance):
    """What is not compared with another implementation of the same functions, in words."""
    points = range(len(report.get("points", ())))
    names = sorted({name for k in points for name in unstable_variables(report, k, tolerance)})
    return names + (["gradient"] if any(unstable_gradient(report, k, tolerance) for k in points) else [])


def not_compared(a, b, point, flags, tolerance):
    """Positions of values that chance or rounding decides."""
    unstable = unstable_variables(a, point, tolerance)
    rounded = {i for i, name in enumerate(a["constrained_names"][flags]) if variable_of(name) in unstable}
    return random_places(a, flags) | random_places(b, flags) | rounded


def same_description(a, b):
    for key in DESCRIPTION:
        if a[key] == b[key]:
            continue
        if not isinstance(a[key], dict):
            raise Difference("names." + key, f"{a[key]} / {b[key]}")
        for flags in FLAGS:
            if a[key][flags] != b[key][flags]:
                raise Difference(f"names.{key} {flags}", first_unlike(a[key][flags], b[key][flags]))


def first_unlike(a, b):
    for i, (x, y) in enumerate(zip(a, b)):
        if x != y:
            return f"{i}: {x} / {y}"
    return f"{len(a)} entries / {len(b)}"


def compile_info(report):
    info = report["compile_info"]
    if len(info) != 2 or not info[0].startswith("stanc_version = ") or not info[1].startswith("stancflags = "):
        raise Difference("names.compile_info", str(info))


def overloads(report):
    """Members that take std::vector give what those for Eigen give."""
    for k, point in enumerate(report["points"]):
        arrays = point["arrays"]
        if arrays["log_prob"] != point["log_prob"]:
            raise Difference("overloads log_prob", f"point {k}")
        for flags in FLAGS:
            gradient = point["gradient"][flags]
            if error_of(gradient) is None and arrays["var_log_prob"][flags] != gradient["lp"]:
                raise Difference("overloads var log_prob", f"point {k}")
        if arrays["write_array"] != point["write_array"][0]:
            raise Difference("overloads write_array", f"point {k}")
        if arrays["unconstrain_array"] != point["unconstrain_array"]:
            raise Difference("overloads unconstrain_array", f"point {k}")
    for at, array in zip(report["inits"], report["inits_arrays"]):
        if error_of(at) is None and at["theta"] != array:
            raise Difference("overloads transform_inits", f"{at['theta']} / {array}")


def what_is_dropped(a, b, flags, tolerance):
    """Between the densities of two reports at their first point, one number for all points; what a solver's tolerance explains is
    no such number."""
    x, y = a["points"][0]["gradient"][flags], b["points"][0]["gradient"][flags]
    if error_of(x) is not None or error_of(y) is not None:
        return 0.0
    gap = float(x["lp"]) - float(y["lp"])
    return gap if tolerance * abs(float(y["lp"])) < abs(gap) < math.inf else 0.0


def same_densities(a, b, k, tolerance, double_flags, texts, optimised=False):
    """Optimised texts see more data, and drop more where constants may go."""
    at, bt = a["points"][k], b["points"][k]
    rounded = not texts and unstable_gradient(a, k, tolerance)
    for flags in double_flags:
        what = f"values.log_prob double {flags} point {k}"
        x, y = at["log_prob"][flags], bt["log_prob"][flags]
        if not same_outcome(what, x, y, texts):
            numbers(what, [x], [y], tolerance, scale=1e-3)
    for flags in FLAGS:
        x, y = at["gradient"][flags], bt["gradient"][flags]
        what = f"values.gradient {flags} point {k}"
        if same_outcome(what, x, y, texts):
            continue
        if not rounded:
            numbers(what, x["grad"], y["grad"], tolerance, scale=gradient_scale(y["grad"]))
        what = f"{'propto' if flags[0] == '1' else 'values'}.log_prob var {flags} point {k}"
        dropped = what_is_dropped(a, b, flags, tolerance) if optimised and flags[0] == "1" else 0.0
        numbers(what, [float(x["lp"]) - dropped], [y["lp"]], tolerance, scale=max(1e-3, abs(dropped)))


def same_draws(a, b, k, tolerance, skip_random, texts):
    for flags in FLAGS:
        x, y = a["points"][k]["write_array"][0][flags], b["points"][k]["write_array"][0][flags]
        what = f"values.write_array {flags} point {k}"
        if same_outcome(what, x, y, texts) and skip_random:
            continue  # how much was written before the error is not the same question
        skip = not_compared(a, b, k, flags, tolerance) if skip_random else ()
        numbers(what, x["values"], y["values"], tolerance, a["constrained_names"][flags], skip, largest(y["values"]) * 1e-3)


def same_free(a, b, k, tolerance, texts):
    x, y = a["points"][k]["unconstrain_array"], b["points"][k]["unconstrain_array"]
    if not same_outcome(f"values.unconstrain_array point {k}", x, y, texts):
        numbers(f"values.unconstrain_array point {k}", x, y, tolerance, scale=1)


def same_directions(report):
    """Builds with second derivatives: the density and its slope along cos(i) are what the gradient says."""
    for k, point in enumerate(report["points"]):
        for flags in FLAGS if "second_order" in point else ():
            second, first = point["second_order"][flags], point["gradient"][flags]
            what = f"hessian {flags} point {k}"
            if same_outcome(what, second, first, False):
                continue
            slope = sum(float(g) * math.cos(i) for i, g in enumerate(first["grad"]))
            numbers(what + " lp, slope", [second["lp"], second["slope"]], [first["lp"], slope], 1e-8,
                    scale=max(1e-3, largest(first["grad"])))


def same_products(a, b, k, tolerance):
    """Hessians of two builds."""
    for flags in FLAGS if "second_order" in a["points"][k] and "second_order" in b["points"][k] else ():
        x, y = a["points"][k]["second_order"][flags], b["points"][k]["second_order"][flags]
        if not same_outcome(f"hessian {flags} point {k}", x, y, True):
            numbers(f"hessian {flags} point {k}", x["product"], y["product"], tolerance, scale=largest(y["product"]))


def top_level(a, b, texts):
    return same_outcome("bind", a, b, texts)


def random_data(report):
    """The density under other random numbers in transformed data is another one."""
    return report["points"] and report["other_data"] != report["points"][0]["log_prob"]["01"]


def at_inits(a, b, tolerance):
    """Constrained values read from JSON, against the points of b that they came from."""
    for k, at in enumerate(a["inits"][:len(b["points"])]):
        if error_of(at) is not None:
            raise Difference(f"inits.transform_inits point {k}", error_of(at))
        there = b["points"][k]
        if not same_outcome(f"inits.log_prob point {k}", at["log_prob"], there["log_prob"]["00"], False):
            numbers(f"inits.log_prob point {k}", [at["log_prob"]], [there["log_prob"]["00"]], tolerance, scale=1e-3)
        x, y = at["write_array"], there["write_array"][0]["11"]
        if error_of(x) is None and error_of(y) is None:
            skip = not_compared(a, b, k, "11", tolerance)
            numbers(f"inits.write_array point {k}", x["values"], y["values"], tolerance, a["constrained_names"]["11"], skip,
                    largest(y["values"]) * 1e-3)


def with_interpreter(emitted, interpreted, tolerance, other_simplex, optimised):
    """Emitted text against the interpreter: other random numbers, other messages, perhaps another map of simplexes."""
    if top_level(emitted, interpreted, False):
        return
    same_description(emitted, interpreted)
    compile_info(emitted)
    overloads(emitted)
    same_directions(emitted)
    if random_data(emitted):
        return
    if emitted["prints"] != interpreted["prints"]:
        raise Difference("prints", f"{emitted['prints']!r} / {interpreted['prints']!r}")
    at_inits(emitted, interpreted, tolerance)
    for k in range(0 if other_simplex else len(emitted["points"])):
        same_densities(emitted, interpreted, k, tolerance, ("00", "01"), False, optimised)
        same_draws(emitted, interpreted, k, tolerance, True, False)
        same_free(emitted, interpreted, k, tolerance, False)
        for at, there in zip(emitted["inits"], interpreted["inits"]):
            if not same_outcome("inits.theta", at, there, False):
                numbers("inits.theta", at["theta"], there, tolerance, scale=1)


def with_reference(emitted, reference, tolerance):
    """Two emitted texts under the same headers: random numbers and messages are the same too."""
    if top_level(emitted, reference, True):
        return
    same_description(emitted, reference)
    if emitted["prints"] != reference["prints"]:
        raise Difference("prints", f"{emitted['prints']!r} / {reference['prints']!r}")
    for k in range(len(emitted["points"])):
        same_densities(emitted, reference, k, tolerance, FLAGS, True)
        same_draws(emitted, reference, k, tolerance, False, True)
        same_products(emitted, reference, k, tolerance)
        same_free(emitted, reference, k, tolerance, True)
        if emitted["points"][k]["write_array_prints"] != reference["points"][k]["write_array_prints"]:
            raise Difference("prints.write_array", f"point {k}")
    for at, there in zip(emitted["inits"], reference["inits"]):
        if not same_outcome("inits.transform_inits", at, there, True):
            numbers("inits.transform_inits", at["theta"], there["theta"], tolerance, scale=1)


# Constrained values as JSON.


def build_value(kind, take, array=()):
    """A value of the type, `take()` giving its numbers in output order."""
    if kind["name"] == "array":
        return build_value(kind["element_type"], take, (*array, kind["length"]))
    inner = {"vector": ("length",), "matrix": ("rows", "cols"), "complex_vector": ("length",),
             "complex_matrix": ("rows", "cols")}.get(kind["name"], ())
    if kind["name"] == "tuple":
        return first_index_fastest(array, lambda: {str(i): build_value(slot, take)
                                                   for i, slot in enumerate(kind["element_types"], 1)})
    leaf = (lambda: [take(), take()]) if kind["name"].startswith("complex") else take
    return first_index_fastest((*array, *(kind[size] for size in inner)), leaf)


def first_index_fastest(dims, leaf):
    values = {}
    for flat in range(math.prod(dims)):
        index, rest = [], flat
        for size in dims:
            index.append(rest % size)
            rest //= size
        values[tuple(index)] = leaf()
    return nested(dims, (), values)


def nested(dims, index, values):
    if len(index) == len(dims):
        return values[index]
    return [nested(dims, (*index, i), values) for i in range(dims[len(index)])]


def parameters_as_json(report, point, factor=1.0):
    values = (float(x) * factor for x in report["points"][point]["write_array"][0]["00"]["values"])
    types = json.loads(report["constrained_types"])
    return {t["name"]: build_value(t["type"], lambda: next(values)) for t in types if t["block"] == "parameters"}
