"""Values of Python as JSON in the shape of Stan's data: numpy arrays, pandas columns, tuples, complex numbers."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from fermiac.errors import DataError

_WORDS = {math.inf: "Infinity", -math.inf: "-Infinity"}


def to_json(value: Any, what: str = "data") -> bytes:
    """A text for the library. Raises DataError, which says where in `what` something has no counterpart in Stan."""
    return json.dumps(plain(value, what), allow_nan=False).encode()


def plain(value: Any, what: str) -> Any:
    """Made of dicts, lists, strings and finite numbers alone. A tuple of Python is a tuple of Stan; strings are left alone in
    options only (`plain_option`)."""
    if isinstance(value, (bool, np.bool_)):
        return int(value)
    if isinstance(value, (int, np.integer)):
        return int(value)
    if isinstance(value, (float, np.floating)):
        return _number(float(value))
    if isinstance(value, (complex, np.complexfloating)):
        return [_number(float(value.real)), _number(float(value.imag))]
    if isinstance(value, Mapping):
        return {variable_name(k, what): plain(v, f"{what}[{k!r}]") for k, v in value.items()}
    if isinstance(value, tuple):
        return {str(i): plain(v, f"{what}[{i - 1}]") for i, v in enumerate(value, 1)}
    if isinstance(value, (list, range)):
        return [plain(v, f"{what}[{i}]") for i, v in enumerate(value)]
    if isinstance(value, np.ndarray):
        return _array(value, what)
    if hasattr(value, "to_numpy"):  # pandas, polars, xarray
        return _array(np.asarray(value.to_numpy()), what)
    if hasattr(value, "__array__"):
        return _array(np.asarray(value), what)
    raise DataError(f"{what} is {_shown(value)}, but must be a number, or an array, list, tuple or dict of numbers")


def plain_option(value: Any, what: str) -> Any:
    """The value of an option: as above, also words, paths, True, False, and lists and tuples of them."""
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    if isinstance(value, (list, tuple)):
        return [plain_option(v, f"{what}[{i}]") for i, v in enumerate(value)]
    return plain(value, what)


def as_lists(value: Any) -> Any:
    """Tuples as lists, for what has no tuples in Stan."""
    return [as_lists(v) for v in value] if isinstance(value, (list, tuple)) else value


def _array(value: np.ndarray, what: str) -> Any:
    if isinstance(value, np.ma.MaskedArray) and value.mask.any():
        raise DataError(f"{what} has {int(value.mask.sum())} masked elements, but must have a number everywhere")
    if value.dtype.kind == "c":
        return _array(np.stack([value.real, value.imag], axis=-1), what)
    if value.dtype.kind in "biu":
        return (value.astype(np.int64) if value.dtype.kind == "b" else value).tolist()
    if value.dtype.kind == "f":
        numbers = value.astype(np.float64).tolist()
        return numbers if np.isfinite(value).all() else _finite(numbers)
    if value.dtype.kind == "O":
        return plain(value.tolist(), what)
    raise DataError(f"{what} is an array of {value.dtype}, but must be an array of numbers")


def _finite(numbers: Any) -> Any:
    return [_finite(x) for x in numbers] if isinstance(numbers, list) else _number(numbers)


def _number(x: float) -> Any:
    if math.isfinite(x):
        return x
    return _WORDS.get(x, "NaN")


def variable_name(key: Any, what: str) -> str:
    """The key, if it may be the name of a variable of `what`."""
    if isinstance(key, str):
        return key
    raise DataError(f"a key of {what} is {_shown(key)}, but must be the name of a variable")


def _shown(value: Any) -> str:
    text = repr(value)
    return f"{text if len(text) <= 60 else text[:57] + '...'} ({type(value).__name__})"
