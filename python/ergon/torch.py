"""Predictions of PyTorch modules: the module is traced as it runs, not as exporters optimize it.

Files that `torch.onnx.export` writes by default have their batch norms folded into convolutions. Such a
network is cheaper than the module in training and in eager inference. The trace here keeps all operations
and the data type of the module, and leaves the module unchanged.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import torch

from ._errors import InvalidInputError, UnsupportedError
from ._networks import Inspection, Network
from ._predict import Prediction
from ._predict import predict as predict_network
from ._trace import example_batch, export_module
from ._tune import TuneResult
from ._tune import tune as tune_network

__all__ = ["ExampleInputs", "inspect", "network", "predict", "tune"]

ExampleInputs: TypeAlias = torch.Tensor | Sequence[Any] | Mapping[str, Any]
"""Arguments of the module: one tensor, positional arguments, or named arguments."""

_PRECISIONS = {torch.float16: "fp16", torch.bfloat16: "bf16"}


def network(
    module: torch.nn.Module,
    example_inputs: ExampleInputs,
    *,
    mode: str = "inference",
    strict: bool = True,
) -> Network:
    """The module as a network, with a symbolic batch where the module permits one.

    example_inputs: arguments that the module accepts. The first dimension of those tensors that have the
        size of the first tensor's is the batch.
    mode: "inference" traces the module as in `eval()`, "training" as in `train()`.
    strict: raise UnsupportedError for operations of unknown cost. Otherwise they are left out.

    The module runs once, without gradients; its parameters, buffers and mode stay as they are. Raises
    UnsupportedError for modules that cannot be traced.
    """
    if not isinstance(module, torch.nn.Module):
        raise InvalidInputError(
            f"module: {type(module).__name__} is not a torch.nn.Module; "
            "pass a name such as 'resnet50' to ergon.predict"
        )
    if mode not in ("inference", "training"):
        raise InvalidInputError(f'mode: "{mode}" is not inference or training')
    with tempfile.TemporaryDirectory(prefix="ergon-") as folder:
        path = os.path.join(folder, f"{type(module).__name__}.onnx")
        export_module(module, example_inputs, path, training=mode == "training")
        try:
            return Network(path, strict=strict)
        except UnsupportedError as error:
            reason = str(error).removeprefix(f"{path}: ").replace(", which --strict rejects", "")
            raise UnsupportedError(
                f"{type(module).__name__}: {reason}; replace it, or leave it out with strict=False"
            ) from error


def inspect(
    module: torch.nn.Module,
    example_inputs: ExampleInputs,
    *,
    batch: int | None = None,
    mode: str = "inference",
    strict: bool = True,
) -> Inspection:
    """Layers, operations and costs of a module. `batch`: default that of the example."""
    traced = network(module, example_inputs, mode=mode, strict=strict)
    return traced.inspect(_batch(batch, example_inputs), mode=mode)


def predict(
    module: torch.nn.Module,
    example_inputs: ExampleInputs,
    device: str,
    *,
    batch: int | None = None,
    mode: str = "inference",
    precision: str | None = None,
    host: str | None = None,
    strict: bool = True,
    **settings: Any,
) -> Prediction:
    """Predicts what one iteration of a module costs on a device.

        model = torchvision.models.resnet50()
        ergon.torch.predict(model, torch.zeros(1, 3, 224, 224), device="h200", batch=32, mode="training")

    batch: default that of the example.
    precision: default that of the module's parameters; for float32, tf32 as PyTorch's default.
    host: default "transformers" for modules of Hugging Face's transformers, else "python".
    settings: `clock`, `power_limit` and `model` as of `ergon.predict`.
    """
    return predict_network(
        network(module, example_inputs, mode=mode, strict=strict),
        device,
        batch=_batch(batch, example_inputs),
        mode=mode,
        precision=precision or _precision(module),
        host=host or _host(module),
        **settings,
    )


def tune(
    module: torch.nn.Module,
    example_inputs: ExampleInputs,
    device: str | Sequence[str],
    *,
    mode: str = "inference",
    precision: str | None = None,
    host: str | None = None,
    strict: bool = True,
    **settings: Any,
) -> TuneResult:
    """Finds the clock, batch and device with the lowest cost for a module.

    settings: bounds, prices and what to try, as of `ergon.tune`. Raises UnsupportedError if several
    batches are to be tried and the module fixes its batch.
    """
    return tune_network(
        network(module, example_inputs, mode=mode, strict=strict),
        device,
        mode=mode,
        precision=precision or _precision(module),
        host=host or _host(module),
        **settings,
    )


def _batch(batch: int | None, example_inputs: ExampleInputs) -> int:
    return example_batch(example_inputs) if batch is None else batch


def _precision(module: torch.nn.Module) -> str | None:
    for parameter in module.parameters():
        if parameter.is_floating_point():
            return _PRECISIONS.get(parameter.dtype)
    return None


def _host(module: torch.nn.Module) -> str | None:
    ours = any(type(each).__module__.startswith("transformers.") for each in module.modules())
    return "transformers" if ours else None
