"""Leases and caps: what changes devices, and what is restored."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

import ergon
from conftest import FakeGpus


def test_a_lease_locks_and_restores(fake_gpus: FakeGpus) -> None:
    assert fake_gpus.locked_core_clock_mhz(1) == 0
    with ergon.lease("gpu1", core_clock="1200MHz", power_limit=500, allow_control=True) as lease:
        assert fake_gpus.locked_core_clock_mhz(1) == 1200
        assert lease.device.power_limits_watts()["current"] == 500
        lease.lock_core_clock(9e8, "1.2GHz")
        lease.lock_memory_clock(lease.device.memory_clock_hertz())
        with pytest.raises(ergon.InvalidInputError):
            lease.set_power_limit("5kW")
        with pytest.raises(TypeError, match="not None"):
            lease.set_power_limit(None)  # type: ignore[arg-type]
        lease.release()
        assert fake_gpus.locked_core_clock_mhz(1) == 0
        with pytest.raises(ergon.CancelledError):
            lease.lock_core_clock("900MHz")
    assert fake_gpus.locked_core_clock_mhz(1) == 0
    limits = ergon.select_devices(["gpu1"])[0].power_limits_watts()
    assert limits["current"] == limits["default"]


def test_a_lease_is_restored_after_an_exception(fake_gpus: FakeGpus) -> None:
    with pytest.raises(RuntimeError):
        with ergon.lease("gpu1", core_clock="1200MHz", allow_control=True):
            raise RuntimeError
    assert fake_gpus.locked_core_clock_mhz(1) == 0
    with pytest.raises(ergon.InvalidInputError):
        ergon.lease("gpu1", core_clock="1200MHz", power_limit="1W", allow_control=True)
    assert fake_gpus.locked_core_clock_mhz(1) == 0


def test_a_lease_is_restored_when_the_program_ends_without_release(fake_gpus: FakeGpus) -> None:
    script = """
import ergon, os, sys
lease = ergon.lease("gpu1", core_clock="1200MHz", allow_control=True)
print("held", flush=True)
sys.exit(3)
"""
    ran = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
    )
    assert (ran.returncode, ran.stdout) == (3, "held\n"), ran.stderr
    assert fake_gpus.locked_core_clock_mhz(1) == 0


def test_control_needs_permission() -> None:
    with pytest.raises(ergon.PermissionDeniedError, match="allow_control=True") as denied:
        ergon.lease("gpu1", core_clock="1200MHz")
    assert isinstance(denied.value, PermissionError)


def test_leases_exclude_each_other() -> None:
    script = """
import ergon
try:
    ergon.lease("gpu1", allow_control=True)
except ergon.BusyError as error:
    print("busy:", error)
