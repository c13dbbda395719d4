"""Gives methods that take **options the signature and the documentation of the options' table."""

from __future__ import annotations

import inspect
import textwrap
from typing import Any, Callable, TypeVar, get_type_hints

from fermiac.options import OF_METHOD

F = TypeVar("F", bound=Callable[..., Any])


def with_options(method: str) -> Callable[[F], F]:
    """For functions whose last parameter is **options."""
    rows = {name: hint.__metadata__[0] for name, hint in get_type_hints(OF_METHOD[method], include_extras=True).items()}
    types = get_type_hints(OF_METHOD[method])

    def decorate(function: F) -> F:
        signature = inspect.signature(function)
        first = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
        named = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=types[name])
            for name in rows
            if name not in signature.parameters
        ]
        function.__signature__ = signature.replace(parameters=first + named)  # type: ignore[attr-defined]
        options = "\n".join(f"    {name}: {about}" for name, about in rows.items())
        about = textwrap.dedent("    " + (function.__doc__ or "")).rstrip()
        function.__doc__ = f"{about}\n\nOptions; None stands for the default:\n{options}\n"
        return function

    return decorate
