"""Checks of arguments that several functions share."""

from __future__ import annotations

import math
import sys
from typing import Any

from ._errors import InvalidInputError


def amount(value: Any, name: str) -> float | None:
    """A number of samples or tokens: finite and not negative. None is a number that is not known."""
    if value is None:
        return None
    try:
        number = float(value)
    except (TypeError, ValueError) as error:
        raise InvalidInputError(f"{name}: {value!r} is not a number") from error
    if not math.isfinite(number) or number < 0:
        raise InvalidInputError(f"{name}: {value!r} is not 0 or more")
    return number


def positive(value: float | None, name: str) -> float | None:
    """A finite number above 0, or None."""
    if value is None:
        return None
    if not (math.isfinite(value) and value > 0):
        raise InvalidInputError(f"{name}: {value!r} is not above 0")
    return value


def command() -> list[str]:
    """How this program was started, for the provenance of documents."""
    return [each.encode("utf-8", "replace").decode("utf-8") for each in sys.argv]
