"""Measuring: values, names, nesting, threads, tasks, processes, errors."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import signal
import statistics
import subprocess
import sys
import threading
import time
from typing import Any

import pytest

import ergon
from conftest import REPOSITORY, FakeGpus


@pytest.fixture(scope="module")
def meter() -> ergon.Meter:
    return ergon.Meter(["gpu0"])


def test_a_block_has_the_true_energy(fake_gpus: FakeGpus) -> None:
    ergon.Meter.default(["gpu0"])
    before = fake_gpus.joules()
    with ergon.measure(devices=["gpu0"]) as m:
        time.sleep(1.0)
    truth = fake_gpus.joules() - before
    assert m.low_joules < m.energy_joules < m.high_joules
    # The interval is 95 %; twice its width is hardly ever exceeded.
    assert abs(m.energy_joules - truth) < 2 * (m.high_joules - m.energy_joules)
    assert m.valid, m.reasons
    assert m.reasons == []
    assert all(note.code and note.text for note in m.notes)
    assert 1.0 <= m.seconds < 1.5
    assert m.simulated
    assert m.power_watts.value == pytest.approx(m.energy_joules / m.seconds)
    assert m.peak_power_watts >= m.power_watts.value * 0.9
    assert 0 < m.statistical_joules <= m.high_joules - m.energy_joules
    (device,) = m.devices
    assert (device.device, device.kind, device.simulated) == ("gpu0", "nvml", True)
    assert device.low_joules < device.energy_joules < device.high_joules


def test_the_same_window_by_python_and_by_the_program(tmp_path: Any) -> None:
    """`ergon measure` runs the library's C++ code over the same time as a window around it."""
    ergon.Meter.default(["gpu0"])
    with ergon.measure(devices=["gpu0"]) as m:
        ran = subprocess.run(
            [os.environ["ERGON_PROGRAM"], "measure", "--device", "gpu0", "--json", "--", "sleep", "1.5"],
            capture_output=True,
            check=True,
        )
    program = json.loads(ran.stdout)
    power = program["mean_power_watts"]
    # The load is steady, so the means over both times are the same.
    assert m.power_watts.value == pytest.approx(power, rel=0.01)
    document = m.to_dict()
    assert set(document) == set(program)
    assert document["schema"] == program["schema"]
    assert set(document["sources"][0]) == set(program["sources"][0])


def test_windows_nest_and_add_up(meter: ergon.Meter) -> None:
    with meter.measure("whole") as whole:
        meter.begin("first")
        time.sleep(0.4)
        first = meter.end("first")
        second = meter.begin("second")
        time.sleep(0.4)
        assert meter.open_windows == ("second",)
        meter.end("second")
    assert first.energy_joules + second.energy_joules == pytest.approx(whole.energy_joules, rel=0.02)
    assert (first.name, whole.name) == ("first", "whole")


def test_module_functions_use_the_default_meter() -> None:
    ergon.begin("epoch", samples=10)
    time.sleep(0.3)
    window = ergon.end("epoch", tokens=640)
    assert len(window.devices) == 2  # both GPUs
    assert window.energy_per_sample_joules.value == pytest.approx(window.energy_joules / 10)
    assert window.energy_per_token_joules.high == pytest.approx(window.high_joules / 640)


def test_samples_may_be_set_in_the_block(meter: ergon.Meter) -> None:
    with meter.measure() as m:
        time.sleep(0.1)
        m.samples = 4
    assert m.energy_per_sample_joules.low == pytest.approx(m.low_joules / 4)
    assert m.energy_per_token_joules is None


def test_wrong_use_says_what_to_do(meter: ergon.Meter) -> None:
    with pytest.raises(ergon.InvalidInputError, match='no window "a" is open; open windows: none'):
        meter.end("a")
    window = meter.begin("a")
    with pytest.raises(ergon.InvalidInputError, match="open already"):
        meter.begin("a")
    with pytest.raises(ergon.InvalidInputError, match='"a" has not ended'):
        window.energy_joules
    meter.end("a")
    with pytest.raises(ergon.InvalidInputError, match="ended twice"):
        window.end()
    with pytest.raises(AttributeError, match="no attribute"):
        getattr(window, "energy's")
    meter.begin("b")
    meter.cancel("b")
    assert meter.open_windows == ()
    with pytest.raises(ergon.UnknownNameError, match="gpu9") as unknown:
        ergon.measure(devices=["gpu9"])
    assert isinstance(unknown.value, LookupError)
    with pytest.raises(ergon.InvalidInputError, match="empty"):
        ergon.measure(devices=[])


