"""The Python code of the documentation runs. The fences of a page run in order, in one namespace."""

from __future__ import annotations

import importlib
import re
import sys
import time
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import ergon
from conftest import REPOSITORY, FakeGpus

PAGES = (
    "README.md",
    "docs/python.md",
    "docs/python-from-zeus.md",
    "docs/python-from-codecarbon.md",
    "python/README.md",
)
FENCE = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def fences(page: str) -> Iterator[tuple[int, str]]:
    """The Python code of a page, with the line where each part begins."""
    text = (REPOSITORY / page).read_text(encoding="utf-8")
    for match in FENCE.finditer(text):
        yield text.count("\n", 0, match.start(1)), match[1]


def trainer_of(stand_in: Callable[..., Any], method: str) -> type:
    """A Trainer as frameworks have it, which trains as the stand-in does."""

    class Trainer:
        def __init__(self, *, callbacks: list[Any], **arguments: Any) -> None:
            self._trainer = stand_in(callbacks)

    setattr(Trainer, method, lambda self, *arguments: getattr(self._trainer, method)())
    return Trainer


@pytest.fixture
def frameworks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand-ins for transformers and Lightning, from the tests of the callbacks."""
    huggingface = importlib.import_module("test_huggingface")
    lightning = importlib.import_module("test_lightning")
    packages: dict[str, dict[str, Any]] = {
        "transformers": {
            "TrainerCallback": huggingface.TrainerCallbackStandIn,
            "Trainer": trainer_of(huggingface.TrainerStandIn, "train"),
        },
        "lightning": {},
        "lightning.pytorch": {
            "Callback": lightning.CallbackStandIn,
            "Trainer": trainer_of(lightning.TrainerStandIn, "fit"),
        },
    }
    for name, members in packages.items():
        module = types.ModuleType(name)
        vars(module).update(members)
        monkeypatch.setitem(sys.modules, name, module)


@pytest.fixture
def assumed(fake_gpus: FakeGpus) -> Iterator[dict[str, Any]]:
    """The names that pages assume: the reader's program. Its work runs on gpu0, which is idle otherwise."""
    generation = importlib.import_module("test_generation")

    def work(seconds: float = 0.25, batch: int = 64) -> None:
        fake_gpus.run("resnet50", batch)
        time.sleep(seconds)
        fake_gpus.stop()

    def train_step(batch: int) -> None:
        work(0.02, batch)

    def generate(stopping_criteria: list[Any], **inputs: Any) -> None:
        generation.generate_stand_in(1, 16, 4, stopping_criteria=stopping_criteria)

    fake_gpus.stop()
    yield {
        "__name__": "guide",
        "train": work,
        "train_step": train_step,
        "model": types.SimpleNamespace(generate=generate),
        "inputs": {},
        "training_arguments": None,
        "dataset": None,
    }
    fake_gpus.run()


@pytest.mark.parametrize("page", PAGES)
def test_code_of_a_page_runs(
    page: str,
    assumed: dict[str, Any],
    frameworks: None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    parts = list(fences(page))
    assert parts, "the page has Python code"
    if any("torch" in code for _, code in parts):
        pytest.importorskip("torch")
    monkeypatch.chdir(tmp_path)
    namespace = dict(assumed)
    for line, code in parts:
        # With its lines where they are in the page, for tracebacks.
        exec(compile("\n" * line + code, str(REPOSITORY / page), "exec"), namespace)
        printed = capsys.readouterr().out
        assert printed or "print(" not in code, f"{page}:{line}: nothing was printed"
        assert "nan" not in printed.split(), f"{page}:{line}: {printed}"


def test_the_guide_names_what_the_package_has(frameworks: None) -> None:
    text = "".join((REPOSITORY / page).read_text(encoding="utf-8") for page in PAGES)
    for name in sorted(set(re.findall(r"(?<![\w./])ergon((?:\.[A-Za-z_]\w*)+)", text))):
        first, *rest = name.removeprefix(".").split(".")
        # File names, schemas, and addresses.
        if first in ("so", "measure") and rest or first in ("json", "md"):
            continue
        found: Any = ergon
        for part in [first, *rest]:
            found = getattr(found, part)


def test_every_exception_is_in_the_table() -> None:
    text = (REPOSITORY / "docs/python.md").read_text(encoding="utf-8")
    row = re.compile(r"^\| `(\w+Error)` \| (?:`(\w+)`)? ?\|", re.MULTILINE)
    documented = {match[1]: match[2] for match in row.finditer(text)}
    classes = {
        name: value
        for name, value in vars(ergon).items()
        if isinstance(value, type) and issubclass(value, ergon.ErgonError) and value is not ergon.ErgonError
    }
    assert set(documented) == set(classes)
    for name, value in classes.items():
        builtin = next((each.__name__ for each in value.__bases__ if each is not ergon.ErgonError), None)
        assert documented[name] == builtin, name
