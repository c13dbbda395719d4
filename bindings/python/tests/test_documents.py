"""What is written about the package: the tour's sessions, the notebooks' cells."""

import ast
import doctest
import json

import pytest

import fermiac
from conftest import ROOT

NOTEBOOKS = sorted((ROOT / "examples" / "python").glob("*.ipynb"))


@pytest.mark.parametrize("page, least", [("docs/python.md", 25), ("docs/python/densities.md", 25), ("README.md", 3)])
@pytest.mark.filterwarnings("ignore::fermiac.RunWarning")
def test_sessions_in_pages(page, least, monkeypatch):
    monkeypatch.chdir(ROOT)
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    failed, tried = doctest.testfile(str(ROOT / page), module_relative=False, optionflags=flags, encoding="utf-8")
    assert failed == 0 and tried >= least


def test_the_example_of_the_package():
    failed, tried = doctest.testmod(fermiac)
    assert failed == 0 and tried >= 4


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_notebook(path, monkeypatch):
    monkeypatch.chdir(path.parent)
    names = {}
    for i, cell in enumerate(code_cells(path)):
        execute(cell, f"{path.name}, cell {i + 1}", names)


def test_there_is_a_notebook_without_results_of_somebody():
    assert NOTEBOOKS
    for path in NOTEBOOKS:
        assert all(not cell.get("outputs") for cell in json.loads(path.read_text())["cells"])


def code_cells(path):
    return ["".join(cell["source"]) for cell in json.loads(path.read_text())["cells"] if cell["cell_type"] == "code"]


def execute(text, name, names):
    """As a notebook does: an expression at the end is shown."""
    tree = ast.parse(text, name)
    shown = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, name, "exec"), names)
    if shown is not None:
        value = eval(compile(ast.Expression(shown.value), name, "eval"), names)
        assert repr(value)
        if hasattr(value, "_repr_html_"):
            assert value._repr_html_()
