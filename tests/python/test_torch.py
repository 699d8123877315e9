"""Modules of PyTorch: traced as they run, and left as they were."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")

import ergon  # noqa: E402
import ergon.torch  # noqa: E402
from torch import nn  # noqa: E402


class ConvNet(nn.Module):
    """Convolutions with batch norms, as exporters fold them."""

    def __init__(self, width: int = 32) -> None:
        super().__init__()
        layers: list[nn.Module] = []
        channels = 3
        for _ in range(4):
            layers += [nn.Conv2d(channels, width, 3, padding=1), nn.BatchNorm2d(width), nn.ReLU()]
            channels = width
        self.features = nn.Sequential(*layers)
        self.drop = nn.Dropout(0.1)
        self.head = nn.Linear(width, 10)

    def forward(self, images: Any) -> Any:
        return self.head(self.drop(self.features(images).mean((2, 3))))


IMAGES = torch.zeros(2, 3, 32, 32)


def operations(prediction: ergon.Prediction) -> dict[str, int]:
    """Number of operations by type."""
    counts: dict[str, int] = {}
    for each in prediction.operations:
        counts[each.type] = counts.get(each.type, 0) + each.count
    return counts


@pytest.mark.parametrize("mode", ["inference", "training"])
def test_batch_norms_are_not_folded(mode: str, tmp_path: Path) -> None:
    module = ConvNet()
    prediction = ergon.torch.predict(module, IMAGES, device="h200", batch=64, mode=mode)
    assert operations(prediction)["batch_norm"] == 4
    assert operations(prediction)["conv"] == 4
    assert (prediction.batch, prediction.mode) == (64, mode)
    assert not [each for each in prediction.warnings if "folded" in each]
    # The exporter's default file lacks them and is predicted faster.
    optimized = tmp_path / "optimized.onnx"
    module.eval()
    torch.onnx.export(
        module, (IMAGES,), str(optimized), input_names=["x"], dynamic_axes={"x": {0: "batch"}}
    )
    folded = ergon.predict(optimized, "h200", batch=64, mode=mode)
    assert "batch_norm" not in operations(folded)
    assert folded.time_seconds.value < prediction.time_seconds.value


def test_equals_the_raw_file(tmp_path: Path) -> None:
    module = ConvNet().eval()
    raw = tmp_path / "ConvNet.onnx"
    torch.onnx.export(
        module,
        (IMAGES,),
        str(raw),
        training=torch.onnx.TrainingMode.PRESERVE,
        do_constant_folding=False,
        opset_version=17,
        input_names=["x"],
        dynamic_axes={"x": {0: "batch"}},
    )
    by_file = ergon.predict(raw, "h200", batch=16)
    by_module = ergon.torch.predict(module, IMAGES, device="h200", batch=16)
    for quantity in ("time_seconds", "power_watts", "energy_joules", "memory_bytes", "operations"):
        assert by_module[quantity] == by_file[quantity]


def test_the_module_stays_as_it_was() -> None:
    module = ConvNet()
    module.train()
    module.head.eval()
    module(torch.randn(4, 3, 32, 32))
    before = {name: value.clone() for name, value in module.state_dict().items()}
    modes = [each.training for each in module.modules()]
    for mode in ("training", "inference"):
        ergon.torch.predict(module, torch.randn(2, 3, 32, 32), device="h200", mode=mode)
    assert [each.training for each in module.modules()] == modes
    for name, value in module.state_dict().items():
        assert torch.equal(value, before[name]), name


def test_random_numbers_are_not_consumed() -> None:
    module = ConvNet()
    torch.manual_seed(7)
    expected = torch.rand(2)
    torch.manual_seed(7)
    first = torch.rand(1)
    ergon.torch.predict(module, IMAGES, device="h200", mode="training")  # has a dropout
    assert torch.equal(torch.cat([first, torch.rand(1)]), expected)


def test_batch_is_symbolic_and_defaults_to_that_of_the_example() -> None:
    module = ConvNet()
    assert ergon.torch.predict(module, IMAGES, device="h200").batch == 2
    network = ergon.torch.network(module, torch.zeros(1, 3, 32, 32))
    assert not network.batch_is_fixed
    small, large = (ergon.predict(network, "h200", batch=batch) for batch in (8, 512))
    assert large.energy_joules.low > small.energy_joules.high


@pytest.mark.parametrize(
    ("dtype", "precision"), [(torch.float16, "fp16"), (torch.bfloat16, "bf16"), (torch.float32, "tf32")]
)
def test_precision_is_that_of_the_module(dtype: Any, precision: str) -> None:
    prediction = ergon.torch.predict(ConvNet().to(dtype), IMAGES.to(dtype), device="h200", batch=64)
    assert prediction.precision == precision


def test_precision_can_be_named() -> None:
    assert ergon.torch.predict(ConvNet(), IMAGES, device="h200", precision="bf16").precision == "bf16"


class Attention(nn.Module):
    """A transformer block with two inputs, one of them named."""

    def __init__(self) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(64)
        self.query, self.key, self.value = (nn.Linear(64, 64) for _ in range(3))
        self.mlp = nn.Sequential(nn.Linear(64, 256), nn.GELU(), nn.Linear(256, 64))

    def forward(self, tokens: Any, mask: Any) -> Any:
        x = self.norm(tokens)
        scores = self.query(x) @ self.key(x).transpose(-1, -2) / 8 + mask
        return self.mlp(tokens + scores.softmax(-1) @ self.value(x))


def test_several_inputs_by_position_and_by_name() -> None:
    tokens, mask = torch.zeros(2, 16, 64), torch.zeros(2, 16, 16)
    by_position = ergon.torch.inspect(Attention(), (tokens, mask), batch=4)
    by_name = ergon.torch.inspect(Attention(), {"tokens": tokens, "mask": mask}, batch=4)
    assert by_position.totals == by_name.totals
    # Six dense layers and two products of attention.
    products = 4 * 16 * (3 * 64 * 64 + 2 * 64 * 256 + 2 * 16 * 64)
    assert by_position.totals.macs == products


def test_tune() -> None:
    example: ergon.torch.ExampleInputs = IMAGES
    assert ergon.torch.tune(ConvNet(), example, device="h200", batches=[4]).choice.batch == 4
    tuned = ergon.torch.tune(ConvNet(), IMAGES, device=["h200", "a30"], max_latency="5ms")
    assert tuned.network == "ConvNet"
    assert tuned.choice.time_seconds <= 0.005
    assert tuned.choice.batch in (1, 2, 4, 8, 16, 32, 64, 128, 256)


class ByValue(nn.Module):
    """Control flow that cannot be exported by tracing symbols, and raises when it runs."""

    def forward(self, x: Any) -> Any:
        raise RuntimeError("this module does not run")


def test_modules_that_cannot_be_traced_say_why() -> None:
    with pytest.raises(ergon.UnsupportedError, match="ByValue cannot be traced.*does not run"):
        ergon.torch.predict(ByValue(), IMAGES, device="h200")
    with pytest.raises(ergon.InvalidInputError, match="str is not a torch.nn.Module"):
        ergon.torch.predict("resnet50", IMAGES, device="h200")
    with pytest.raises(ergon.InvalidInputError, match='mode: "train"'):
        ergon.torch.predict(ConvNet(), IMAGES, device="h200", mode="train")
    with pytest.raises(ergon.InvalidInputError, match="no tensor"):
        ergon.torch.predict(ConvNet(), (), device="h200")


class Spectrum(nn.Module):
    """An operation that ONNX does not have."""

    def forward(self, x: Any) -> Any:
        return torch.fft.fft(x).abs()


class Determinant(nn.Module):
    """An operation whose cost Ergon does not know, after one that it knows."""

    def forward(self, x: Any) -> Any:
        return torch.det(torch.relu(x))


def test_unsupported_operations_are_named() -> None:
    with pytest.raises(ergon.UnsupportedError, match="fft"):
        ergon.torch.predict(Spectrum(), IMAGES, device="h200")
    with pytest.raises(ergon.UnsupportedError, match=r"Determinant: node.*\(Det\).*strict=False"):
        ergon.torch.predict(Determinant(), IMAGES, device="h200")
    (left_out,) = ergon.torch.inspect(Determinant(), IMAGES, strict=False).unknown_operations
    assert (left_out.operation, left_out.count) == ("Det", 1)
    prediction = ergon.torch.predict(Determinant(), IMAGES, device="v100", strict=False)
    assert any("unknown cost" in each for each in prediction.warnings)


def test_wrong_example_inputs_say_why() -> None:
    with pytest.raises(ergon.UnsupportedError, match="ConvNet cannot be traced"):
        ergon.torch.predict(ConvNet(), torch.zeros(2, 5, 32, 32), device="h200")


@pytest.mark.parametrize("training", [False, True])
def test_torchvision_like_residual_block(training: bool) -> None:
    class Residual(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.conv = nn.Conv2d(16, 16, 3, padding=1, bias=False)
            self.norm = nn.BatchNorm2d(16)

        def forward(self, x: Any) -> Any:
            return torch.relu(self.norm(self.conv(x)) + x)

    mode = "training" if training else "inference"
    inspection = ergon.torch.inspect(Residual(), torch.zeros(2, 16, 8, 8), mode=mode)
    # The forward pass, and with training the gradients of weights (of inputs too, but not of the first layer).
    forward = 2 * 8 * 8 * 16 * 16 * 9
    assert inspection.totals.macs in (forward, 2 * forward, 3 * forward)
    assert (inspection.totals.macs > forward) == training
