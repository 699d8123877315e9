"""Quantities as arguments: a number in SI units, or a text with its unit."""

from __future__ import annotations

from typing import overload

from . import _ergon

Quantity = float | int | str
"""A number in SI units (1.2e9 Hz, 0.02 s, 250 W), or a text with its unit ("1200MHz", "20ms", "250W")."""


@overload
def hertz(value: Quantity, name: str) -> float: ...
@overload
def hertz(value: Quantity | None, name: str) -> float | None: ...
def hertz(value: Quantity | None, name: str) -> float | None:
    """A frequency in hertz."""
    return _ergon.parse_hertz(value, name) if isinstance(value, str) else value


@overload
def seconds(value: Quantity, name: str) -> float: ...
@overload
def seconds(value: Quantity | None, name: str) -> float | None: ...
def seconds(value: Quantity | None, name: str) -> float | None:
    """A time in seconds."""
    return _ergon.parse_seconds(value, name) if isinstance(value, str) else value


@overload
def watts(value: Quantity, name: str) -> float: ...
@overload
def watts(value: Quantity | None, name: str) -> float | None: ...
def watts(value: Quantity | None, name: str) -> float | None:
    """A power in watts."""
    return _ergon.parse_watts(value, name) if isinstance(value, str) else value
