"""Gives methods that take **options the signature and the documentation of the table of options."""

from __future__ import annotations

import inspect
import textwrap
from typing import Any, Callable, TypeVar

from fermiac.options import METHODS

F = TypeVar("F", bound=Callable[..., Any])


def with_options(method: str) -> Callable[[F], F]:
    """For functions whose last parameter is **options."""
    rows = METHODS[method].options

    def decorate(function: F) -> F:
        signature = inspect.signature(function)
        first = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
        named = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=option.type)
            for name, option in rows.items()
            if name not in signature.parameters
        ]
        function.__signature__ = signature.replace(parameters=first + named)  # type: ignore[attr-defined]
        options = "\n".join(f"    {name}: {option.about}" for name, option in rows.items())
        about = textwrap.dedent("    " + (function.__doc__ or METHODS[method].about)).rstrip()
        function.__doc__ = f"{about}\n\nOptions; None stands for the default:\n{options}\n"
        return function

    return decorate


def add_methods(kind: type, make: Callable[[str], Callable[..., Any]]) -> None:
    """Gives the class the methods of the library that it does not define itself; make(name) is the function of one."""
    for name in METHODS:
        if not hasattr(kind, name):
            function = make(name)
            function.__name__ = name
            setattr(kind, name, with_options(name)(function))
