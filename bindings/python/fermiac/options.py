"""Options of every method as the library lists them (`fermiac_methods_json`), hyphens as underscores. Signatures and documentation
come from them, and for type checkers options.pyi, which tests/test_options.py compares with them; the library checks values."""

from __future__ import annotations

import json
from typing import Mapping, NamedTuple

from fermiac._library import library


class Option(NamedTuple):
    type: str
    about: str


class Method(NamedTuple):
    about: str
    options: Mapping[str, Option]


# What this package knows and the library does not.
OWN = {
    "stop": Option("Optional[threading.Event]", "set it, from any thread, and the run ends and keeps what it has"),
    "progress": Option("Optional[bool]", "one line that is updated (default: in terminals and notebooks)"),
    "on_draw": Option("Callable[[int, int, Any], None]", "is called with chain, index and the row of every draw"),
}
_ONLY_OF_SAMPLE = ("keep", "on_draw")  # rows of other methods are always kept
_TYPES = {"flag": "bool", "whole": "int", "real": "float", "text": "str", "file": "Path", "values": "Any"}


def _type(row: Mapping[str, object]) -> str:
    words = ", ".join(f'"{word}"' for word in row["words"])
    others = _TYPES.get(row["kind"])
    return f"Union[{others}, Literal[{words}]]" if words and others else f"Literal[{words}]" if words else others


def _method(name: str, described: Mapping[str, object]) -> Method:
    # What is required is an argument of the function.
    rows = {row["name"]: Option(_type(row), row["about"]) for row in described["options"] if not row["required"]}
    return Method(described["about"], {k: v for k, v in {**rows, **OWN}.items() if name == "sample" or k not in _ONLY_OF_SAMPLE})


# By the names that the library has for the methods.
METHODS: Mapping[str, Method] = {n: _method(n, described) for n, described in json.loads(library().methods_json()).items()}
