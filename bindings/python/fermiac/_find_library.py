"""Where libfermiac lies: in the package (a wheel), in an installation with both, in a build, or where the system looks."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Iterator

ABI = 0  # FERMIAC_ABI of bindings/c/fermiac.h
VARIABLE = "FERMIAC_LIBRARY"
_NAME = f"libfermiac.so.{ABI}"


def candidates() -> Iterator[str]:
    """Names for the loader, the likeliest first. What the environment names is the only one."""
    named = os.environ.get(VARIABLE)
    if named:
        yield named
        return
    here = Path(__file__).resolve().parent
    folders = [here / "lib"]
    if here.parent.name == "dist-packages":  # PREFIX/lib/python3/dist-packages/fermiac
        lib = here.parents[2]
        folders += [lib, *sorted(lib.glob("*-linux-gnu")), lib.parent / "lib64"]
    folders.append(here.parents[2] / "build" / "lib")
    for folder in folders:
        if (folder / _NAME).exists():
            yield str(folder / _NAME)
    yield _NAME


def bundled(library: str) -> list[str]:
    """What a wheel brings along for the library. The loader does not look beside it by itself, but takes what is loaded."""
    folder = Path(library).resolve().parent
    own = Path(__file__).resolve().parent / "lib"
    return [str(path) for path in sorted(folder.glob("libtbb*.so*"))] if folder == own else []