def test_a_short_window_is_not_valid_and_never_zero(meter: ergon.Meter) -> None:
    with meter.measure() as m:
        pass
    assert not m.valid
    assert "too_short" in [reason.code for reason in m.reasons]
    assert all(reason.text for reason in m.reasons)
    assert m.high_joules > 0


def test_an_exception_in_the_block_ends_the_window(meter: ergon.Meter) -> None:
    window = None
    with pytest.raises(RuntimeError, match="work failed"):
        with meter.measure() as window:
            time.sleep(0.1)
            raise RuntimeError("work failed")
    assert window is not None and window.ended
    assert window.seconds >= 0.1


def test_done_does_not_wait(meter: ergon.Meter) -> None:
    window = meter.measure()
    assert not window.done()
    time.sleep(0.2)
    window.end()
    deadline = time.monotonic() + 10
    while not window.done():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    start = time.monotonic()
    assert window.result().energy_joules > 0
    assert time.monotonic() - start < 0.1


def test_a_timeout_can_be_followed_by_a_result(meter: ergon.Meter) -> None:
    with meter.measure() as window:
        time.sleep(0.1)
    with pytest.raises(TimeoutError):
        window.result(timeout_seconds=0)
    assert window.result().energy_joules > 0


def test_decorator() -> None:
    windows: list[ergon.Window] = []

    @ergon.measured(devices=["gpu0"], on_result=windows.append)
    def work(seconds: float) -> str:
        """Sleeps."""
        time.sleep(seconds)
        return "done"

    assert work.window is None
    assert work(0.1) == "done"
    assert work.__doc__ == "Sleeps."
    assert windows == [work.window]
    assert work.window.seconds >= 0.1
    assert "work" in work.window.name

    @ergon.measured
    async def task() -> int:
        await asyncio.sleep(0.1)
        return 7

    assert asyncio.run(task()) == 7
    assert task.window.seconds >= 0.1


def test_tasks_have_windows_of_their_own() -> None:
    async def task(seconds: float) -> ergon.Window:
        async with ergon.measure(devices=["gpu0"]) as m:
            await asyncio.sleep(seconds)
        return m

    async def both() -> tuple[ergon.Window, ergon.Window]:
        return await asyncio.gather(task(0.1), task(0.4))

    short, long = asyncio.run(both())
    assert asyncio.run(long.result_async()) is long.result()
    assert short.seconds == pytest.approx(0.1, abs=0.1)
    assert long.energy_joules > 1.5 * short.energy_joules


