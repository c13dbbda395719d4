"""What programs print: to sys.stdout as it is when they print, so that notebooks and redirections see it."""

from __future__ import annotations

import ctypes
import sys
from typing import Any

from fermiac._library import PrintCallback


def print_to_stdout() -> Any:
    """A callback for the library; whoever gives it away keeps it alive."""
    return PrintCallback(_write)


def _write(user_data, text, size) -> None:
    sys.stdout.write(ctypes.string_at(text, size).decode(errors="replace"))
