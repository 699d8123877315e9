"""The program `ergon` that belongs to this package."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from ._errors import NotFoundError


def program() -> str:
    """Path of the program: that of the wheel, of $ERGON_PROGRAM, or the one on PATH."""
    named = os.environ.get("ERGON_PROGRAM")
    if named:
        if not os.access(named, os.X_OK):
            raise NotFoundError(f"ERGON_PROGRAM: {named} is not a program")
        return named
    bundled = Path(__file__).parent / "_bin" / "ergon"
    if bundled.exists():
        return str(bundled)
    found = shutil.which("ergon")
    if found is None:
        raise NotFoundError(
            "the program ergon was not found; install the package ergon, or set ERGON_PROGRAM"
        )
    return found


def run_program() -> None:
    """Replaces this process by the program, with the same arguments."""
    path = program()
    bundled_torch = Path(__file__).parent / "_lib" / "libergon_torch.so"
    if bundled_torch.exists():
        os.environ.setdefault("ERGON_TORCH", str(bundled_torch))
    sys.stdout.flush()
    sys.stderr.flush()
    os.execv(path, ["ergon", *sys.argv[1:]])
