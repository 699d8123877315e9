"""What type checkers are told: the stub of the binding, the attributes of windows, and mypy's verdict."""

from __future__ import annotations

import ast
import inspect
import shutil
import subprocess
from pathlib import Path

import pytest

import ergon
from conftest import REPOSITORY
from ergon import _ergon, _window

PACKAGE = REPOSITORY / "python" / "ergon"


def members_of_stub() -> dict[str, set[str]]:
    """Names in _ergon.pyi: those of the module under "", and those of each class."""
    tree = ast.parse((PACKAGE / "_ergon.pyi").read_text(encoding="utf-8"))
    members: dict[str, set[str]] = {"": set()}

    def names(body: list[ast.stmt]) -> set[str]:
        found = {each.name for each in body if isinstance(each, (ast.FunctionDef, ast.ClassDef))}
        fields = [each.target for each in body if isinstance(each, ast.AnnAssign)]
        return found | {each.id for each in fields if isinstance(each, ast.Name)}

    members[""] = names(tree.body)
    for each in tree.body:
        if isinstance(each, ast.ClassDef):
            members[each.name] = names(each.body) - {"__init__"}
    return members


def test_the_stub_has_the_names_of_the_binding() -> None:
    expected = {"": {name for name in vars(_ergon) if not name.startswith("_")} | {"__version__"}}
    for name, value in vars(_ergon).items():
        if inspect.isclass(value):
            expected[name] = {each for each in vars(value) if not each.startswith("_")}
    assert members_of_stub() == expected


def test_windows_declare_the_attributes_of_measurements() -> None:
    tree = ast.parse((PACKAGE / "_window.py").read_text(encoding="utf-8"))
    (window,) = (each for each in tree.body if isinstance(each, ast.ClassDef))
    (block,) = (each for each in window.body if isinstance(each, ast.If))
    declared = {
        each.target.id
        for each in block.body
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
    }
    own = {name for name in vars(ergon.Window) if not name.startswith("_")} | {"samples", "tokens"}
    assert declared == _window._MEASUREMENT_FIELDS - own


USE = """
import ergon

with ergon.measure(["gpu0"], samples=2) as m:
    pass
energy: float = m.energy_joules + m.energy.low
time: float = ergon.predict("resnet50", device="h200").time_seconds.value
m.energy_kwh
"""


@pytest.mark.skipif(shutil.which("mypy") is None, reason="mypy is not installed")
def test_mypy_accepts_the_package_and_knows_windows(tmp_path: Path) -> None:
    (tmp_path / "use.py").write_text(USE, encoding="utf-8")
    command = ["mypy", "--no-site-packages", f"--cache-dir={tmp_path / 'cache'}"]
    ran = subprocess.run(
        [*command, "--config-file=pyproject.toml", "ergon", str(tmp_path / "use.py")],
        cwd=REPOSITORY / "python",
        capture_output=True,
        text=True,
    )
    errors = [line for line in ran.stdout.splitlines() if ": error: " in line]
    assert len(errors) == 1, ran.stdout + ran.stderr
    assert '"Window" has no attribute "energy_kwh"' in errors[0]
