"""Every public name of the package is used by a test."""

from __future__ import annotations

import importlib
import inspect
import re
from pathlib import Path
from types import ModuleType

import pytest

import ergon

pytest.importorskip("torch")

MODULES = ["ergon", "ergon.generation", "ergon.huggingface", "ergon.lightning", "ergon.torch", "ergon.zeus"]
# Events that a framework calls by name, through its own list of events.
EVENTS = re.compile(r"on_[a-z_]+|setup|teardown|state_dict|load_state_dict")


def public_names(module: ModuleType) -> set[str]:
    """Names that the module lists, and the public members of its classes."""
    listed = module.__all__
    names = set()
    for name in listed:
        value = getattr(module, name)
        names.add(name)
        if inspect.isclass(value) and value.__module__.startswith("ergon"):
            names |= {each for each in vars(value) if not each.startswith("_")}
    return names


@pytest.mark.parametrize("name", MODULES)
def test_every_public_name_is_used_by_a_test(name: str) -> None:
    here = Path(__file__)
    used = set()
    for file in here.parent.glob("test_*.py"):
        if file != here:
            used |= set(re.findall(r"\w+", file.read_text(encoding="utf-8")))
    names = public_names(importlib.import_module(name))
    assert len(names) > 3
    assert sorted(each for each in names - used if not EVENTS.fullmatch(each)) == []


def test_every_public_name_is_documented() -> None:
    for name in MODULES:
        module = importlib.import_module(name)
        assert module.__doc__
        for each in getattr(module, "__all__", []):
            value = getattr(module, each)
            if inspect.isclass(value) or inspect.isfunction(value):
                assert value.__doc__, f"{name}.{each}"
    assert ergon.__doc__ and "measure" in ergon.__doc__
