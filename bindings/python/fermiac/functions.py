"""Functions of a program, called by their names."""

from __future__ import annotations

import ctypes
import json
import re
from typing import Any, Optional, Union

from fermiac._json import to_json
from fermiac._library import Handle, library
from fermiac._stan_types import StanType, from_json, parse_type
from fermiac._text_out import print_to_stdout
from fermiac.errors import ArgumentError
from fermiac.rng import Rng, rng_pointer

_ORDER = ("int", "real", "complex", "tuple")


class Functions:
    """`model.functions`: the functions of the functions block, `model.functions.f(1, [2, 3])`. Those whose names Python does
    not allow are items, and so is one of several with the same name: `model.functions["f(int, vector)"]`."""

    def __init__(self, program: Handle) -> None:
        self._program = program
        self.signatures: tuple[str, ...] = tuple(json.loads(library().program_functions_json(program.pointer)))

    def __getattr__(self, name: str) -> "Function":
        if name.startswith("__"):
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError as error:
            raise AttributeError(error.args[0]) from None

    def __getitem__(self, name: str) -> "Function":
        bare = name.split("(")[0].strip()
        overloads = [s for s in self.signatures if s.split("(")[0] == bare]
        if not overloads:
            known = ", ".join(self) or "none"
            raise KeyError(f"the program has no function {bare!r} that can be called; there are {known}")
        return Function(self._program, name, tuple(overloads))

    def __iter__(self):
        return iter(dict.fromkeys(s.split("(")[0] for s in self.signatures))

    def __len__(self) -> int:
        return len(list(iter(self)))

    def __dir__(self):
        return [*super().__dir__(), *self]

    def __repr__(self) -> str:
        return "\n".join(["Functions:", *("  " + s for s in self.signatures)])


class Function:
    """One name; arguments by position or by name. `rng`: for functions that end in _rng, a generator or a seed."""

    def __init__(self, program: Handle, name: str, overloads: tuple[str, ...]) -> None:
        self._program = program
        self._name = name
        self._results = {s.partition(") => ")[2] for s in _named(name, overloads)}
        self.__name__ = name
        self.__doc__ = "\n".join(overloads)

    def __call__(self, *args: Any, rng: Optional[Union[Rng, int]] = None, **named: Any) -> Any:
        if args and named:
            raise ArgumentError(f"{self._name}: arguments are given by position or by name, not both")
        arguments = to_json(named if named else list(args), f"{self._name}: arguments")
        generator, pointer = rng_pointer(rng)
        out, lib, printer = ctypes.c_void_p(), library(), print_to_stdout()
        lib.checked(
            "call", self._program.pointer, self._name.encode(), arguments, pointer, printer, None, ctypes.byref(out)
        )
        try:
            return self._value(json.loads(ctypes.string_at(out.value or 0)))
        finally:
            lib.string_free(out)

    def _value(self, result: Any) -> Any:
        if result is None:
            return None
        if len(self._results) == 1:
            return from_json(parse_type(next(iter(self._results))), result)
        return from_json(_type_of(result, self._results), result)

    def __repr__(self) -> str:
        return self.__doc__ or self._name


def _named(name: str, overloads: tuple[str, ...]) -> tuple[str, ...]:
    """The overloads that a name means: all, or the one whose types it has."""
    types = name.partition("(")[2].rstrip(") ")
    found = tuple(s for s in overloads if types and _spaceless(_argument_types(s)) == _spaceless(types))
    return found or overloads


def _argument_types(signature: str) -> str:
    """"int,vector" of "f(int n, vector x) => real"."""
    arguments = signature.partition(") => ")[0].partition("(")[2]
    return re.sub(r"(\S) +\w+ *(?=,|$)", r"\1", arguments)


def _spaceless(text: str) -> str:
    return "".join(text.split())


def _type_of(result: Any, candidates: set[str]) -> StanType:
    """Of several results the one that the JSON has the shape of: whole numbers before others, [1, 2] as a vector before a
    complex number. Where that is not what was meant, the name with types says it."""
    types = sorted((parse_type(c) for c in candidates if c != "void"), key=lambda t: _ORDER.index(t.base))
    return next((t for t in types if _fits(t, result)), types[-1])


def _fits(type: StanType, result: Any) -> bool:
    if type.base == "tuple":
        return isinstance(_innermost(result), dict)
    depth = len(type.dims) + (type.base == "complex")
    return _depth(result) == depth and (type.base != "int" or _all_int(result))


def _innermost(value: Any) -> Any:
    while isinstance(value, list) and value:
        value = value[0]
    return value


def _depth(value: Any) -> int:
    depth = 0
    while isinstance(value, list):
        depth, value = depth + 1, value[0] if value else None
    return depth


def _all_int(value: Any) -> bool:
    return all(map(_all_int, value)) if isinstance(value, list) else isinstance(value, int)
