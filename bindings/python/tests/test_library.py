"""The binding beside the header, loading, owning."""

import gc
import os
import re
import resource
import subprocess
import sys

import pytest

import fermiac
from conftest import ROOT
from fermiac import _find_library, _library

HEADER = (ROOT / "bindings" / "c" / "fermiac.h").read_text()


def test_the_number_of_the_interface_is_the_header_s():
    assert _find_library.ABI == int(re.search(r"#define FERMIAC_ABI (\d+)", HEADER).group(1))


@pytest.mark.parametrize("name", _library._FUNCTIONS)
def test_functions_have_as_many_arguments_as_in_the_header(name):
    declared = re.search(rf"FERMIAC_API [^;(]*\bfermiac_{name}\(([^;]*)\);", HEADER).group(1)
    arguments = [] if declared.strip() == "void" else declared.split(",")
    assert len(arguments) == len(_library._FUNCTIONS[name][1])


@pytest.mark.parametrize("name, structure", [("row", _library.Row), ("run_callbacks", _library.RunCallbacks)])
def test_structures_have_the_members_of_the_header(name, structure):
    body = re.search(rf"typedef struct fermiac_{name} \{{(.*?)\n\}} fermiac_{name};", HEADER, re.DOTALL).group(1)
    text = re.sub(r"/\*.*?\*/", "", body, flags=re.DOTALL)
    text = re.sub(r"\(\*(\w+)\)\(.*?\)", r"\1", text, flags=re.DOTALL)  # pointers to functions
    assert re.findall(r"(\w+)\s*;", text) == [field for field, _ in structure._fields_]


def test_a_library_that_is_not_there_is_named():
    env = {**os.environ, "FERMIAC_LIBRARY": "/nowhere/libfermiac.so", "PYTHONPATH": str(ROOT / "bindings" / "python")}
    done = subprocess.run([sys.executable, "-c", "import fermiac"], env=env, capture_output=True, text=True)
    assert "LibraryError: libfermiac could not be loaded:\n  /nowhere/libfermiac.so" in done.stderr
    assert done.stderr.rstrip().endswith("The environment variable FERMIAC_LIBRARY may name the file.")


def test_objects_come_and_go():
    def live():
        bound = fermiac.Model(code='parameters { real x; } model { x ~ normal(0, 1); print("."); }').bind({})
        return bound, fermiac.Rng(1)

    for _ in range(200):
        live()
    gc.collect()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(3000):
        live()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 8 * 1024  # KiB
