"""The options: signatures, documentation and options.pyi have those of the library. FERMIAC_UPDATE_GOLDENS=1 writes options.pyi."""

import inspect
import json
import os
import re

import pytest

import fermiac
from conftest import ROOT
from fermiac._library import library
from fermiac._signatures import add_methods
from fermiac.options import METHODS, OWN

STUB = ROOT / "bindings" / "python" / "fermiac" / "options.pyi"
HEAD = '''"""Options of every method, for type checkers. Made by tests/test_options.py with FERMIAC_UPDATE_GOLDENS=1; do not edit."""

import os
import threading
from typing import Any, Callable, Literal, Mapping, NamedTuple, Optional, TypedDict, Union

Path = Union[str, "os.PathLike[str]"]

class Option(NamedTuple):
    type: str
    about: str

class Method(NamedTuple):
    about: str
    options: Mapping[str, Option]

OWN: Mapping[str, Option]
METHODS: Mapping[str, Method]
'''


def stub():
    text = HEAD
    for name, method in METHODS.items():
        text += f"\nclass {name.capitalize()}Options(TypedDict, total=False):\n"
        text += "".join(f"    {n}: {option.type}  # {option.about}\n" for n, option in method.options.items())
    return text


def test_the_stub_for_type_checkers_is_fresh():
    if "FERMIAC_UPDATE_GOLDENS" in os.environ:
        STUB.write_text(stub())
    assert STUB.read_text() == stub(), "make it again: FERMIAC_UPDATE_GOLDENS=1 bindings/python/run_tests -k stub"


def known_to_the_library(normal, method):
    from fermiac._runner import execute

    with pytest.raises(fermiac.ArgumentError) as caught:
        execute(normal._handle, method, {"fitted": ["x"], "mode": {}, "no such option": 1})
    names = re.search("its options are (.*)", str(caught.value)).group(1).split(", ")
    return {n.replace("-", "_") for n in names}


@pytest.mark.parametrize("method", METHODS)
def test_the_table_has_what_the_library_takes(normal, method):
    table = {row["name"] for row in json.loads(library().methods_json())[method]["options"]}
    assert table == known_to_the_library(normal, method) - {"method"}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kind", [fermiac.Model, fermiac.BoundModel])
def test_signatures_and_documents_have_every_option(kind, method):
    function = getattr(kind, method)
    parameters = inspect.signature(function).parameters
    rows = json.loads(library().methods_json())[method]["options"]
    assert set(OWN) <= {*METHODS["sample"].options}
    for row in rows:
        if not row["required"] and (row["name"] != "keep" or method == "sample"):
            assert row["name"] in parameters and f"    {row['name']}: {row['about']}\n" in function.__doc__


def test_a_method_that_the_package_does_not_know():
    class Empty:
        pass

    add_methods(Empty, lambda name: lambda self, **options: (name, options))
    assert Empty().pathfinder(draws=3) == ("pathfinder", {"draws": 3})
    assert "num_paths" in inspect.signature(Empty.pathfinder).parameters
    assert Empty.pathfinder.__doc__.startswith("Approximate the posterior")


def test_every_method_is_a_method_of_both():
    for method in METHODS:
        assert callable(getattr(fermiac.Model, method)) and callable(getattr(fermiac.BoundModel, method))


@pytest.mark.parametrize(
    "options, says",
    [
        ({"chain": 4}, "no option 'chain'; its options are .*chains"),
        ({"chains": 0}, "chains is 0, but must be a whole number from 1"),
        ({"chains": 1.5}, "chains is 1.5"),
        ({"adapt_delta": 2}, "adapt.delta is 2"),
        ({"metric": "round"}, "low_rank, fisher_diag, diag_e, dense_e or unit_e"),
        ({"seed": -1}, "seed is -1"),
        ({"save_warmup": 3}, "save.warmup"),
        ({"init": -1}, "init"),
        ({"samples": "many"}, "samples"),
        ({"stop": 3}, "stop is 3, but must be a threading.Event"),
        ({"on_draw": 3}, "on_draw is 3"),
    ],
)
def test_wrong_options_are_named(normal, options, says):
    with pytest.raises(fermiac.ArgumentError, match=says):
        normal.sample(**options)
