"""Warnings at the line of the user's program that they are about."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path
from types import FrameType
from typing import Optional, Type

_HERE = str(Path(__file__).parent)


def _without_headline(text: str) -> str:
    """Python prints the category, which has the word in it, before the text."""
    if text.startswith("Warning: "):
        return text[len("Warning: ") :]
    return "In " + text[len("Warning in ") :] if text.startswith("Warning in ") else text


def warn(text: str, category: Type[Warning]) -> None:
    """Names the first line up the stack that is not in this package."""
    text = _without_headline(text)
    level = 1
    frame: Optional[FrameType] = sys._getframe()
    while frame is not None and frame.f_code.co_filename.startswith(_HERE):
        level, frame = level + 1, frame.f_back
    warnings.warn(text, category, stacklevel=level)
