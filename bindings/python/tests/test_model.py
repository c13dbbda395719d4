"""Programs: where they come from, what the compiler says of them."""

import warnings

import pytest

import fermiac


def test_a_path_gives_the_name(tmp_path):
    file = tmp_path / "ours.stan"
    file.write_text("data { int n; } parameters { real x; } model { x ~ normal(0, n); }")
    model = fermiac.Model(file)
    assert model.name == "ours"
    assert model.path == str(file)
    assert model.info["inputs"]["n"] == {"type": "int", "dimensions": 0}
    assert repr(model) == "Stan model ours\ndata: n\nparameters: x"
    assert fermiac.Model(str(file)).name == "ours"


def test_code_may_have_a_name():
    assert fermiac.Model(code="model {}").name == "model"
    assert fermiac.Model(code="model {}", name="mine").name == "mine"


def test_errors_have_places_and_pictures():
    with pytest.raises(fermiac.CompilationError) as caught:
        fermiac.Model(code="parameters {\n  real x;\n}\nmodel {\n  y ~ normal(0, 1);\n}")
    error = caught.value
    assert isinstance(error, ValueError)
    assert (error.place.line, error.place.column) == (5, 2)
    assert "     5:    y ~ normal(0, 1);\n           ^" in str(error)
    [diagnostic] = error.diagnostics
    assert diagnostic.severity == "error"
    assert diagnostic.id.startswith("E")
    assert diagnostic.message in str(diagnostic)


def test_every_error_is_told():
    with pytest.raises(fermiac.CompilationError) as caught:
        fermiac.Model(code="model { y ~ normal(0, 1); z ~ normal(0, 1); }")
    assert len(caught.value.diagnostics) == str(caught.value).count("   ^") >= 1


def test_warnings_are_warnings_of_python_at_the_line_of_the_caller():
    code = "parameters { real x; } model { int i = 7 / 2; x ~ normal(i, 1); }"
    with pytest.warns(fermiac.ProgramWarning, match="(?i)integer division") as caught:
        model = fermiac.Model(code=code)
    assert caught[0].filename == __file__
    assert [d.severity for d in model.diagnostics] == ["warning"]


def test_a_clean_program_says_nothing():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert fermiac.Model(code="parameters { real x; } model { x ~ normal(0, 1); }").diagnostics == ()


def test_includes_are_found_or_refused(tmp_path):
    (tmp_path / "part.stan").write_text("real x;")
    code = "parameters {\n#include part.stan\n} model { x ~ normal(0, 1); }"
    assert "x" in fermiac.Model(code=code, include_paths=[tmp_path]).info["parameters"]
    assert "x" in fermiac.Model(code=code, include_paths=str(tmp_path)).info["parameters"]
    with pytest.raises(fermiac.CompilationError, match="part.stan"):
        fermiac.Model(code=code)
    with pytest.raises(fermiac.CompilationError):
        fermiac.Model(code=code, include_paths=[tmp_path], include="none")


@pytest.mark.parametrize(
    "arguments, says",
    [
        ({}, "a path or of code"),
        ({"path": "m.stan", "code": "model {}"}, "one of them"),
        ({"code": b"model {}"}, "expected a text, found bytes"),
        ({"code": "model {}\0"}, "a zero at position 8"),
        ({"code": "\ud800"}, "no Unicode"),
        ({"code": "model {}", "level": "O7"}, "O0"),
        ({"code": "model {}", "include": "some"}, "confined"),
        ({"code": "model {}", "name": "a-b"}, "a-b"),
    ],
)
def test_misuse_is_named(arguments, says):
    with pytest.raises(fermiac.ArgumentError, match=says):
        fermiac.Model(**arguments)


def test_a_missing_file_is_named():
    with pytest.raises(fermiac.CompilationError, match="nowhere.stan"):
        fermiac.Model("nowhere.stan")


def test_versions():
    assert fermiac.__version__ == fermiac.version()
    assert fermiac.stan_version().count(".") == 2
