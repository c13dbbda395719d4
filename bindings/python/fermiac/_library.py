"""libfermiac by ctypes: the functions of bindings/c/fermiac.h with their types, one row each, and objects that own what it makes."""

from __future__ import annotations

import ctypes
import functools
import weakref
from ctypes import POINTER, c_char_p, c_double, c_int, c_size_t, c_uint, c_uint64, c_void_p
from typing import TYPE_CHECKING, Any, Callable

from fermiac._find_library import VARIABLE, bundled, candidates
from fermiac.errors import LibraryError, error_of

Names = POINTER(c_char_p)
Count = POINTER(c_size_t)
Error = POINTER(c_void_p)
PrintCallback = ctypes.CFUNCTYPE(None, c_void_p, POINTER(ctypes.c_char), c_size_t)


class Row(ctypes.Structure):
    """fermiac_row"""

    _fields_ = [
        ("size", c_size_t),
        ("table", c_size_t),
        ("index", c_size_t),
        ("warmup", c_int),
        ("values", POINTER(c_double)),
        ("count", c_size_t),
    ]


ColumnsCallback = ctypes.CFUNCTYPE(c_int, c_void_p, c_size_t, Names, c_size_t)
RowCallback = ctypes.CFUNCTYPE(c_int, c_void_p, POINTER(Row))
MessageCallback = ctypes.CFUNCTYPE(c_int, c_void_p, c_char_p)
ProgressCallback = ctypes.CFUNCTYPE(c_int, c_void_p, c_size_t, c_uint, c_uint, c_int)
RunPrintCallback = ctypes.CFUNCTYPE(c_int, c_void_p, POINTER(ctypes.c_char), c_size_t)


class RunCallbacks(ctypes.Structure):
    """fermiac_run_callbacks"""

    _fields_ = [
        ("size", c_size_t),
        ("user_data", c_void_p),
        ("columns", ColumnsCallback),
        ("row", RowCallback),
        ("message", MessageCallback),
        ("progress", ProgressCallback),
        ("print", RunPrintCallback),
    ]


# name without "fermiac_": (result, arguments). Numbers in arrays go as addresses.
_FUNCTIONS = {
    "version": (c_char_p, []),
    "stan_version": (c_char_p, []),
    "methods_json": (c_char_p, []),
    "error_json": (c_char_p, [c_void_p]),
    "error_free": (None, [c_void_p]),
    "string_free": (None, [c_void_p]),
    "program_create": (c_void_p, [c_char_p, c_char_p, Error]),
    "program_open": (c_void_p, [c_char_p, c_char_p, Error]),
    "program_free": (None, [c_void_p]),
    "program_ok": (c_int, [c_void_p]),
    "program_name": (c_char_p, [c_void_p]),
    "program_diagnostics_json": (c_char_p, [c_void_p]),
    "program_info_json": (c_char_p, [c_void_p]),
    "program_functions_json": (c_char_p, [c_void_p]),
    "rng_create": (c_void_p, [c_uint64, Error]),
    "rng_free": (None, [c_void_p]),
    "call": (c_int, [c_void_p, c_char_p, c_char_p, c_void_p, PrintCallback, c_void_p, POINTER(c_void_p), Error]),
    "model_create": (c_void_p, [c_void_p, c_char_p, c_char_p, PrintCallback, c_void_p, Error]),
    "model_open": (c_void_p, [c_void_p, c_char_p, c_char_p, PrintCallback, c_void_p, Error]),
    "model_condition": (c_int, [c_void_p, c_char_p, POINTER(c_void_p), Error]),
    "model_free": (None, [c_void_p]),
    "model_info_json": (c_char_p, [c_void_p]),
    "model_stop": (None, [c_void_p, c_int]),
    "unconstrained_size": (c_size_t, [c_void_p]),
    "constrained_size": (c_size_t, [c_void_p, c_uint]),
    "unconstrained_names": (Names, [c_void_p, Count]),
    "constrained_names": (Names, [c_void_p, c_uint, Count]),
    "log_density": (c_int, [c_void_p, c_uint, c_void_p, c_size_t, POINTER(c_double), Error]),
    "gradient": (c_int, [c_void_p, c_uint, c_void_p, c_size_t, POINTER(c_double), c_void_p, Error]),
    "hessian": (c_int, [c_void_p, c_uint, c_void_p, c_size_t, POINTER(c_double), c_void_p, c_void_p, Error]),
    "hessian_times": (c_int, [c_void_p, c_uint, c_void_p, c_size_t, c_void_p, POINTER(c_double), c_void_p, Error]),
    "constrain": (c_int, [c_void_p, c_uint, c_void_p, c_size_t, c_void_p, c_void_p, c_size_t, Error]),
    "unconstrain": (c_int, [c_void_p, c_void_p, c_size_t, c_void_p, c_size_t, Error]),
    "unconstrain_json": (c_int, [c_void_p, c_char_p, c_void_p, c_size_t, Error]),
    "run_create": (c_void_p, [c_void_p, c_char_p, POINTER(RunCallbacks), Error]),
    "run_execute": (c_int, [c_void_p, Error]),
    "run_stop": (None, [c_void_p]),
    "run_free": (None, [c_void_p]),
    "run_table_count": (c_size_t, [c_void_p]),
    "run_columns": (Names, [c_void_p, c_size_t, Count]),
    "run_rows": (POINTER(c_double), [c_void_p, c_size_t, Count, Count]),
    "run_result_json": (c_char_p, [c_void_p]),
}


