"""Tables of means, intervals and diagnostics."""

from __future__ import annotations

import html
import math
from typing import Any, Dict, Iterator, Optional, Sequence

import numpy as np

from fermiac.variables import pretty_name

COLUMNS = ("mean", "mcse", "sd", "mad", "q5", "q50", "q95", "ess_bulk", "ess_tail", "rhat")
_MAD_OF_NORMAL = 1.4826  # a normal law's standard deviation over its median absolute deviation


class Summary:
    """One row for each number, by its name as a program writes it: `summary["theta[1]"]["mean"]`."""

    def __init__(self, rows: Sequence[tuple[str, Dict[str, float]]], title: str = "") -> None:
        self._rows = dict(rows)
        self._title = title

    def __getitem__(self, name: str) -> Dict[str, float]:
        try:
            return self._rows[name]
        except KeyError:
            raise KeyError(f"no row {name!r}; there are {', '.join(self._rows)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def dict(self) -> Dict[str, Dict[str, float]]:
        """All of it, name by name."""
        return {name: dict(row) for name, row in self._rows.items()}

    def pandas(self) -> Any:
        """A DataFrame with the names as its index. Needs pandas."""
        import pandas

        return pandas.DataFrame.from_dict(self._rows, orient="index", columns=list(COLUMNS))

    def __str__(self) -> str:
        cells = self._cells()
        widths = [max(map(len, column)) for column in zip(*cells)]
        lines = ["  ".join(c.ljust(w) if i == 0 else c.rjust(w) for i, (c, w) in enumerate(zip(row, widths))) for row in cells]
        return "\n".join(([self._title] if self._title else []) + lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        head, *rows = self._cells()
        line = lambda tag, row: "<tr>" + "".join(f"<{tag}>{html.escape(c)}</{tag}>" for c in row) + "</tr>"
        return "<table>" + line("th", head) + "".join(line("td", row) for row in rows) + "</table>"

    def _cells(self) -> list[list[str]]:
        used = [c for c in COLUMNS if any(not math.isnan(row[c]) for row in self._rows.values())]
        return [["", *used], *([name, *(_shown(c, row[c]) for c in used)] for name, row in self._rows.items())]


def summary_of_library(rows: list[Dict[str, Any]], title: str) -> Summary:
    """From the result of a run of `sample`."""
    return Summary([(pretty_name(r["name"]), {c: float(r[c]) for c in COLUMNS}) for r in rows], title)


def summary_of_draws(names: Sequence[str], draws: np.ndarray, title: str) -> Summary:
    """Of independent draws [draws, columns]: no diagnostics of chains."""
    rows = []
    for name, x in zip(names, draws.T):
        row = dict.fromkeys(COLUMNS, math.nan)
        if len(x):
            row.update(mean=x.mean(), mad=_MAD_OF_NORMAL * np.median(abs(x - np.median(x))))
            row.update(zip(("q5", "q50", "q95"), np.quantile(x, (0.05, 0.5, 0.95))))
            if len(x) > 1:
                row.update(sd=x.std(ddof=1), mcse=x.std(ddof=1) / math.sqrt(len(x)))
        rows.append((pretty_name(name), {c: float(v) for c, v in row.items()}))
    return Summary(rows, title)


def _shown(column: str, x: float) -> str:
    if math.isnan(x):
        return ""
    if column.startswith("ess"):
        return f"{x:.0f}"
    return f"{x:.3f}" if column == "rhat" else f"{x:.3g}"


def matching(summary: Summary, names: Optional[Sequence[str]], title: str) -> Summary:
    """The rows of these variables."""
    if names is None:
        return summary
    wanted = set(names)
    return Summary([(n, summary[n]) for n in summary if n in wanted or n.split("[")[0].split(".")[0] in wanted], title)
