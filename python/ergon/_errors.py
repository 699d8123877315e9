"""Failures of the library as exceptions.

Each kind of failure of the C++ API (`ergon::Errc`) is a class. Those that have a counterpart among
Python's own exceptions are subclasses of it too, so that `except FileNotFoundError` works.
"""

from __future__ import annotations


class ErgonError(Exception):
    """A failure of Ergon. The message says what was wrong with which input."""

    kind: str = "io"


class UnsupportedError(ErgonError):
    """This device, file or build cannot do it."""

    kind = "unsupported"


class PermissionDeniedError(ErgonError, PermissionError):
    """This user may not do it."""

    kind = "permission"


class NotFoundError(ErgonError, FileNotFoundError):
    """A file, folder, device or process does not exist."""

    kind = "not_found"


class InvalidInputError(ErgonError, ValueError):
    """Input that cannot be parsed, is out of range or does not fit the state of the object."""

    kind = "invalid_input"


class DeviceLostError(ErgonError):
    """A device that worked before no longer responds."""

    kind = "device_lost"


class IoError(ErgonError, OSError):
    """A read or write failed."""

    kind = "io"


class CancelledError(ErgonError):
    """The caller requested a stop."""

    kind = "cancelled"


class OutOfMemoryError(ErgonError, MemoryError):
    """A device has less memory than the work needs."""

    kind = "out_of_memory"


class BusyError(ErgonError):
    """Another process holds it; a retry may succeed."""

    kind = "busy"


class UnknownNameError(ErgonError, LookupError):
    """A name that is not in its list. The message has the nearest one."""

    kind = "unknown_name"


class InternalError(ErgonError):
    """A result violates a check of Ergon itself. Please report it."""

    kind = "internal"


_CLASSES: dict[str, type[ErgonError]] = {
    each.kind: each
    for each in (
        UnsupportedError,
        PermissionDeniedError,
        NotFoundError,
        InvalidInputError,
        DeviceLostError,
        IoError,
        CancelledError,
        OutOfMemoryError,
        BusyError,
        UnknownNameError,
        InternalError,
    )
}


def error_of(kind: str, message: str) -> ErgonError:
    """The exception for a kind of failure. Called by the binding."""
    return _CLASSES.get(kind, ErgonError)(message)
