"""Holds a power cap in a loop, by choosing the batch size of each step.

    python3 examples/python/hold_cap.py                            # a simulated H200, in real time
    python3 examples/python/hold_cap.py --device gpu0 --watts 300  # a GPU that PyTorch can use

In a program of your own `step` is a training step or a batch of requests, of the size that it is given.
"""

import argparse
import time
from collections.abc import Callable

import ergon
import torch

BATCHES = [1, 2, 3, 4, 6, 8, 10, 12, 14, 16, 20, 24, 28, 32, 48, 64]


def simulated_step(twin: ergon.Device) -> Callable[[int], None]:
    """resnet50 on a twin, which draws the power of the batch for the predicted time of the batch."""
    seconds = {
        batch: ergon.predict("resnet50", twin.id, batch=batch).time_seconds.value for batch in BATCHES
    }
    running = 0

    def step(batch: int) -> None:
        nonlocal running
        if batch != running:
            twin.run("resnet50", batch)
            running = batch
        time.sleep(seconds[batch])

    return step


def torch_step() -> Callable[[int], None]:
    """Convolutions on the GPU. `Cap` waits for the kernels of each step."""
    model = torch.nn.Sequential(*[torch.nn.Conv2d(64, 64, 3, padding=1) for _ in range(20)]).cuda()
    images = torch.randn(max(BATCHES), 64, 112, 112, device="cuda")
    return torch.no_grad()(lambda batch: model(images[:batch]))


def main() -> None:
    default = "gpu0" if torch.cuda.is_available() else "h200"
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", default=default, help=f"a GPU or a twin (default: {default})")
    parser.add_argument("--watts", type=float, default=400, help="the cap (default: 400)")
    parser.add_argument("--duration", default="3s", help="(default: 3s)")
    options = parser.parse_args()
    simulated = options.device in ergon.twin_names()
    gpu = ergon.Device.twin(options.device) if simulated else ergon.select_devices(options.device)[0]
    step = simulated_step(gpu) if simulated else torch_step()

    cap = ergon.Cap(options.watts, BATCHES, device=gpu, duration=options.duration)
    for batch in cap:
        step(batch)

    print("time (s)  batch  samples/s  next batch  reason")
    for each in cap.decisions:
        if each.next_batch != each.batch:
            before = f"{each.at_seconds:8.2f}{each.batch:7}{each.samples_per_second:11.0f}"
            print(f"{before}{each.next_batch:12}  {each.reason}")
    total = cap.summary()
    print(f"batch {cap.batch} after {total.settled_after_seconds:.2f} s and {total.decisions} decisions")
    print(f"{total.samples_per_second:.0f} samples/s at {total.mean_power_watts:.1f} W on average")
    print(f"{total.violation_seconds:.2f} s of {total.duration_seconds:.2f} s above {cap.watts:.0f} W")


if __name__ == "__main__":
    main()
