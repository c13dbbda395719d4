"""What can go wrong, as exceptions; what a compiler says, as data."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Optional


@dataclass(frozen=True)
class Place:
    """A range of a program's text. Lines count from 1, columns from 0 in bytes; the end is the column behind the last."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"

    @classmethod
    def of(cls, json_object: Optional[dict[str, Any]]) -> Optional["Place"]:
        """From JSON as the library writes it; None stays None."""
        if json_object is None:
            return None
        return cls(**{name: json_object[name] for name in cls.__dataclass_fields__})


@dataclass(frozen=True)
class Diagnostic:
    """What the compiler says about a place."""

    id: str  # "E1008": stays the same from version to version
    name: str  # "undeclared"
    severity: str  # "error" or "warning"
    message: str  # without place and source
    text: str  # as the compiler prints it: the lines around with a caret
    place: Optional[Place]

    def __str__(self) -> str:
        return self.text

    @classmethod
    def of(cls, json_object: dict[str, Any]) -> "Diagnostic":
        rest = {name: json_object[name] for name in ("id", "name", "severity", "message", "text")}
        return cls(**rest, place=Place.of(json_object.get("place")))


class ProgramWarning(UserWarning):
    """The compiler's warnings."""


class RunWarning(UserWarning):
    """A run that ended early, or draws that should not be trusted."""


class FermiacError(Exception):
    """Anything that goes wrong in this package. `place` is where in the program, if that is known."""

    def __init__(self, message: str, place: Optional[Place] = None) -> None:
        super().__init__(message)
        self.message = message
        self.place = place


class LibraryError(FermiacError, ImportError):
    """libfermiac cannot be loaded."""


class ArgumentError(FermiacError, ValueError):
    """A call is wrong: an unknown option, a value outside of its range, a number of elements."""


class CompilationError(FermiacError, ValueError):
    """The program does not compile, or cannot be read. `diagnostics` are the compiler's errors and warnings."""

    def __init__(self, message: str, place: Optional[Place] = None, diagnostics: tuple[Diagnostic, ...] = ()) -> None:
        super().__init__(message, place)
        self.diagnostics = diagnostics


class DataError(FermiacError, ValueError):
    """Data do not fit the program, or transformed data fail."""


class RejectedError(FermiacError, ArithmeticError):
    """The point is outside of the support, or the program said reject(): other points may do."""


class FatalError(FermiacError):
    """fatal_error(), or a limit on sizes: no other point will do."""


class StoppedError(FermiacError):
    """Ended from outside before there was a result."""


class MethodError(FermiacError):
    """A method did not reach its end: no initial point, no descent. `messages` is what it said on its way."""

    def __init__(self, message: str, place: Optional[Place] = None, messages: str = "") -> None:
        super().__init__(message, place)
        self.messages = messages


class ResourceError(FermiacError, MemoryError):
    """The system gives no memory or no thread."""


class InternalError(FermiacError):
    """A bug in the library; please report it."""


_BY_KIND = {
    "argument": ArgumentError,
    "program": CompilationError,
    "data": DataError,
    "rejected": RejectedError,
    "fatal": FatalError,
    "stopped": StoppedError,
    "failed": MethodError,
    "memory": ResourceError,
    "internal": InternalError,
}


def error_of(text: bytes) -> FermiacError:
    """The exception for an error that the library describes as JSON."""
    error = json.loads(text)
    return _BY_KIND[error["kind"]](error["message"], Place.of(error.get("place")))


def compilation_error(diagnostics: tuple[Diagnostic, ...]) -> CompilationError:
    """All errors of a program in one exception, at the place of the first."""
    errors = [d for d in diagnostics if d.severity == "error"]
    text = "\n".join(d.text.rstrip("\n") for d in errors)
    return CompilationError("the program does not compile\n" + text, errors[0].place if errors else None, diagnostics)
