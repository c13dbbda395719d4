"""Makes a wheel of the package with libfermiac in it, by the standard library alone; the backend of pyproject.toml (PEP 517).

The library is the one of ../../build, or the file that FERMIAC_LIBRARY names. What it needs beside the C and C++ libraries, TBB,
goes along."""

import base64
import hashlib
import os
import re
import subprocess
import sysconfig
import tempfile
import zipfile
from pathlib import Path

_HERE = Path(__file__).resolve().parent
_ROOT = _HERE.parents[1]
_ALONG = "libtbb"  # the others are on every machine that has Python

_METADATA = """\
Metadata-Version: 2.1
Name: fermiac
Version: {version}
Summary: Stan models without a compiler
License: BSD-3-Clause
Requires-Python: >=3.9
Requires-Dist: numpy
Provides-Extra: arviz
Requires-Dist: arviz; extra == "arviz"
Description-Content-Type: text/markdown

{description}"""

_WHEEL = "Wheel-Version: 1.0\nGenerator: fermiac\nRoot-Is-Purelib: false\nTag: {tag}\n"


def get_requires_for_build_wheel(config_settings=None):
    return []


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """The name of the file, in `wheel_directory`."""
    library = _library()
    version, tag = _version(), "py3-none-" + re.sub("[-.]", "_", sysconfig.get_platform())
    info = f"fermiac-{version}.dist-info"
    name = f"fermiac-{version}-{tag}.whl"
    description = (_ROOT / "docs" / "python.md").read_text()
    with _Wheel(Path(wheel_directory) / name, info) as wheel:
        for source in sorted((_HERE / "fermiac").rglob("*")):
            if source.suffix in (".py", ".pyi") or source.name == "py.typed":
                wheel.add(f"fermiac/{source.relative_to(_HERE / 'fermiac')}", source.read_bytes())
        wheel.add(f"fermiac/lib/{_soname()}", _stripped(library))
        for needed in _needed(library):
            wheel.add(f"fermiac/lib/{needed.name}", needed.read_bytes())
        wheel.add(f"{info}/METADATA", _METADATA.format(version=version, description=description).encode())
        wheel.add(f"{info}/WHEEL", _WHEEL.format(tag=tag).encode())
        wheel.add(f"{info}/LICENSE", (_ROOT / "LICENSE").read_bytes())
    return name


class _Wheel:
    """A zip whose last file lists the others with their sums."""

    _TIME = (2020, 1, 1, 0, 0, 0)  # the same input, the same bytes

    def __init__(self, path, info):
        self._zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
        self._record_name = f"{info}/RECORD"
        self._record = []

    def __enter__(self):
        return self

    def __exit__(self, *error):
        record = "".join(self._record) + f"{self._record_name},,\n"
        self._write(self._record_name, record.encode())
        self._zip.close()

    def add(self, name, content):
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        self._record.append(f"{name},sha256={digest},{len(content)}\n")
        self._write(name, content)

    def _write(self, name, content):
        entry = zipfile.ZipInfo(name, self._TIME)
        entry.external_attr = 0o100644 << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        self._zip.writestr(entry, content)


def _library():
    path = Path(os.environ.get("FERMIAC_LIBRARY") or _ROOT / "build" / "lib" / "libfermiac.so").resolve()
    if not path.exists():
        raise SystemExit(f"there is no {path}: build the project first, or let FERMIAC_LIBRARY name libfermiac.so")
    return path


def _header(name):
    return re.search(rf"#define {name} (\d+)", (_ROOT / "bindings" / "c" / "fermiac.h").read_text()).group(1)


def _version():
    return ".".join(_header(f"FERMIAC_VERSION_{part}") for part in ("MAJOR", "MINOR", "PATCH"))


def _soname():
    return f"libfermiac.so.{_header('FERMIAC_ABI')}"


def _needed(library):
    """Libraries that go along, by what the loader finds."""
    lines = subprocess.run(["ldd", library], check=True, capture_output=True, text=True).stdout.splitlines()
    found = (re.match(r"\s*(\S+) => (\S+)", line) for line in lines)
    return [Path(m[2]).parent / m[1] for m in found if m and m[1].startswith(_ALONG)]


def _stripped(library):
    """Without symbols for debuggers, where there is a tool for that."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "library"
        try:
            subprocess.run(["strip", "--strip-unneeded", "-o", out, library], check=True, capture_output=True)
            return out.read_bytes()
        except (OSError, subprocess.CalledProcessError):
            return library.read_bytes()
