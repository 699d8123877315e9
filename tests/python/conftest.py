"""Every test runs on fake-nvml: two simulated H200 in real time, the first of them under load."""

from __future__ import annotations

import ctypes
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("ERGON_BUILD", REPOSITORY / "build" / "release"))

sys.path.insert(0, os.environ.get("ERGON_PYTHONPATH", str(BUILD / "python")))
os.environ.setdefault("ERGON_PROGRAM", str(BUILD / "bin" / "ergon"))


class FakeGpus:
    """The simulated GPUs: their true energy, and loads that belong to this process."""

    class _Truth(ctypes.Structure):
        _fields_ = [
            ("seconds", ctypes.c_double),
            ("watts", ctypes.c_double),
            ("joules", ctypes.c_double),
            ("iterations", ctypes.c_double),
            ("running", ctypes.c_int),
        ]

    class _Load(ctypes.Structure):
        _fields_ = [
            ("network", ctypes.c_char_p),
            ("batch", ctypes.c_longlong),
            ("precision", ctypes.c_char_p),
            ("mode", ctypes.c_char_p),
            ("iterations", ctypes.c_longlong),
        ]

    class _Clocks(ctypes.Structure):
        _fields_ = [
            (name, ctypes.c_uint)
            for name in ("core_min", "core_max", "memory_min", "memory_max", "app_memory", "app_core")
        ]

    def __init__(self, library: Path) -> None:
        self._library = ctypes.CDLL(str(library))
        assert self._library.nvmlInit_v2() == 0

    def joules(self, gpu: int = 0) -> float:
        """True energy since the simulation started."""
        truth = self._Truth()
        assert self._library.ergon_fake_nvml_truth(gpu, ctypes.byref(truth)) == 0
        return truth.joules

    def watts(self, gpu: int = 0) -> float:
        """True power now."""
        truth = self._Truth()
        assert self._library.ergon_fake_nvml_truth(gpu, ctypes.byref(truth)) == 0
        return truth.watts

    def locked_core_clock_mhz(self, gpu: int = 0) -> int:
        """The locked core clock; 0 if it is unlocked."""
        clocks = self._Clocks()
        assert self._library.ergon_fake_nvml_clocks(gpu, ctypes.byref(clocks)) == 0
        return int(clocks.core_max)

    def run(self, network: str = "resnet50", batch: int = 64, gpu: int = 0) -> None:
        """Loads a GPU until `stop()`."""
        load = self._Load(network.encode(), batch, None, None, 0)
        assert self._library.ergon_fake_nvml_run(gpu, ctypes.byref(load)) == 0

    def stop(self, gpu: int = 0) -> None:
        """Ends the load of this process."""
        assert self._library.ergon_fake_nvml_stop(gpu) == 0


@pytest.fixture(scope="session", autouse=True)
def fake_gpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FakeGpus]:
    """gpu0 runs resnet50 for this process, gpu1 is idle."""
    folder = tmp_path_factory.mktemp("fake-nvml")
    scenario = folder / "scenario.json"
    scenario.write_text(json.dumps({"devices": ["h200", "h200"], "state": "world"}))
    library = BUILD / "fake-nvml" / "libnvidia-ml.so.1"
    os.environ.pop("CUDA_VISIBLE_DEVICES", None)
    os.environ["ERGON_NVML"] = str(library)
    os.environ["ERGON_FAKE_NVML"] = str(scenario)
    os.environ["ERGON_STATE"] = str(folder / "leases")
    gpus = FakeGpus(library)
    gpus.run()
    yield gpus
    gpus.stop()
