"""Measures the energy of each epoch of a training, and the energy per sample.

    python3 examples/python/measure_epoch.py
    python3 examples/python/measure_epoch.py --device gpu0 --epochs 10

The model is trained on the GPU if PyTorch can use one, else on the processor.
"""

import argparse

import ergon
import torch
from torch import nn


def train_epoch(
    model: nn.Module, optimizer: torch.optim.Optimizer, inputs: torch.Tensor, labels: torch.Tensor, batch: int
) -> float:
    """Trains on all samples once. Returns the mean loss."""
    total = torch.zeros((), device=inputs.device)
    for x, y in zip(inputs.split(batch), labels.split(batch)):
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.detach() * len(x)
    return float(total) / len(inputs)


def main() -> None:
    where = "cuda" if torch.cuda.is_available() else "cpu"
    samples = 262_144 if where == "cuda" else 4096
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--device",
        type=lambda text: text.split(","),
        help="what to measure, such as gpu0,gpu1 (default: the GPUs that CUDA shows, or the processors)",
    )
    parser.add_argument("--epochs", type=int, default=3, help="(default: 3)")
    parser.add_argument("--samples", type=int, default=samples, help=f"per epoch (default: {samples})")
    parser.add_argument("--batch", type=int, default=128, help="(default: 128)")
    options = parser.parse_args()

    inputs = torch.randn(options.samples, 784, device=where)
    labels = inputs[:, :10].argmax(1)
    model = nn.Sequential(nn.Linear(784, 64), nn.ReLU(), nn.Linear(64, 10)).to(where)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    # Sensors lag by a fraction of a second. The values are read after the loop, so nothing waits in it.
    windows, losses = [], []
    for _ in range(options.epochs):
        with ergon.measure(options.device, samples=options.samples) as window:
            losses.append(train_epoch(model, optimizer, inputs, labels, options.batch))
        windows.append(window)

    print("epoch   loss  time (s)  energy (J)      95 % interval  energy/sample (mJ)  valid")
    for epoch, (window, loss) in enumerate(zip(windows, losses), start=1):
        interval = f"{window.low_joules:.2f} to {window.high_joules:.2f}"
        per_sample = 1e3 * window.energy_per_sample_joules.value
        valid = "yes" if window.valid else "no: " + "; ".join(window.reasons)
        print(
            f"{epoch:5} {loss:6.3f} {window.seconds:9.3f} {window.energy_joules:11.2f} {interval:>18}"
            f" {per_sample:19.3f}  {valid}"
        )


if __name__ == "__main__":
    main()
