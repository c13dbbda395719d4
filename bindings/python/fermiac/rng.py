"""Random numbers."""

from __future__ import annotations

from typing import Optional, Union

import numpy as np

from fermiac._library import Handle, library
from fermiac.errors import ArgumentError


class Rng:
    """A sequence of random numbers for generated quantities and functions that end in _rng. One seed, one sequence, on every
    machine. Belongs to one thread at a time."""

    def __init__(self, seed: int) -> None:
        if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or not 0 <= seed < 2**64:
            raise ArgumentError(f"the seed is {seed!r}, but must be a whole number from 0 to 2**64 - 1")
        self.seed = int(seed)
        self._handle = Handle("rng", library().checked("rng_create", self.seed))

    def __repr__(self) -> str:
        return f"Rng({self.seed})"


def rng_pointer(rng: Optional[Union[Rng, int]]) -> tuple[Optional[Rng], Optional[int]]:
    """The generator, which must live during the call, and its pointer; a seed makes a new one."""
    if rng is None:
        return None, None
    generator = rng if isinstance(rng, Rng) else Rng(rng)
    return generator, generator._handle.pointer
