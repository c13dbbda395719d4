"""Draws as the CSV files that `generate` reads."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from fermiac._fit import Fit
from fermiac.errors import ArgumentError

_FORMAT = "%.17g"  # every double survives


class DrawsFiles:
    """A context with the paths of files: of those given, or of temporary ones with the draws of a fit, one for each chain."""

    def __init__(self, source: Any) -> None:
        self._source = source
        self._folder: Any = None

    def __enter__(self) -> list[str]:
        if isinstance(self._source, Fit):
            self._folder = tempfile.TemporaryDirectory(prefix="fermiac")
            return [self._written(i, rows) for i, rows in enumerate(self._source.draws)]
        paths = [self._source] if isinstance(self._source, (str, os.PathLike)) else self._source
        if isinstance(paths, (list, tuple)) and paths and all(isinstance(p, (str, os.PathLike)) for p in paths):
            return [os.fspath(p) for p in paths]
        raise ArgumentError(f"generate takes a fit or paths of CSV files, not {type(self._source).__name__}")

    def __exit__(self, *error: Any) -> None:
        if self._folder:
            self._folder.cleanup()

    def _written(self, chain: int, rows: np.ndarray) -> str:
        path = Path(self._folder.name) / f"draws_{chain + 1}.csv"
        header = ",".join(self._source.columns)
        np.savetxt(path, rows, fmt=_FORMAT, delimiter=",", header=header, comments="")
        return str(path)
