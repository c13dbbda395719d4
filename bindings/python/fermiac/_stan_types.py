"""Types of Stan as the library writes them, "array[2] tuple(real, vector[3])", "array[,] int", and where their numbers lie."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any, Callable, Iterator

import numpy as np

_TOKEN = re.compile(r"\s*(\w+|[\[\](),])")
_UNKNOWN = -1
_RANKS = {"vector": 1, "row_vector": 1, "matrix": 2}


@dataclass(frozen=True)
class StanType:
    """`dims`: sizes of arrays, then of vectors and matrices; -1 where the text has none."""

    base: str  # "int", "real", "complex", "tuple", "void"
    array_rank: int
    dims: tuple[int, ...]
    slots: tuple["StanType", ...] = ()

    @property
    def size(self) -> int:
        """How many numbers a value has."""
        elements = math.prod(self.dims)
        if self.base == "tuple":
            return elements * sum(slot.size for slot in self.slots)
        return elements * (2 if self.base == "complex" else 1)


def parse_type(text: str) -> StanType:
    """Raises ValueError where the text is none."""
    tokens = iter([*_TOKEN.findall(text), ""])
    found, rest = _parse(next(tokens), tokens)
    if rest:
        raise ValueError(f"{rest!r} after the type in {text!r}")
    return found


def _parse(word: str, tokens: Iterator[str]) -> tuple[StanType, str]:
    """The type that begins with `word`, and the first token behind it."""
    array: list[int] = []
    if word == "array":
        next(tokens)
        array = _sizes(tokens)
        word = next(tokens)
    if word == "tuple":
        slots = []
        token = next(tokens)
        while token in ("(", ","):
            slot, token = _parse(next(tokens), tokens)
            slots.append(slot)
        return StanType("tuple", len(array), tuple(array), tuple(slots)), next(tokens)
    name = word[len("complex_") :] if word.startswith("complex_") else word
    inner = [_UNKNOWN] * _RANKS.get(name, 0)
    token = next(tokens)
    if token == "[":
        inner = _sizes(tokens)
        token = next(tokens)
    base = "complex" if word.startswith("complex") else "real" if name in _RANKS else word
    return StanType(base, len(array), tuple(array + inner)), token


def _sizes(tokens: Iterator[str]) -> list[int]:
    """What stands between brackets, of which the first was read."""
    sizes = [_UNKNOWN]
    for token in tokens:
        if token == "]":
            return sizes
        if token == ",":
            sizes.append(_UNKNOWN)
        else:
            sizes[-1] = int(token)
    raise ValueError("a bracket has no end")


def positions(type: StanType, first: Any = 0) -> Any:
    """Which numbers make a value, as the library orders them: column-major over dimensions, tuples slot by slot, real and
    imaginary parts side by side. An array of positions in the shape of the value, for tuples a tuple of them."""
    first = np.asarray(first, dtype=np.intp)
    elements = np.arange(math.prod(type.dims), dtype=np.intp).reshape(type.dims, order="F")
    begins = first.reshape(first.shape + (1,) * elements.ndim)
    if type.base == "complex":
        return (begins + 2 * elements)[..., None] + np.arange(2)
    if type.base != "tuple":
        return begins + elements
    begins = begins + elements * sum(slot.size for slot in type.slots)
    out, before = [], 0
    for slot in type.slots:
        out.append(positions(slot, begins + before))
        before += slot.size
    return tuple(out)


def take(type: StanType, numbers: np.ndarray, where: Any) -> Any:
    """Values at `positions` of the last dimension, as int64, float64 or complex128; the other dimensions come first."""
    if type.base == "tuple":
        return tuple(take(slot, numbers, at) for slot, at in zip(type.slots, where))
    found = numbers[..., where]
    if type.base == "complex":
        found = np.ascontiguousarray(found).view(np.complex128)[..., 0]
    elif type.base == "int" and np.isfinite(found).all():
        found = found.astype(np.int64)
    return found[()]  # a scalar where there are no dimensions


def elementwise(type: StanType, value: Any) -> Any:
    """A value as `take` gives it, as data: arrays of tuples, which are tuples of arrays here, become lists of tuples."""
    if type.base != "tuple" or not isinstance(value, tuple):
        return value
    if not type.array_rank:
        return tuple(elementwise(slot, v) for slot, v in zip(type.slots, value))
    return [elementwise(_element(type), _at(value, i)) for i in range(type.dims[0])]


def _at(value: Any, i: int) -> Any:
    return tuple(_at(v, i) for v in value) if isinstance(value, tuple) else value[i]


def scalars_of(type: StanType) -> Callable[[Any], Any]:
    """What makes a scalar of one number in JSON."""
    makers: dict[str, Callable[[Any], Any]] = {"int": int, "real": float, "complex": lambda p: complex(float(p[0]), float(p[1]))}
    return makers[type.base]


def from_json(type: StanType, value: Any) -> Any:
    """A value of a type without sizes: numbers, arrays, tuples, lists of tuples."""
    if type.base == "tuple":
        if type.array_rank:
            return [from_json(_element(type), v) for v in value]
        return tuple(from_json(slot, value[str(i)]) for i, slot in enumerate(type.slots, 1))
    if not type.dims:
        return scalars_of(type)(value)
    dtype = {"int": np.int64, "real": np.float64, "complex": np.float64}[type.base]
    array = np.array(value, dtype=dtype)
    rank = len(type.dims) + (type.base == "complex")
    if array.ndim < rank:  # nothing in it, so that JSON has fewer levels
        array = array.reshape(array.shape + (0,) * (len(type.dims) - array.ndim) + (2,) * (type.base == "complex"))
    return np.ascontiguousarray(array).view(np.complex128)[..., 0] if type.base == "complex" else array


def _element(type: StanType) -> StanType:
    return StanType(type.base, type.array_rank - 1, type.dims[1:], type.slots)
