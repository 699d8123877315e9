"""Predictions of PyTorch modules: the module is traced as it runs, not as exporters optimize it.

Files that `torch.onnx.export` writes by default have their batch norms folded into convolutions. Such a
network is cheaper than the module in training and in eager inference. The trace here keeps all operations
and the data type of the module, and leaves the module unchanged.
"""

from __future__ import annotations

import os
import re
import tempfile
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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

    The module runs once; its parameters, buffers and mode stay as they are. Warns if control flow may depend
    on values of tensors: the path of the example is traced. Raises UnsupportedError for modules that
    cannot be traced.
    """
    traced = _traced(module, example_inputs, mode, strict)
    if traced.warning:
        warnings.warn(traced.warning, stacklevel=2)
    return traced.network


@dataclass(frozen=True)
class _Traced:
    """A module as a network."""

    name: str
    network: Network
    warning: str  # or ""
    fixed_batch: int | None  # None: any batch

    def check(self, batch: int | None) -> None:
        """Raises InvalidInputError for a batch that the module does not support."""
        if self.fixed_batch is not None and batch not in (None, self.fixed_batch):
            raise InvalidInputError(
                f"batch: {self.name} runs at batch {self.fixed_batch} of the example only, not at {batch}"
            )


def _traced(
    module: torch.nn.Module, example_inputs: ExampleInputs, mode: str, strict: bool
) -> _Traced:
    if not isinstance(module, torch.nn.Module):
        raise InvalidInputError(
            f"module: {type(module).__name__} is not a torch.nn.Module; "
            "pass a name such as 'resnet50' to ergon.predict"
        )
    if mode not in ("inference", "training"):
        raise InvalidInputError(f'mode: "{mode}" is not inference or training')
    name = type(module).__name__
    with tempfile.TemporaryDirectory(prefix="ergon-") as folder:
        path = os.path.join(folder, re.sub(r"\W", "_", name)[:100] + ".onnx")
        for symbolic_batch in (True, False):
            places = export_module(
                module,
                example_inputs,
                path,
                training=mode == "training",
                symbolic_batch=symbolic_batch,
            )
            try:
                network = Network(path, strict=strict)
                break
            except (InvalidInputError, UnsupportedError) as error:
                # Operations of unknown cost stay so; others may need a batch that is a number.
                if symbolic_batch and not isinstance(error, UnsupportedError):
                    continue
                reason = str(error).removeprefix(f"{path}: ").replace(", which --strict rejects", "")
                advice = "replace it, or leave it out with strict=False" if strict else "replace it"
                raise UnsupportedError(f"{name}: {reason}; {advice}") from error
    warning = ""
    if places:
        warning = (
            f"control flow of {name} may depend on values of tensors; the path of the example was taken: "
            + ", ".join(places)
        )
    return _Traced(name, network, warning, None if symbolic_batch else example_batch(example_inputs))


def inspect(
    module: torch.nn.Module,
    example_inputs: ExampleInputs,
    *,
    batch: int | None = None,
    mode: str = "inference",
    strict: bool = True,
) -> Inspection:
    """Layers, operations and costs of a module. `batch`: default that of the example."""
    traced = _traced(module, example_inputs, mode, strict)
    traced.check(batch)
    if traced.warning:
        warnings.warn(traced.warning, stacklevel=2)
    return traced.network.inspect(_batch(batch, example_inputs), mode=mode)


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
    traced = _traced(module, example_inputs, mode, strict)
    traced.check(batch)
    prediction = predict_network(
        traced.network,
        device,
        batch=_batch(batch, example_inputs),
        mode=mode,
        precision=precision or _precision(module),
        host=host or _host(module),
        **settings,
    )
    if traced.warning:
        prediction._fields["warnings"].append(traced.warning)
    return prediction


def tune(
    module: torch.nn.Module,
    example_inputs: ExampleInputs,
    device: str | Sequence[str],
    *,
    batches: Sequence[int] | None = None,
    mode: str = "inference",
    precision: str | None = None,
    host: str | None = None,
    strict: bool = True,
    **settings: Any,
) -> TuneResult:
    """Finds the clock, batch and device with the lowest cost for a module.

    settings: bounds, prices and what to try, as of `ergon.tune`. A module for one batch is tuned at that of
    the example.
    """
    traced = _traced(module, example_inputs, mode, strict)
    if traced.warning:
        warnings.warn(traced.warning, stacklevel=2)
    if traced.fixed_batch is not None:
        for each in batches or ():
            traced.check(each)
        batches = [traced.fixed_batch]
    return tune_network(
        traced.network,
        device,
        batches=batches,
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
