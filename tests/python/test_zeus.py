"""`ergon.zeus` against Zeus's interface, on fake-nvml: gpu0 is loaded, gpu1 idles."""

from __future__ import annotations

import csv
import dataclasses
import pickle
import statistics
import sys
import time
import types
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import ergon
from ergon.zeus import Measurement, ZeusMonitor


@pytest.fixture(scope="module")
def monitor() -> ZeusMonitor:
    return ZeusMonitor()


def measured(monitor: ZeusMonitor, seconds: float = 0.3) -> Measurement:
    monitor.begin_window("work")
    time.sleep(seconds)
    return monitor.end_window("work")


def test_measures_every_gpu_by_its_index(monitor: ZeusMonitor) -> None:
    result = measured(monitor, 0.4)
    assert monitor.gpu_indices == [0, 1]
    assert len(monitor.gpus) == 2
    assert list(result.gpu_energy) == [0, 1]
    assert result.gpu_energy[0] > 2 * result.gpu_energy[1] > 0
    assert result.total_energy == pytest.approx(sum(result.gpu_energy.values()))
    assert result.time == pytest.approx(0.4, abs=0.1)
    assert result.energy == result.gpu_energy
    assert result.soc_energy is None


def test_short_windows_have_the_true_energy(monitor: ZeusMonitor, fake_gpus: Any) -> None:
    for _ in range(4):
        before = fake_gpus.joules(0)
        monitor.begin_window("step")
        time.sleep(0.15)
        result = monitor.end_window("step")
        true_joules = fake_gpus.joules(0) - before
        assert result.gpu_energy[0] == pytest.approx(true_joules, rel=0.05)
        part = result.ergon.devices[0]
        assert part.low_joules < true_joules < part.high_joules
        time.sleep(0.03)


def test_carries_interval_and_validity(monitor: ZeusMonitor) -> None:
    result = measured(monitor)
    assert result.low_joules < result.total_energy < result.high_joules
    assert result.total_energy == pytest.approx(result.ergon.energy_joules)
    assert result.valid == (not result.reasons)
    assert result.ergon.simulated
    assert result.ergon.seconds == pytest.approx(result.time, abs=0.005)


def test_end_window_does_not_wait_for_the_sensors(monitor: ZeusMonitor) -> None:
    elapsed = []
    for _ in range(5):
        monitor.begin_window("work")
        time.sleep(0.05)
        before = time.perf_counter()
        result = monitor.end_window("work")
        elapsed.append(time.perf_counter() - before)
        assert not result.done()
    assert statistics.median(elapsed) < 0.005
    assert 0.05 <= result.time < 0.2
    assert result.total_energy > 0
    assert result.done()


def test_windows_nest_and_add_up(monitor: ZeusMonitor) -> None:
    steps = []
    monitor.begin_window("epoch")
    for _ in range(3):
        monitor.begin_window("step")
        time.sleep(0.15)
        steps.append(monitor.end_window("step"))
    epoch = monitor.end_window("epoch")
    assert sum(each.time for each in steps) == pytest.approx(epoch.time, abs=0.02)
    assert sum(each.total_energy for each in steps) == pytest.approx(epoch.total_energy, rel=0.05)


def test_keys_are_unique_and_known(monitor: ZeusMonitor) -> None:
    monitor.begin_window("step")
    with pytest.raises(ValueError, match="'step' is open already"):
        monitor.begin_window("step")
    with pytest.raises(ValueError, match="'stpe' is not open; open windows: 'step'"):
        monitor.end_window("stpe")
    monitor.end_window("step", cancel=True)
    with pytest.raises(ValueError, match="'step' is not open"):
        monitor.end_window("step")
    monitor.begin_window("step")
    monitor.end_window("step", cancel=True)


def test_cancelled_window_has_no_energy(monitor: ZeusMonitor) -> None:
    monitor.begin_window("step")
    result = monitor.end_window("step", cancel=True)
    assert result.time == 0.0
    with pytest.raises(ergon.CancelledError):
        result.total_energy
    assert "not measured" in repr(result)


@pytest.mark.parametrize(
    ("visible", "loaded", "idle"), [("1,0", 1, 0), ("0", 0, None), ("1", None, 0)]
)
def test_indices_follow_cuda_visible_devices(
    monkeypatch: pytest.MonkeyPatch, visible: str, loaded: int | None, idle: int | None
) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)
    monitor = ZeusMonitor()
    energy = measured(monitor).gpu_energy
    assert list(energy) == list(range(len(visible.split(","))))
    if loaded is not None:
        assert energy[loaded] / 0.3 > 200
    if idle is not None:
        assert 10 < energy[idle] / 0.3 < 200