"""
    with ergon.lease("gpu1", allow_control=True):
        ran = subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
        )
    assert ran.stdout.startswith("busy:") and str(os.getpid()) in ran.stdout, ran.stderr


BATCHES = [1, 2, 4, 8, 16, 32, 64]


class Server:
    """A step function over a twin: it runs the batch for as long as the device would."""

    def __init__(self) -> None:
        self.gpu = ergon.Device.twin("h200")
        self.seconds = {
            batch: ergon.predict("resnet50", "h200", batch=batch).time_seconds.value
            for batch in BATCHES
        }
        self.running = 0

    def step(self, batch: int) -> None:
        if batch != self.running:
            self.gpu.run("resnet50", batch)
            self.running = batch
        time.sleep(self.seconds[batch])


def test_a_cap_is_held_in_a_loop() -> None:
    server = Server()
    cap = ergon.Cap(watts=400, batches=BATCHES, device=server.gpu, duration="60s")
    batches = []
    for batch in cap:
        server.step(batch)
        batches.append(batch)
        # A busy machine delays decisions.
        if len(cap.decisions) >= 4 and 240 < (cap.decisions[-1].mean_power_watts or 0) < 420:
            break
    assert len(cap.decisions) >= 4
    assert max(batches) > 1
    last = cap.decisions[-1]
    assert last.mean_power_watts is not None
    assert 0.6 * 400 < last.mean_power_watts < 1.05 * 400
    assert last.reason and last.cap_watts == 400 and last.clock_hertz is None
    summary = cap.summary()
    assert summary.controller == "joint"
    assert summary.samples_per_second > 0
    assert summary.decisions == len(cap.decisions)
    assert 20 < cap.idle_power_watts < 200


def test_a_cap_can_change_and_end() -> None:
    server = Server()
    cap = ergon.Cap(
        watts=400, batches=[4, 1, 2, 2], device=server.gpu, idle_power_watts=75, steps=30
    )
    for index, batch in enumerate(cap):
        assert batch in (1, 2, 4) and batch == cap.batch
        server.step(batch)
        if index == 10:
            cap.watts = 300
    assert index == 29
    assert cap.watts == 300
    with pytest.raises(ergon.InvalidInputError, match="75 W"):
        cap.watts = 50


def test_a_cap_with_clocks_locks_them(fake_gpus: FakeGpus) -> None:
    with ergon.lease("gpu0", allow_control=True) as lease:
        cap = ergon.Cap(
            watts=500,
            batches=[1, 2],
            lease=lease,
            clocks=["900MHz", 1.5e9],
            idle_power_watts=80,
            steps=3,
        )
        for _ in cap:
            clock = cap.clock_hertz
            assert clock in (9e8, 1.5e9)
            assert fake_gpus.locked_core_clock_mhz(0) == pytest.approx(clock / 1e6)
    assert fake_gpus.locked_core_clock_mhz(0) == 0


def test_wrong_caps_say_why() -> None:
    gpu = ergon.Device.twin("h200")
    with pytest.raises(ergon.InvalidInputError, match="needs a lease"):
        ergon.Cap(watts=400, batches=[1], device=gpu, clocks=["900MHz"])
    with pytest.raises(ergon.InvalidInputError, match="no batch"):
        ergon.Cap(watts=400, batches=[], device=gpu, idle_power_watts=75)
    with pytest.raises(ergon.InvalidInputError, match="below"):
        ergon.Cap(watts=10, batches=[1], device=gpu)
    with pytest.raises(ergon.UnknownNameError, match='did you mean "joint"'):
        ergon.Cap(watts=400, batches=[1], device=gpu, idle_power_watts=75, controller="joit")


def test_readings_of_a_device() -> None:
    gpu = ergon.select_devices(["gpu0"])[0]
    assert (gpu.id, gpu.kind, gpu.simulated) == ("gpu0", "gpu", True)
    assert "H200" in gpu.name and gpu.uuid.startswith("GPU-")
    assert 0 < gpu.power_watts() <= 800
    assert gpu.power_watts("instant") > 0
    with pytest.raises(ergon.UnknownNameError, match="usage, average, instant, samples"):
        gpu.power_watts("mean")
    first = gpu.energy_counter_joules()
    time.sleep(0.3)
    assert gpu.energy_counter_joules() > first
    clocks = gpu.supported_core_clocks_hertz()
    assert clocks == sorted(clocks) and clocks[0] <= gpu.core_clock_hertz() <= clocks[-1]
    assert 10 < gpu.temperature_celsius() < 110
    assert 0 <= gpu.utilization()["compute"] <= 1
    memory = gpu.memory_bytes()
    assert 0 < memory["used"] < memory["total"]
    assert os.getpid() in gpu.processes()
    assert isinstance(gpu.event_reasons(), list)
    assert gpu.capabilities()["energy_counter"]
    assert gpu == ergon.select_devices([0])[0] == ergon.select_devices([gpu])[0]
    assert len({gpu, ergon.select_devices(["0"])[0]}) == 1
    assert [each.id for each in ergon.find_devices()][:2] == ["gpu0", "gpu1"]


def test_a_twin_runs_networks() -> None:
    twin = ergon.Device.twin("v100")
    assert twin.kind == "twin" and "v100" in ergon.twin_names()
    idle = twin.power_watts()
    twin.run("resnet50", 64)
    time.sleep(0.3)
    assert twin.power_watts() > 2 * idle
    twin.stop()
    with pytest.raises(ergon.UnsupportedError, match="is not a twin"):
        ergon.select_devices(["gpu0"])[0].run("resnet50")
    with pytest.raises(ergon.UnknownNameError):
        ergon.Device.twin("v1000")