class Library:
    """The loaded library; functions are attributes without the prefix `fermiac_`."""

    def __init__(self, path: str) -> None:
        self.path = path
        for needed in bundled(path):
            ctypes.CDLL(needed, mode=ctypes.RTLD_GLOBAL)
        loaded = ctypes.CDLL(path)
        for name, (result, arguments) in _FUNCTIONS.items():
            function = getattr(loaded, "fermiac_" + name)
            function.restype, function.argtypes = result, arguments
            setattr(self, name, function)

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Callable[..., Any]: ...

    def checked(self, name: str, *arguments):
        """Calls a function whose last argument is the error. Raises what the error says."""
        error = c_void_p()
        result = getattr(self, name)(*arguments, ctypes.byref(error))
        if error.value:
            try:
                raise error_of(self.error_json(error))
            finally:
                self.error_free(error)
        return result

    def texts(self, name: str, *arguments) -> list[str]:
        """Calls a function that gives an array of names and their number."""
        count = c_size_t()
        names = getattr(self, name)(*arguments, ctypes.byref(count))
        return [names[i].decode() for i in range(count.value)]


@functools.lru_cache(maxsize=None)
def library() -> Library:
    """Loaded when first asked for, and then always the same."""
    tried = []
    for path in candidates():
        try:
            return Library(path)
        except (OSError, AttributeError) as error:  # no such file, no library; a function is missing
            tried.append(f"  {error}")
    raise LibraryError(
        "libfermiac could not be loaded:\n" + "\n".join(tried) + f"\nThe environment variable {VARIABLE} may name the file."
    )


class Handle:
    """Owns an object of the library: frees it when nothing refers to it any more."""

    def __init__(self, kind: str, pointer: int, *keep: object) -> None:
        self.pointer = pointer
        # `keep`, callbacks for instance, lives as long as the object.
        self.free = weakref.finalize(self, _free, getattr(library(), kind + "_free"), pointer, keep)
        self._kind = kind

    def __reduce__(self) -> Any:
        # A pointer means nothing in another process, and two owners would free it twice.
        raise TypeError(f"a {self._kind} of fermiac cannot be copied or pickled: make it again where it is needed")


def _free(function, pointer: int, keep: tuple) -> None:
    function(pointer)


def version() -> str:
    """Of the library: "0.2.0"."""
    return library().version().decode()


def stan_version() -> str:
    """Of the language Stan that the library compiles."""
    return library().stan_version().decode()
