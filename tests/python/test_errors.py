"""Failures of the library are exceptions, of the right class and with its sentence."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import ergon
from conftest import REPOSITORY
from ergon._errors import error_of
from ergon.generation import Generation, GenerationMeter

CLASSES: dict[str, tuple[type[ergon.ErgonError], type[BaseException]]] = {
    "unsupported": (ergon.UnsupportedError, ergon.ErgonError),
    "permission": (ergon.PermissionDeniedError, PermissionError),
    "not_found": (ergon.NotFoundError, FileNotFoundError),
    "invalid_input": (ergon.InvalidInputError, ValueError),
    "device_lost": (ergon.DeviceLostError, ergon.ErgonError),
    "io": (ergon.IoError, OSError),
    "cancelled": (ergon.CancelledError, ergon.ErgonError),
    "out_of_memory": (ergon.OutOfMemoryError, MemoryError),
    "busy": (ergon.BusyError, ergon.ErgonError),
    "unknown_name": (ergon.UnknownNameError, LookupError),
    "internal": (ergon.InternalError, ergon.ErgonError),
}


def test_every_kind_of_failure_has_a_class() -> None:
    header = (REPOSITORY / "include/ergon/result.h").read_text(encoding="utf-8")
    enumeration = re.search(r"enum class Errc \{(.*?)\};", header, re.DOTALL)
    assert enumeration
    assert re.findall(r"^\s*(\w+),", enumeration.group(1), re.MULTILINE) == list(CLASSES)


@pytest.mark.parametrize("kind", CLASSES)
def test_class_and_message(kind: str) -> None:
    error = error_of(kind, "what was wrong")
    own, builtin = CLASSES[kind]
    assert type(error) is own
    assert isinstance(error, builtin) and isinstance(error, ergon.ErgonError)
    assert (error.kind, str(error)) == (kind, "what was wrong")


def test_results_have_their_classes() -> None:
    prediction = ergon.predict("resnet18", "h200")
    assert type(prediction) is ergon.Prediction and isinstance(prediction, ergon.Document)
    assert type(ergon.tune("resnet18", "h200", batches=[1])) is ergon.TuneResult
    assert type(ergon.inspect("resnet18")) is ergon.Inspection
    assert type(ergon.zoo()) is ergon.Zoo
    assert type(ergon.profile("resnet18", "h200", duration=0.1)) is ergon.Profile
    with ergon.measure(devices=["gpu0"]) as window:
        pass
    assert type(window) is ergon.Window and type(window.result()) is ergon.Measurement
    assert type(window.devices[0]) is ergon.DeviceMeasurement
    assert {type(each) for each in window.reasons} == {ergon.Reason}
    with ergon.lease("gpu1", allow_control=True) as lease:
        assert type(lease) is ergon.Lease
    with GenerationMeter(["gpu0"]).generate() as generation:
        generation.token()
    assert type(generation) is Generation
    cap = ergon.Cap(
        watts=400, batches=[1], device=ergon.Device.twin("h200"), idle_power_watts=70, duration=0.5
    )
    for _ in cap:
        pass
    assert all(type(each) is ergon.CapDecision for each in cap.decisions)


def test_a_lost_gpu_is_an_exception_and_never_zero(tmp_path: Path) -> None:
    scenario = tmp_path / "scenario.json"
    scenario.write_text(
        json.dumps(
            {
                "devices": ["h200"],
                "state": "world",
                "faults": [{"fault": "lost", "gpu": 0, "from": "3s"}],
            }
        )
    )
    script = """
import ergon, time
meter = ergon.Meter(["gpu0"])
before = meter.begin("before")
time.sleep(3.5)
try:
    meter.begin("after")
    time.sleep(0.1)
    print("energy", meter.end("after").energy_joules)
except ergon.DeviceLostError as error:
    print("lost", error)
measured = meter.end("before")
print("before", measured.valid, [reason.code for reason in measured.reasons])
"""
    ran = subprocess.run(
        [sys.executable, "-c", script],
        env={
            **os.environ,
            "ERGON_FAKE_NVML": str(scenario),
            "PYTHONPATH": os.pathsep.join(sys.path),
        },
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert ran.returncode == 0, ran.stderr
    after, before = ran.stdout.splitlines()
    assert after.startswith("lost "), ran.stdout
    assert before.startswith("before False") and "device_lost" in before