def test_measures_only_the_given_indices() -> None:
    monitor = ZeusMonitor(gpu_indices=[1], cpu_indices=[], approx_instant_energy=True)
    result = measured(monitor)
    assert monitor.gpu_indices == [1]
    assert list(result.gpu_energy) == [1]
    assert result.total_energy / result.time < 200
    assert result.cpu_energy is None and result.dram_energy is None


def test_index_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(ValueError, match="gpu_indices: there is no 2; there are 2"):
        ZeusMonitor(gpu_indices=[2])
    with pytest.raises(ValueError, match="twice"):
        ZeusMonitor(gpu_indices=[0, 0])
    with pytest.raises(ValueError, match="sync_execution_with"):
        ZeusMonitor(sync_execution_with="tensorflow")  # type: ignore[arg-type]


def test_log_file_has_the_columns_of_zeus(tmp_path: Path) -> None:
    path = tmp_path / "logs" / "energy.csv"
    monitor = ZeusMonitor(gpu_indices=[1, 0], log_file=path)
    began = time.time()
    first = measured(monitor, 0.1)
    monitor.begin_window("dropped")
    monitor.end_window("dropped", cancel=True)
    monitor.begin_window("a,b")
    time.sleep(0.1)
    second = monitor.end_window("a,b")
    monitor.close()
    with path.open() as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == [
        "start_time", "window_name", "elapsed_time", "gpu1_energy", "gpu0_energy"
    ]  # fmt: skip
    assert [row["window_name"] for row in rows] == ["work", "a,b"]
    assert float(rows[0]["start_time"]) == pytest.approx(began, abs=1.0)
    for row, result in zip(rows, (first, second)):
        assert float(row["elapsed_time"]) == result.time
        assert float(row["gpu0_energy"]) == result.gpu_energy[0]
        assert float(row["gpu1_energy"]) == result.gpu_energy[1]


