"""Variables of a model, and their values among the columns of a table."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Dict, Iterable, Sequence

import numpy as np

from fermiac._stan_types import StanType, parse_type, positions, take
from fermiac.errors import ArgumentError


@dataclass(frozen=True)
class Variable:
    """A declared variable. Its numbers are [first, first + count) of all that the program declares."""

    name: str
    type: str  # with sizes: "array[2] vector[3]"
    block: str  # "parameters", "transformed parameters" or "generated quantities"
    first: int
    count: int

    @property
    def dims(self) -> tuple[int, ...]:
        """The shape of a value; of tuples the dimensions of arrays alone."""
        return parse_type(self.type).dims


def variables_of(info: bytes) -> tuple[Variable, ...]:
    """From fermiac_model_info_json."""
    fields = tuple(Variable.__dataclass_fields__)
    return tuple(Variable(**{field: v[field] for field in fields}) for v in json.loads(info)["variables"])


class Layout:
    """Which of `variables` have a place among `columns`, and where. `names` are those of all their numbers."""

    def __init__(self, variables: Iterable[Variable], names: Sequence[str], columns: Sequence[str]) -> None:
        self.columns = tuple(columns)
        where = {name: i for i, name in enumerate(columns)}
        self._found: dict[str, tuple[StanType, int]] = {}
        for v in variables:
            at = where.get(names[v.first]) if v.count else 0
            if at is not None:
                self._found[v.name] = (parse_type(v.type), at)

    @cached_property
    def lead(self) -> tuple[str, ...]:
        """Columns that belong to no variable: lp__ and the sampler's."""
        taken = {i for type, at in self._found.values() for i in range(at, at + type.size)}
        return tuple(name for i, name in enumerate(self.columns) if i not in taken)

    def __iter__(self):
        return iter(self._found)

    def __contains__(self, name: object) -> bool:
        return name in self._found

    def take(self, name: str, rows: np.ndarray) -> Any:
        """The values of a variable; its own dimensions come after those of `rows` but the last."""
        if name in self._found:
            type, at = self._found[name]
            return take(type, rows, positions(type, at))
        if name in self.columns:
            return rows[..., self.columns.index(name)]
        raise KeyError(f"no variable {name!r}; there are {', '.join([*self._found, *self.lead])}")

    def dict(self, rows: np.ndarray) -> Dict[str, Any]:
        """All variables."""
        return {name: self.take(name, rows) for name in self}


def pretty_name(name: str) -> str:
    """"theta.1.2" of a table's header as a program writes it, "theta[1,2]"; slots of tuples follow dots."""
    out = []
    for part in name.split(":"):
        head, *indices = part.split(".")
        numbers = [i for i in indices if i.isdigit()]
        rest = "".join("." + i for i in indices if not i.isdigit())
        out.append(head + (f"[{','.join(numbers)}]" if numbers else "") + rest)
    return ".".join(out)


def as_points(value: Any, n: int, what: str) -> np.ndarray:
    """Numbers [..., n], contiguous. Raises ArgumentError, which names `what`."""
    try:
        if value is None:
            raise TypeError("it is None")
        points = np.asarray(value, dtype=np.float64, order="C")
    except (TypeError, ValueError) as error:
        raise ArgumentError(f"{what} must be numbers: {error}") from None
    if points.ndim == 0 or points.shape[-1] != n:
        raise ArgumentError(f"{what} has shape {np.shape(value)}, but the last dimension must be {n}")
    return points