def test_threads_share_a_meter(meter: ergon.Meter) -> None:
    energies: dict[int, float] = {}

    def work(index: int) -> None:
        meter.begin(f"thread {index}")
        time.sleep(0.2)
        energies[index] = meter.end(f"thread {index}").energy_joules

    threads = [threading.Thread(target=work, args=(index,)) for index in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(energies) == 8
    assert max(energies.values()) < 1.5 * min(energies.values())


def test_begin_and_end_take_microseconds(meter: ergon.Meter) -> None:
    times = []
    for _ in range(2000):
        start = time.perf_counter()
        meter.begin("x")
        meter.end("x")
        times.append(time.perf_counter() - start)
    assert statistics.median(times) < 20e-6


def _resident_bytes() -> int:
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")


def test_a_million_windows_leak_nothing(meter: ergon.Meter) -> None:
    for _ in range(100_000):
        meter.measure(synchronize=False).end()
    before = _resident_bytes()
    for _ in range(900_000):
        meter.measure(synchronize=False).end()
    assert _resident_bytes() - before < 16e6


def _child_measures(queue: Any) -> None:
    with ergon.measure(devices=["gpu0"]) as m:
        time.sleep(0.2)
    queue.put((m.energy_joules, os.getpid()))


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_child_processes_measure_by_themselves(method: str) -> None:
    ergon.Meter.default(["gpu0"])
    context = multiprocessing.get_context(method)
    queue = context.Queue()
    child = context.Process(target=_child_measures, args=(queue,))
    child.start()
    energy, process = queue.get(timeout=60)
    child.join(timeout=60)
    assert child.exitcode == 0
    assert energy > 0 and process != os.getpid()


def test_a_forked_child_cannot_use_windows_of_its_parent(meter: ergon.Meter) -> None:
    window = meter.begin("parent")
    time.sleep(0.05)
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        said = "nothing"
        try:
            meter.begin("child")
        except ergon.InvalidInputError as error:
            said = f"meter: {error}"
        try:
            window.end()
        except ergon.InvalidInputError as error:
            said += f"; window: {error}"
        del window  # must not wait for a thread of the parent
        os.write(write, said.encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        said = pipe.read().decode()
    assert os.waitpid(child, 0)[1] == 0
    assert "start one in the forked process" in said
    assert "begin a window in the process that does the work" in said
    assert meter.end("parent").energy_joules > 0


def run_script(script: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """Runs Python code with the package."""
    return subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        timeout=60,
        **options,
    )


def test_exit_with_open_windows() -> None:
    script = """
import ergon, time
meter = ergon.Meter(["gpu0"])
kept = meter.begin("open")
also = ergon.measure(devices=["gpu0"])
ended = ergon.measure(devices=["gpu0"]).end()
print("bye")
"""
    ran = run_script(script)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "bye\n", "")


def test_exception_that_ends_the_program() -> None:
    ran = run_script("import ergon\nwith ergon.measure(devices=['gpu0']):\n    1 / 0\n")
    assert ran.returncode == 1
    assert "ZeroDivisionError" in ran.stderr


@pytest.mark.parametrize("where", ["block", "result"])
def test_interrupt(where: str) -> None:
    script = f"""
import ergon, os, signal, sys, threading, time
ergon.Meter.default(["gpu0"])
def interrupt(seconds):
    threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    with ergon.measure(devices=["gpu0"]) as m:
        if {where!r} == "block":
            interrupt(0.2)
            time.sleep(30)
    interrupt(0.0)
    for _ in range(100):
        with ergon.measure(devices=["gpu0"]) as m:
            time.sleep(0.001)
        m.result()
except KeyboardInterrupt:
    print("interrupted", m.ended, m.result().high_joules > 0)
    sys.exit(130)
"""
    ran = run_script(script)
    assert (ran.returncode, ran.stdout) == (130, "interrupted True True\n"), ran.stderr


def test_no_gpu_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    script = "import ergon\ntry:\n    ergon.measure(devices=['gpu0'])\nexcept ergon.ErgonError as e:\n    print(type(e).__name__, e)"
    monkeypatch.setenv("ERGON_NVML", "/nonexistent.so")
    ran = run_script(script)
    assert ran.returncode == 0, ran.stderr
    assert "Error" in ran.stdout and "nonexistent" in ran.stdout


def test_visible_devices(monkeypatch: pytest.MonkeyPatch) -> None:
    uuid = ergon.select_devices(["gpu1"])[0].uuid
    for text, expected in [("1", ["gpu1"]), ("1,0", ["gpu1", "gpu0"]), (uuid, ["gpu1"]), ("0,-1,1", ["gpu0"])]:
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", text)
        assert [each.id for each in ergon.select_devices()] == expected
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "first")
    with pytest.raises(ergon.InvalidInputError, match="CUDA_VISIBLE_DEVICES"):
        ergon.select_devices()


def test_results_for_people_and_programs(meter: ergon.Meter) -> None:
    with meter.measure("run") as m:
        time.sleep(0.3)
    result = m.result()
    assert json.loads(m.to_json()) == m.to_dict() == result.to_dict()
    assert result["schema"] == "ergon.measure/2"
    assert "energy (J)" in m._repr_html_()
    assert "<" not in repr(result)
    assert "run" in repr(m)
    frame = m.to_pandas()
    assert list(frame["device"]) == ["gpu0"]
    assert frame["energy_joules"].sum() == pytest.approx(m.energy_joules)
    with pytest.raises(AttributeError, match="has no field"):
        result.energy_kwh


def test_a_closed_meter_says_so() -> None:
    with ergon.Meter(["gpu0"]) as meter:
        window = meter.begin("kept")
    assert meter.closed
    with pytest.raises(ergon.InvalidInputError, match="closed"):
        meter.begin("late")
    assert window.end().energy_joules > 0


def test_torch_is_synchronized_only_where_cuda_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    class Cuda:
        calls: list[int] = []

        def is_initialized(self) -> bool:
            return True

        def current_device(self) -> int:
            return 1

        def device_count(self) -> int:
            return 3

        def memory_reserved(self, device: int) -> int:
            return 1024 if device == 2 else 0

        def synchronize(self, device: int) -> None:
            self.calls.append(device)

    class Torch:
        cuda = Cuda()

    monkeypatch.setitem(sys.modules, "torch", Torch())
    meter = ergon.Meter.default(["gpu0"])
    meter.measure().end()
    assert Cuda.calls == [1, 2, 1, 2]
    meter.measure(synchronize=False).end()
    assert len(Cuda.calls) == 4


def test_signal_handlers_stay() -> None:
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert REPOSITORY.exists()
