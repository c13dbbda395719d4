"""Progress of a run: one line that is written over, in terminals and in notebooks."""

from __future__ import annotations

import sys
import time
from typing import Optional, TextIO


def progress_line(wanted: Optional[bool], stream: Optional[TextIO] = None) -> Optional["ProgressLine"]:
    """None where there is to be no line. Without a wish: where a person seems to be looking on."""
    out = stream if stream is not None else sys.stderr
    if out is None:
        return None
    if wanted is None:
        wanted = out.isatty() or type(out).__module__.startswith("ipykernel")
    return ProgressLine(out) if wanted else None


class ProgressLine:
    """Chains report from threads of the run; `show` is called by the one thread that waits for the run."""

    INTERVAL = 0.1  # seconds between two versions of the line

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._chains: dict[int, tuple[int, int, int]] = {}
        self._shown = ""
        self._next = 0.0

    def update(self, chain: int, done: int, total: int, warmup: int) -> None:
        """`done` of `total` iterations of a chain."""
        self._chains[chain] = (done, total, warmup)

    def text(self) -> str:
        """The line as of now."""
        return "  ".join(_chain_text(chain, *state) for chain, state in sorted(self._chains.items()))

    def show(self, now: bool = False) -> None:
        """Writes the line where it has changed, at most every INTERVAL seconds unless `now`."""
        text = self.text()
        if text == self._shown or (time.monotonic() < self._next and not now):
            return
        self._out.write("\r" + text.ljust(len(self._shown)))
        self._out.flush()
        self._shown, self._next = text, time.monotonic() + self.INTERVAL

    def end(self) -> None:
        """The last version, and the line's end."""
        if self._chains:
            self.show(now=True)
            self._out.write("\n")
            self._out.flush()


def _chain_text(chain: int, done: int, total: int, warmup: int) -> str:
    return f"{chain + 1}: {100 * done // max(total, 1)}%" + (" warmup" if warmup else "")
