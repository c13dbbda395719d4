"""A wheel, installed where nothing of this project is."""

import os
import re
import subprocess
import sys
import zipfile

import pytest

from conftest import ROOT

SCRIPT = """
import fermiac, pathlib
fit = fermiac.Model(code="parameters { real x; } model { x ~ normal(0, 1); }").sample(chains=2, samples=300, seed=1)
from fermiac._library import library
print(fermiac.__file__, library().path, fit["x"].shape, fermiac.__version__)
"""


def run(*command, **env):
    clean = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "FERMIAC_LIBRARY", "LD_LIBRARY_PATH")}
    folder = env.get("HOME", "/")
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, env={**clean, **env}, cwd=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.strip()


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    from fermiac._library import library

    folder = tmp_path_factory.mktemp("dist")
    return run(sys.executable, ROOT / "bindings" / "python" / "build_wheel", folder, FERMIAC_LIBRARY=os.path.realpath(library().path))


def test_its_files(wheel):
    assert re.search(r"fermiac-\d+\.\d+\.\d+-py3-none-linux_\w+\.whl$", wheel)
    with zipfile.ZipFile(wheel) as content:
        names = content.namelist()
        record = content.read(names[-1]).decode().splitlines()
    assert any(re.match(r"fermiac/lib/libfermiac\.so\.\d+$", n) for n in names)
    assert "fermiac/py.typed" in names and "fermiac/model.py" in names
    assert [line.split(",")[0] for line in record] == names


def test_it_runs_in_an_environment_of_its_own(wheel, tmp_path):
    pytest.importorskip("venv")
    pytest.importorskip("pip")
    if subprocess.run([sys.executable, "-c", "import ensurepip"], capture_output=True).returncode:
        pytest.skip("no ensurepip to make environments with")
    run(sys.executable, "-m", "venv", "--system-site-packages", tmp_path / "env")
    python = tmp_path / "env" / "bin" / "python"
    run(python, "-m", "pip", "install", "-q", "--no-index", "--no-deps", wheel)
    file, library, *rest = run(python, "-c", SCRIPT, HOME=str(tmp_path)).split(" ", 2)
    assert file.startswith(str(tmp_path)) and library.startswith(os.path.dirname(file))
    assert rest[0].startswith("(2, 300)")


def test_pip_makes_the_same(wheel, tmp_path):
    pytest.importorskip("pip")
    from fermiac._library import library

    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-index", "--no-build-isolation", "--no-deps", "-w", tmp_path]
    run(*command, ROOT / "bindings" / "python", FERMIAC_LIBRARY=os.path.realpath(library().path))
    [made] = tmp_path.glob("*.whl")
    assert made.read_bytes() == open(wheel, "rb").read()