def test_measurement_that_failed_raises_and_is_never_zero(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def lost(self: ergon.Window, timeout_seconds: float | None = None) -> ergon.Measurement:
        raise ergon.DeviceLostError("gpu0 stopped responding")

    monkeypatch.setattr(ergon.Window, "result", lost)
    path = tmp_path / "energy.csv"
    monitor = ZeusMonitor(gpu_indices=[0], log_file=path)
    result = measured(monitor, 0.01)
    for field in ("gpu_energy", "total_energy", "low_joules", "valid"):
        with pytest.raises(ergon.DeviceLostError):
            getattr(result, field)
    assert "gpu0 stopped responding" in repr(result)
    monitor.close()
    assert path.read_text().splitlines()[1].endswith(",")


def test_measurement_behaves_as_the_dataclass_of_zeus(monitor: ZeusMonitor) -> None:
    result = measured(monitor, 0.1)
    assert list(dataclasses.asdict(result)) == [
        "time", "gpu_energy", "cpu_energy", "dram_energy", "soc_energy"
    ]  # fmt: skip
    assert str(result).startswith(f"Measurement(time={result.time!r}, gpu_energy={{0: ")
    copy = pickle.loads(pickle.dumps(result))
    assert copy == result and copy.total_energy == result.total_energy
    made = Measurement(time=2.0, gpu_energy={0: 3.0, 1: 4.0})
    assert made.total_energy == 7.0 and made.cpu_energy is None and made.done()
    with pytest.raises(ergon.UnsupportedError):
        Measurement(time=2.0, gpu_energy={}).total_energy
    with pytest.raises(AttributeError):
        result.gpu_enrgy


class ProcessorsStandIn:
    """A meter of processor packages and their memory: RAPL is not simulated."""

    joules = {"cpu0": 10.0, "cpu1": 20.0, "dram0": 1.0, "dram1": 2.0}
    error: ergon.ErgonError | None = None

    def __init__(self, devices: Sequence[Any], *, prompt: bool) -> None:
        if self.error is not None:
            raise self.error
        self.ids = [each.id for each in devices]

    def measure(self, *, synchronize: bool) -> ProcessorsStandIn:
        return self

    def end(self, synchronize: bool) -> None:
        pass

    def done(self) -> bool:
        return True

    def result(self) -> Any:
        parts = [
            types.SimpleNamespace(device=each, uuid=each, energy_joules=self.joules[each])
            for each in self.ids
        ]
        return types.SimpleNamespace(devices=parts, energy_joules=sum(self.joules.values()))


@pytest.fixture
def processors(monkeypatch: pytest.MonkeyPatch) -> type[ProcessorsStandIn]:
    """Two packages with memory, and no GPU."""
    found = [types.SimpleNamespace(id=each, kind="processor") for each in ProcessorsStandIn.joules]
    monkeypatch.setattr("ergon.zeus._devices_of_machine", lambda: found)
    monkeypatch.setattr("ergon.zeus.Meter", ProcessorsStandIn)
    monkeypatch.setattr(ProcessorsStandIn, "error", None)
    return ProcessorsStandIn


def test_measures_processors_and_their_memory(processors: type[ProcessorsStandIn]) -> None:
    monitor = ZeusMonitor()
    result = measured(monitor, 0.0)
    assert (monitor.gpu_indices, monitor.cpu_indices) == ([], [0, 1])
    assert result.cpu_energy == {0: 10.0, 1: 20.0}
    assert result.dram_energy == {0: 1.0, 1: 2.0}
    assert result.gpu_energy == {}
    assert result.ergon.energy_joules == 33.0
    with pytest.raises(ergon.UnsupportedError, match="measures no GPU"):
        result.total_energy
    one = measured(ZeusMonitor(cpu_indices=[1]), 0.0)
    assert (one.cpu_energy, one.dram_energy) == ({1: 20.0}, {1: 2.0})
    with pytest.raises(ergon.UnsupportedError, match="no GPU and no processor"):
        ZeusMonitor(cpu_indices=[])


def test_processors_that_cannot_be_read_are_left_out(
    processors: type[ProcessorsStandIn], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processors, "error", ergon.PermissionDeniedError("energy_uj"))
    with pytest.raises(PermissionError):
        ZeusMonitor(cpu_indices=[0])
    with pytest.raises(ergon.UnsupportedError, match="no GPU and no processor"):
        ZeusMonitor()
    monkeypatch.setattr("ergon.zeus._devices_of_machine", lambda: [])
    with pytest.raises(ergon.UnsupportedError, match="cpu_indices: this user can read no"):
        ZeusMonitor(cpu_indices=[0])


class TorchStandIn(types.ModuleType):
    """The functions of torch.cuda that say and wait for what was launched."""

    def __init__(self) -> None:
        super().__init__("torch")
        self.waits = 0
        self.cuda = types.SimpleNamespace(
            is_initialized=lambda: True,
            is_available=lambda: True,
            current_device=lambda: 0,
            device_count=lambda: 1,
            memory_reserved=lambda device: 1,
            synchronize=self._synchronize,
        )

    def _synchronize(self, device: int | None = None) -> None:
        self.waits += 1
        time.sleep(0.1)


def test_waits_for_launched_work_at_both_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    torch = TorchStandIn()
    monkeypatch.setitem(sys.modules, "torch", torch)
    monitor = ZeusMonitor(gpu_indices=[0])
    monitor.begin_window("both")
    result = monitor.end_window("both")
    assert torch.waits == 2
    assert result.time >= 0.1, "the work that was waited for at the end is part of the window"
    assert result.time < 0.2, "the work that was waited for at the begin is not"
    monitor.begin_window("none", sync_execution=False)
    monitor.end_window("none", False)
    monitor.begin_window("none", sync_cuda=False)
    monitor.end_window("none", sync_cuda=False)
    assert torch.waits == 2


def test_waits_for_jax(monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[object] = []
    jax = types.ModuleType("jax")
    jax.devices = lambda kind: [f"{kind}0", f"{kind}1"]  # type: ignore[attr-defined]
    jax.device_put = lambda value, device: _On(device)  # type: ignore[attr-defined]
    jax.block_until_ready = waited.append  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "jax", jax)
    monitor = ZeusMonitor(gpu_indices=[1], sync_execution_with="jax")
    monitor.begin_window("step")
    monitor.end_window("step", cancel=True)
    assert waited == [["gpu1", "cpu0"]] * 2


class _On:
    """An array on a device of the JAX stand-in; adding to it launches work there."""

    def __init__(self, device: str) -> None:
        self.device = device

    def __add__(self, other: object) -> str:
        return self.device
